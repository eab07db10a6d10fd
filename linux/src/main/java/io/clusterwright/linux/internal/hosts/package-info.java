/** Hosts that exist already: their lists, host keys and sessions. */
@NullMarked
package io.clusterwright.linux.internal.hosts;

import org.jspecify.annotations.NullMarked;
