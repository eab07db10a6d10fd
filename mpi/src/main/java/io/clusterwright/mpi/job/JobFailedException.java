package io.clusterwright.mpi.job;

import io.clusterwright.core.type.ClusterwrightException;

/**
 * A job did not succeed; the message has the command, how it ended, the findings and the last lines of output. {@link
 * JobResult#orThrow()} throws it.
 *
 * <pre>{@code
 * try {
 *     MpiJob.of("sh", "-c", "exit 3").on(cluster).run().orThrow();
 * } catch (MpiNotFoundException absent) {
 *     System.out.println(absent.getMessage()); // the nodes have no MPI
 * } catch (JobFailedException failed) {
 *     System.out.println(failed.result().exitStatus());
 * }
 * }</pre>
 */
public final class JobFailedException extends ClusterwrightException {
    private static final long serialVersionUID = 1L;

    private final transient JobResult result;

    /** Creates the exception for a result. */
    public JobFailedException(JobResult result) {
        super(result.summary());
        this.result = result;
    }

    /** The result of the job. */
    public JobResult result() {
        return result;
    }
}
