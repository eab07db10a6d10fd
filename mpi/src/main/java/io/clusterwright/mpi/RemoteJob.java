package io.clusterwright.mpi;

import io.clusterwright.core.OutputListener;

/** A job in the hands of a {@link RemoteScheduler}. Used by one thread at a time. */
public interface RemoteJob {

    /** The job for people, such as {@code job 19 of head.hpc.example}. */
    String name();

    /**
     * Asks how the job is.
     *
     * @param output gets what the job has written since the last time
     * @throws io.clusterwright.core.type.ClusterwrightException when the scheduler does not answer
     */
    State ask(OutputListener output);

    /**
     * Asks the scheduler to end the job, harmlessly when it has ended; {@link #ask} tells when it has.
     *
     * @param reason why, for the scheduler's records
     * @throws io.clusterwright.core.type.ClusterwrightException when the scheduler does not answer
     */
    void cancel(String reason);

    /** How a job is. */
    sealed interface State {}

    /** It waits for nodes, or runs. */
    record UnderWay() implements State {}

    /**
     * It has ended.
     *
     * @param exitStatus what the launcher ended with
     * @param problem why it did not end well, in the scheduler's words; empty when it ended by itself
     */
    record Over(int exitStatus, String problem) implements State {}
}
