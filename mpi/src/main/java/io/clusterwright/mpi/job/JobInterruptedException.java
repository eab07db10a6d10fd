package io.clusterwright.mpi.job;

import io.clusterwright.core.type.OperationInterruptedException;

/**
 * The thread that waited for a job was interrupted, and the job has been ended. The interrupt flag is set.
 *
 * @see io.clusterwright.mpi.RunningJob
 */
public final class JobInterruptedException extends OperationInterruptedException {
    private static final long serialVersionUID = 1L;

    private final transient JobResult result;

    /** Creates the exception with the partial result. */
    public JobInterruptedException(JobResult result, Throwable cause) {
        super("the wait for an MPI job was interrupted: " + result.summary(), cause);
        this.result = result;
    }

    /** The result of the job that was ended. */
    public JobResult result() {
        return result;
    }
}
