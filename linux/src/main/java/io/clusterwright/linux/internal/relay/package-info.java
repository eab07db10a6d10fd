/** Commands by scripts over a relay. */
@NullMarked
package io.clusterwright.linux.internal.relay;

import org.jspecify.annotations.NullMarked;
