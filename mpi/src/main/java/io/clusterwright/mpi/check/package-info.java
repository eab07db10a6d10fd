/** Checks of a running cluster: fabric, ping-pong, host names, locked memory, transport. */
@NullMarked
package io.clusterwright.mpi.check;

import org.jspecify.annotations.NullMarked;
