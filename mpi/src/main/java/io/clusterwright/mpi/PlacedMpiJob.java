package io.clusterwright.mpi;

import java.time.Duration;

/** A job and the nodes it runs on. Immutable; every start is a new run. */
public final class PlacedMpiJob {
    /** The time a job may take when none is given: 365 days. */
    public static final Duration UNLIMITED = Duration.ofDays(365);

    private final MpiJob job;
    private final LaunchTarget target;
    private final MpiOutputListener listener;

    PlacedMpiJob(MpiJob job, LaunchTarget target, MpiOutputListener listener) {
        this.job = job;
        this.target = target;
        this.listener = listener;
    }

    /** The same job with its output handed to this listener, line by line. */
    public PlacedMpiJob onOutput(MpiOutputListener lines) {
        return new PlacedMpiJob(job, target, lines);
    }

    /**
     * Starts the job and returns at once; after the limit it is ended.
     *
     * @throws MpiNotFoundException when the MPI asked for is not on the launch node
     * @throws IllegalArgumentException when the ranks do not fit or the launcher cannot express the job
     * @throws io.clusterwright.core.InvalidValueException when the network of the nodes cannot carry the job's preset
     * @throws io.clusterwright.core.cluster.NodeUnreachableException when the launch node cannot be reached
     */
    public RunningMpiJob start(Duration limit) {
        if (limit.isZero() || limit.isNegative()) {
            throw new IllegalArgumentException("a job's time must be positive, not " + limit);
        }
        return JobStart.of(job, target, listener).start(limit);
    }

    /** Starts the job without a limit on its time, as {@link #start(Duration)} does. */
    public RunningMpiJob start() {
        return start(UNLIMITED);
    }

    /**
     * Runs the job to its end, at most this long. When the time passes, or this thread is interrupted, the launcher is
     * ended and every process of the job on every node, which takes at most 30 s.
     *
     * @return how it went, whatever happened
     * @throws MpiJobFailedException when this thread was interrupted; it has the partial result, and the interrupt flag
     *     is set
     * @throws MpiNotFoundException when the MPI asked for is not on the launch node
     * @throws IllegalArgumentException when the ranks do not fit or the launcher cannot express the job
     * @throws io.clusterwright.core.InvalidValueException when the network of the nodes cannot carry the job's preset
     * @throws io.clusterwright.core.cluster.NodeUnreachableException when the launch node cannot be reached
     */
    public MpiResult run(Duration limit) {
        return start(limit).join();
    }
}
