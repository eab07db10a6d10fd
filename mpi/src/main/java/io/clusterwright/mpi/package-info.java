/**
 * MPI jobs: their description, running jobs, and the policy by which a job is started again.
 *
 * <p>Start with {@link MpiJob}.
 */
@NullMarked
package io.clusterwright.mpi;

import org.jspecify.annotations.NullMarked;
