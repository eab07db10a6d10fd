/** Checks of the nodes: host names, locked memory, ping-pong, transport. */
@NullMarked
package io.clusterwright.mpi.check;

import org.jspecify.annotations.NullMarked;
