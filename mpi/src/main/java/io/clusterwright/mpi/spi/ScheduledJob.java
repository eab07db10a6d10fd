package io.clusterwright.mpi.spi;

import io.clusterwright.core.RunningCommand.OutputListener;
import io.clusterwright.core.internal.file.PrivateFiles;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.mpi.job.Leftovers;
import io.clusterwright.mpi.job.QueuedJob;
import io.clusterwright.mpi.job.QueuedJobStatus;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * A queued job as its scheduler's target gives it. Implement it for the jobs of a new scheduler. {@link #poll} is
 * called by one thread at a time.
 *
 * <pre>{@code
 * record SiteJob(SiteQueue queue, String id) implements ScheduledJob {
 *     @Override
 *     public String name() {
 *         return "job " + id;
 *     }
 *
 *     @Override
 *     public QueuedJobStatus status() {
 *         return QueuedJobStatus.of(QueuedJobStatus.State.SUCCEEDED, "DONE", "")
 *                 .withExitStatus(0);
 *     }
 *
 *     @Override
 *     public String output() {
 *         return queue.output(Integer.parseInt(id));
 *     }
 *
 *     @Override
 *     public Map<NodeName, Leftovers> cancel(String reason) {
 *         return Map.of(); // the queue ends the processes of a job
 *     }
 * }
 * }</pre>
 */
public interface ScheduledJob extends QueuedJob {

    /** The launcher's command line; empty when it is not known, as of a job that was found by its id. */
    default List<String> command() {
        return List.of();
    }

    /** The number of its ranks; empty when the scheduler does not say, which is the default. */
    default OptionalInt ranks() {
        return OptionalInt.empty();
    }

    /** The time that it has run; zero when the scheduler does not say, which is the default. */
    default Duration runTime() {
        return Duration.ZERO;
    }

    /** The launcher whose words about failed ranks stand in the output; by default none is known. */
    default Optional<Launcher> launcher() {
        return Optional.empty();
    }

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

    @Override
    default void writeOutput(OutputStream out) throws IOException {
        out.write(output().getBytes(StandardCharsets.UTF_8));
    }

    @Override
    default void downloadOutput(Path local) {
        try {
            PrivateFiles.replace(local, false, this::writeOutput);
        } catch (IOException e) {
            throw new ClusterwrightException("the output of " + name() + " could not be written to " + local, e);
        }
    }

    @Override
    default Map<NodeName, Leftovers> cancel() {
        return cancel("cancelled by its owner");
    }

    /**
     * Asks the scheduler to end the job, harmlessly when it has ended; {@link #status} says when it has.
     *
     * @param reason for the scheduler's records
     * @return the processes that were found on the nodes; empty where the scheduler ends them itself
     */
    Map<NodeName, Leftovers> cancel(String reason);
}
