/** An MPI program in Java: a ping-pong over the system's MPI library, for nodes on which no benchmark is installed. */
@NullMarked
package io.clusterwright.mpi.internal.pingpong;

import org.jspecify.annotations.NullMarked;
