/** Commands by scripts over a relay. */
@NullMarked
package io.clusterwright.windows.internal.relay;

import org.jspecify.annotations.NullMarked;
