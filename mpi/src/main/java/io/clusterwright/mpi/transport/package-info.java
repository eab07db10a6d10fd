/** Which transport an MPI library really used between nodes, read from what it says about itself when it is asked to. */
@NullMarked
package io.clusterwright.mpi.transport;

import org.jspecify.annotations.NullMarked;
