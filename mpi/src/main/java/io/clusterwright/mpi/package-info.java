/**
 * MPI jobs: their description, running jobs, and the policy by which a job is started again.
 *
 * <p>Start with {@link MpiJob}, which describes a job and runs it on a cluster. {@link JobPolicy} starts a job again
 * after a loss, and {@link ClusterReplacer} replaces the lost nodes.
 */
@NullMarked
package io.clusterwright.mpi;

import org.jspecify.annotations.NullMarked;
