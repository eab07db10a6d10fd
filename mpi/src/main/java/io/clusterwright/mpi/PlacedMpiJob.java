package io.clusterwright.mpi;

import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A job and the nodes it runs on. Immutable; every start is a new run. */
public final class PlacedMpiJob {
    /** The time a job may take when none is given: 365 days. */
    public static final Duration UNLIMITED = Duration.ofDays(365);

    private final MpiJob job;
    private final JobTarget target;
    private final OutputLineListener listener;
    private final @Nullable Path outputFolder;

    PlacedMpiJob(MpiJob job, JobTarget target, OutputLineListener listener) {
        this(job, target, listener, null);
    }

    private PlacedMpiJob(MpiJob job, JobTarget target, OutputLineListener listener, @Nullable Path outputFolder) {
        this.job = job;
        this.target = target;
        this.listener = listener;
        this.outputFolder = outputFolder;
    }

    /** The same job with its output handed to this listener, line by line. */
    public PlacedMpiJob onOutput(OutputLineListener lines) {
        return new PlacedMpiJob(job, target, lines, outputFolder);
    }

    /**
     * The same job with each rank's output in files of its own in a local folder, which is made when it does not exist: {@code rank-0.out} and
     * {@code rank-0.err} in UTF-8, and {@code launcher.out} and {@code .err} for what no rank can be named for, which is everything
     * where the launcher cannot label or {@link MpiJob#withoutRankLabels()} was asked for. Files of these names are replaced. A file that
     * cannot be written is a finding of the result, {@code CW-MPI-052}.
     */
    public PlacedMpiJob outputTo(Path folder) {
        return new PlacedMpiJob(job, target, listener, folder);
    }

    /**
     * Copies the job's files to the nodes, starts it and returns; after the limit it is ended.
     *
     * @throws StagingFailedException when a file of the job did not reach every node
     * @throws java.io.UncheckedIOException when a local file cannot be read, or the folder for output cannot be made
     * @throws MpiNotFoundException when the MPI asked for is not on the launch node
     * @throws IllegalArgumentException when the ranks do not fit or the launcher cannot express the job
     * @throws io.clusterwright.core.type.InvalidValueException when the network of the nodes cannot carry the job's preset
     * @throws io.clusterwright.core.NodeUnreachableException when the launch node cannot be reached
     */
    public RunningJob start(Duration limit) {
        if (limit.isZero() || limit.isNegative()) {
            throw new IllegalArgumentException("a job's time must be positive, not " + limit);
        }
        return JobStart.of(job, target, listener, outputFolder).start(limit);
    }

    MpiJob job() {
        return job;
    }

    JobTarget target() {
        return target;
    }

    PlacedMpiJob with(MpiJob other, JobTarget nodes) {
        return new PlacedMpiJob(other, nodes, listener, outputFolder);
    }

    /** Starts the job without a limit on its time, as {@link #start(Duration)} does. */
    public RunningJob start() {
        return start(UNLIMITED);
    }

    /**
     * Runs the job to its end, at most this long. When the time passes, or this thread is interrupted, the launcher is
     * ended and every process of the job on every node, which takes at most 30 s.
     *
     * @return how it went, whatever happened
     * @throws JobFailedException when this thread was interrupted; it has the partial result, and the interrupt flag
     *     is set
     * @throws StagingFailedException when a file of the job did not reach every node
     * @throws MpiNotFoundException when the MPI asked for is not on the launch node
     * @throws IllegalArgumentException when the ranks do not fit or the launcher cannot express the job
     * @throws io.clusterwright.core.type.InvalidValueException when the network of the nodes cannot carry the job's preset
     * @throws io.clusterwright.core.NodeUnreachableException when the launch node cannot be reached
     */
    public JobResult run(Duration limit) {
        return start(limit).join();
    }

    /**
     * Runs the job, and runs it again as the policy says when it lost a node. Each attempt is a run as {@link #run(Duration)} has it, with
     * files copied anew, and each looks for what the one before left on the nodes that still answer.
     *
     * @param limit the time of one attempt
     * @return every attempt, whatever happened
     * @throws JobFailedException as {@link #run(Duration)} does
     * @throws StagingFailedException as {@link #run(Duration)} does
     * @throws MpiNotFoundException as {@link #run(Duration)} does
     * @throws IllegalArgumentException as {@link #run(Duration)} does
     * @throws io.clusterwright.core.NodeUnreachableException as {@link #run(Duration)} does
     */
    public JobAttempts run(Duration limit, JobPolicy policy) {
        return new RetryLoop(this, policy, limit).run();
    }
}
