package io.clusterwright.mpi;

import io.clusterwright.core.type.InvalidValueException;
import io.clusterwright.mpi.internal.engine.JobDescription;
import io.clusterwright.mpi.internal.engine.JobQueue;
import io.clusterwright.mpi.internal.engine.JobStart;
import io.clusterwright.mpi.job.JobAttempts;
import io.clusterwright.mpi.job.JobInterruptedException;
import io.clusterwright.mpi.job.JobResult;
import io.clusterwright.mpi.job.JobTarget;
import io.clusterwright.mpi.job.MpiNotFoundException;
import io.clusterwright.mpi.job.OutputLine;
import io.clusterwright.mpi.job.QueuedJob;
import io.clusterwright.mpi.job.StagingFailedException;
import io.clusterwright.mpi.spi.LaunchTarget;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A job and the target it runs on. Use it to run the job and wait, to start it, or to submit it to a queue.
 * Immutable; every start is a new run.
 *
 * <pre>{@code
 * PlacedMpiJob job = MpiJob.of("hostname").on(cluster).outputTo(folder); // one file a rank
 * JobResult result = job.run(Duration.ofMinutes(10));
 * }</pre>
 *
 * <p>Each method that starts it throws:
 *
 * <ul>
 *   <li>{@link StagingFailedException} when a file of the job did not reach every node, or a local file cannot be read
 *   <li>{@link MpiNotFoundException} when the MPI asked for is not on the launch node
 *   <li>{@link io.clusterwright.core.type.InvalidValueException} when the ranks do not fit, the launcher or the scheduler cannot express
 *       the job, or the network of the nodes cannot carry its preset
 *   <li>{@link io.clusterwright.core.NodeUnreachableException} when the launch node cannot be reached
 *   <li>{@link io.clusterwright.core.type.ClusterwrightException} when the scheduler refuses the job or does not answer
 * </ul>
 */
public final class PlacedMpiJob {
    /** The time a job may take when none is given. */
    private static final Duration UNLIMITED = Duration.ofDays(365);

    private final JobDescription description;
    private final LaunchTarget target;
    private final Consumer<OutputLine> listener;
    /** The folder for the output of the ranks, where it is kept in files. */
    private final @Nullable Path folder;

    private PlacedMpiJob(
            JobDescription description, LaunchTarget target, Consumer<OutputLine> listener, @Nullable Path folder) {
        this.description = description;
        this.target = target;
        this.listener = listener;
        this.folder = folder;
    }

    /** A job whose output is not shown. */
    static PlacedMpiJob of(JobDescription description, JobTarget target) {
        return new PlacedMpiJob(description, LaunchTarget.of(target), line -> {}, null);
    }

    /**
     * Passes the output to this listener line by line while the job runs, by one thread at a time. An exception thrown there ends
     * the delivery, not the job. A listener that is a {@link java.io.Flushable} may keep lines until it is flushed, which is done whenever no
     * further line is at hand.
     */
    public PlacedMpiJob onOutput(Consumer<OutputLine> lines) {
        return new PlacedMpiJob(description, target, lines, folder);
    }

    /**
     * Writes each rank's output to separate files in a local folder, which is created if it is missing: {@code rank-0.out} and
     * {@code rank-0.err} in UTF-8, and {@code launcher.out} and {@code .err} for lines without a known rank, which is everything
     * where the launcher cannot label or {@link MpiJob#withoutRankLabels()} was asked for. Files of these names are replaced. A file that
     * cannot be written is a finding of the result, {@code CW-MPI-052}.
     */
    public PlacedMpiJob outputTo(Path folder) {
        return new PlacedMpiJob(description, target, listener, folder);
    }

    /** Starts the job without a limit on its time, as {@link #start(Duration)} does. */
    public RunningJob start() {
        return start(UNLIMITED);
    }

    /** Copies the job's files to the nodes, starts it and returns; after the limit it is ended. */
    public RunningJob start(Duration limit) {
        requirePositive(limit);
        return JobStart.of(description, target).start(limit, listener, folder);
    }

    /** Runs the job to its end without a limit on its time, as {@link #run(Duration)} does. */
    public JobResult run() {
        return run(UNLIMITED);
    }

    /**
     * Runs the job to its end, at most this long. When the time passes, or this thread is interrupted, the launcher is
     * ended and every process of the job on every node, which takes at most 30 s.
     *
     * @return the result, whatever happened
     * @throws JobInterruptedException when this thread was interrupted; it has the partial result
     */
    public JobResult run(Duration limit) {
        return start(limit).await(UNLIMITED.multipliedBy(2)).orElseThrow();
    }

    /**
     * Runs the job, and runs it again as the policy says when it lost a node. Each attempt is a run as {@link #run(Duration)} has it, with
     * files copied anew, and each looks for processes of the one before on the nodes that still answer.
     *
     * @param limit the time of one attempt
     * @return every attempt, whatever happened
     * @throws JobInterruptedException when this thread was interrupted; it has the partial result of the last attempt
     */
    public JobAttempts run(Duration limit, JobPolicy policy) {
        return new RetryLoop(policy, target, this::attempt, limit).run();
    }

    /** Submits the job to the queue of the target's scheduler without a limit on its time, as {@link #submit(Duration)} does. */
    public QueuedJob submit() {
        return submit(UNLIMITED);
    }

    /**
     * Submits the job to the queue of the target's scheduler and returns at once. It waits, runs and ends without
     * this program; its output is
     * a file of the scheduler without labels of ranks. Submitting again makes another job. Files to be staged in
     * are copied now, and must stay as they are until it has run.
     *
     * @param limit the time after which the scheduler ends it; a limit of the target wins over it
     * @throws io.clusterwright.core.type.InvalidValueException when the target has no queue, or the job has standard input or files to be
     *     staged out, which need this program while it runs
     */
    public QueuedJob submit(Duration limit) {
        requirePositive(limit);
        return JobQueue.submit(description, target, limit);
    }

    private JobResult attempt(JobTarget nodes, List<String> more, Duration limit) {
        JobDescription again = more.isEmpty() ? description : description.withArguments(more);
        return new PlacedMpiJob(again, LaunchTarget.of(nodes), listener, folder).run(limit);
    }

    private static void requirePositive(Duration limit) {
        if (limit.isZero() || limit.isNegative()) {
            throw new InvalidValueException("job time limit", limit, "a positive duration", "PT2H");
        }
    }

    /** The program and the nodes, for people, such as {@code hostname on [node1, node2]}. */
    @Override
    public String toString() {
        String others = description.more.stream()
                .map(part -> " : " + String.join(" ", part.program()))
                .collect(Collectors.joining());
        return String.join(" ", description.program) + others + " on " + target.nodeNames();
    }
}
