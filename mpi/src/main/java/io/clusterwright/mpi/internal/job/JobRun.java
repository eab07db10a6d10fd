package io.clusterwright.mpi.internal.job;

import io.clusterwright.core.NodeSession;
import io.clusterwright.core.type.InvalidValueException;
import io.clusterwright.mpi.JobAttempts;
import io.clusterwright.mpi.JobPolicy;
import io.clusterwright.mpi.JobResult;
import io.clusterwright.mpi.JobTarget;
import io.clusterwright.mpi.MpiInstallation;
import io.clusterwright.mpi.OutputLine;
import io.clusterwright.mpi.PlacedMpiJob;
import io.clusterwright.mpi.QueuedJob;
import io.clusterwright.mpi.RunningJob;
import io.clusterwright.mpi.internal.retry.RetryLoop;
import io.clusterwright.mpi.spi.LaunchTarget;
import io.clusterwright.mpi.spi.NodeTarget;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A description and the target it runs on.
 *
 * @param folder the folder for the output of the ranks, where it is kept in files
 */
public record JobRun(
        JobDescription description,
        LaunchTarget target,
        Consumer<OutputLine> listener,
        @Nullable Path folder) implements PlacedMpiJob {
    /** The time a job may take when none is given. */
    private static final Duration UNLIMITED = Duration.ofDays(365);

    /** The MPI that a job on this target would be started with. */
    public static MpiInstallation installationOf(PlacedMpiJob job, LaunchTarget target) {
        if (!(job instanceof JobRun run)) {
            throw new IllegalStateException("jobs are made by MpiJob alone");
        }
        if (!(target instanceof NodeTarget nodes)) {
            return MpiChoice.ofScheduler(run.description, target).installation();
        }
        NodeSession session = nodes.session(nodes.nodes().get(0).name());
        return MpiChoice.onNodes(run.description, nodes, session).installation();
    }

    /** A job whose output is not shown. */
    public static JobRun of(JobDescription description, JobTarget target) {
        return new JobRun(description, LaunchTarget.of(target), line -> {}, null);
    }

    @Override
    public JobRun onOutput(Consumer<OutputLine> lines) {
        return new JobRun(description, target, lines, folder);
    }

    @Override
    public JobRun outputTo(Path other) {
        return new JobRun(description, target, listener, other);
    }

    @Override
    public RunningJob start() {
        return start(UNLIMITED);
    }

    @Override
    public RunningJob start(Duration limit) {
        requirePositive(limit);
        return JobStart.of(description, target).start(limit, listener, folder);
    }

    @Override
    public JobResult run() {
        return run(UNLIMITED);
    }

    @Override
    public JobResult run(Duration limit) {
        return start(limit).await(UNLIMITED.multipliedBy(2)).orElseThrow();
    }

    @Override
    public JobAttempts run(Duration limit, JobPolicy policy) {
        return new RetryLoop(policy, target, this::attempt, limit).run();
    }

    private JobResult attempt(JobTarget nodes, List<String> more, Duration limit) {
        JobDescription again = more.isEmpty() ? description : description.withArguments(more);
        return new JobRun(again, LaunchTarget.of(nodes), listener, folder).run(limit);
    }

    @Override
    public QueuedJob submit() {
        return submit(UNLIMITED);
    }

    @Override
    public QueuedJob submit(Duration limit) {
        requirePositive(limit);
        return JobQueue.submit(description, target, limit);
    }

    private static void requirePositive(Duration limit) {
        if (limit.isZero() || limit.isNegative()) {
            throw new InvalidValueException("time limit of a job", limit.toString(), "a positive time", "PT2H");
        }
    }
}
