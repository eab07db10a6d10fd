/**
 * Targets and queued jobs, results and values of jobs, and the exceptions with the reason why a job failed.
 *
 * <p>Start with {@link JobResult} for the end of a job, {@link JobTarget} for its nodes, and {@link QueuedJob} for
 * jobs of a scheduler. {@code MpiJob} of the package above describes the job itself.
 */
@NullMarked
package io.clusterwright.mpi.job;

import org.jspecify.annotations.NullMarked;
