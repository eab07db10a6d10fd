/**
 * Targets and queued jobs, results and values of jobs, and the exceptions with the reason why a job failed.
 *
 * <p>Start with {@link JobTarget} for the nodes of a job, {@link JobResult} for its end, and {@link QueuedJob} for jobs of a scheduler.
 */
@NullMarked
package io.clusterwright.mpi.job;

import org.jspecify.annotations.NullMarked;
