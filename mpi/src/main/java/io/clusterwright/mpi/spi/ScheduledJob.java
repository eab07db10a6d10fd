package io.clusterwright.mpi.spi;

import io.clusterwright.core.RunningCommand.OutputListener;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.mpi.Leftovers;
import io.clusterwright.mpi.QueuedJobStatus;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * A job in the hands of a scheduler. Each method asks the scheduler, and throws {@link ClusterwrightException} when it does not answer. {@link #poll} is called by one thread at a time.
 */
public interface ScheduledJob {

    /** The scheduler's id of the job, by which {@link SchedulerTarget#find} finds it again. */
    String id();

    /** The job for people, such as {@code job 19 of head.hpc.example}. */
    String name();

    /** The launcher's command line; empty when it is not known, as of a job that was found by its id. */
    default List<String> command() {
        return List.of();
    }

    /** The state of the job now. */
    QueuedJobStatus status();

    /**
     * The state of the job now, for a caller that shows its output as it comes; by default the output comes when the job has ended.
     *
     * @param output gets what the job has written since the last call
     */
    default QueuedJobStatus poll(OutputListener output) {
        QueuedJobStatus now = status();
        if (now.ended()) {
            byte[] all = output().getBytes(StandardCharsets.UTF_8);
            output.onOutput(OutputListener.Stream.STDOUT, all, all.length);
        }
        return now;
    }

    /**
     * The output so far, at most its last 16 MiB.
     *
     * @throws IllegalStateException when it has not started, or the scheduler does not know it any more
     */
    String output();

    /**
     * Copies the output so far to a file on this machine, replacing it; by default what {@link #output()} returns.
     *
     * @throws IllegalStateException as {@link #output()} does
     */
    default void downloadOutput(Path local) {
        try {
            Files.writeString(local, output());
        } catch (IOException e) {
            throw new ClusterwrightException("the output of " + name() + " could not be written to " + local, e);
        }
    }

    /**
     * Asks the scheduler to end the job, harmlessly when it has ended; {@link #status} says when it has.
     *
     * @param reason for the scheduler's records
     * @return the processes that were found on the nodes; empty where the scheduler ends them itself
     */
    Map<NodeName, Leftovers> cancel(String reason);
}
