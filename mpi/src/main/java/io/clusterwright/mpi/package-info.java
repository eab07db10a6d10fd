/** MPI jobs: their description, their targets, running and queued jobs, results and policies. */
@NullMarked
package io.clusterwright.mpi;

import org.jspecify.annotations.NullMarked;
