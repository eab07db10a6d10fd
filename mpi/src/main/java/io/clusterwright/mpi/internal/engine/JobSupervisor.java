package io.clusterwright.mpi.internal.engine;

import io.clusterwright.core.internal.concurrent.Deadline;
import io.clusterwright.core.internal.concurrent.Threads;
import io.clusterwright.core.internal.concurrent.WaitTime;
import io.clusterwright.core.plan.Finding;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.mpi.RunningJob;
import io.clusterwright.mpi.internal.engine.Engine.Aftermath;
import io.clusterwright.mpi.internal.engine.Engine.Ending;
import io.clusterwright.mpi.internal.explain.JobOutput;
import io.clusterwright.mpi.job.JobInterruptedException;
import io.clusterwright.mpi.job.JobResult;
import io.clusterwright.mpi.job.JobResult.Outcome;
import io.clusterwright.mpi.job.LaunchFailure;
import io.clusterwright.mpi.job.Leftovers;
import io.clusterwright.mpi.job.MpiInstallation;
import io.clusterwright.mpi.job.OutputLine;
import io.clusterwright.mpi.job.RankBinding;
import io.clusterwright.mpi.job.RankFailure;
import io.clusterwright.mpi.spi.LaunchRequest;
import io.clusterwright.mpi.spi.LaunchTarget;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A run, watched on a separate thread, whatever its engine: its end, its time, a cancel; then it is cleaned up. */
final class JobSupervisor implements RunningJob {
    private static final Duration CLEANUP = Duration.ofSeconds(35);

    private final LaunchTarget target;
    private final LaunchRequest request;
    private final List<String> command;
    private final JobOutput output;
    private final Engine engine;
    private final Function<Outcome, List<Finding>> afterwards;
    private final List<Finding> findings = new CopyOnWriteArrayList<>();
    private final CompletableFuture<JobResult> result = new CompletableFuture<>();
    private final CompletableFuture<Duration> prepared = new CompletableFuture<>();
    private final CountDownLatch cancelled = new CountDownLatch(1);
    private final long startedNanos = System.nanoTime();
    private final long runningSince = WaitTime.RUNNING.nanos();

    /** The diagnosis from before this ended the launcher, whose complaints about that explain nothing. */
    private volatile @Nullable List<Finding> diagnosed;

    /** The failed ranks from before this ended the others. */
    private volatile @Nullable List<RankFailure> failed;

    JobSupervisor(
            LaunchTarget target,
            LaunchRequest request,
            List<String> command,
            JobOutput output,
            Engine engine,
            Function<Outcome, List<Finding>> afterwards) {
        this.target = target;
        this.request = request;
        this.command = List.copyOf(command);
        this.output = output;
        this.engine = engine;
        this.afterwards = afterwards;
    }

    /** Begins the work that goes on while the job's files are prepared. */
    void prepare() {
        Threads.start(token(), this::supervise);
    }

    /** Runs the job, about which there are findings already, for this time at most. */
    void start(Duration limit, List<Finding> known) {
        findings.addAll(known);
        prepared.complete(limit);
    }

    /** Undoes {@link #prepare} when there will be no job. */
    void abandon() {
        prepared.cancel(false);
    }

    @Override
    public String token() {
        return request.folder().token();
    }

    @Override
    public String toString() {
        return "job " + token() + (result.isDone() ? ": ended" : ": running");
    }

    @Override
    public List<String> command() {
        return command;
    }

    @Override
    public Optional<JobResult> await(Duration limit) {
        try {
            return Optional.of(WaitTime.get(result, limit));
        } catch (TimeoutException e) {
            return Optional.empty();
        } catch (ExecutionException e) {
            throw rethrown(e);
        } catch (InterruptedException e) {
            cancel();
            throw new JobInterruptedException(afterCancel(), e);
        }
    }

    @Override
    public void cancel() {
        cancelled.countDown();
    }

    @Override
    public CompletableFuture<JobResult> toFuture() {
        return result.copy();
    }

    @Override
    public void close() {
        cancel();
        afterCancel();
    }

    /** Waits in spite of interrupts, which are kept. */
    private JobResult afterCancel() {
        boolean interrupted = Thread.interrupted();
        Deadline deadline = Deadline.in("end of the job", CLEANUP);
        try {
            while (true) {
                try {
                    return WaitTime.get(result, deadline.remaining());
                } catch (InterruptedException e) {
                    interrupted = true;
                } catch (TimeoutException e) {
                    return result(Ending.stillRunning(Outcome.CANCELLED), elapsed(), engine.unknown());
                } catch (ExecutionException e) {
                    throw rethrown(e);
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static RuntimeException rethrown(ExecutionException e) {
        return e.getCause() instanceof RuntimeException cause ? cause : new IllegalStateException(e.getCause());
    }

    private void supervise() {
        try (engine) {
            engine.prepare();
            supervise(prepared.join());
        } catch (CancellationException e) {
            result.cancel(false);
        } catch (RuntimeException | Error e) {
            result.completeExceptionally(e);
        }
    }

    private void supervise(Duration limit) {
        try {
            Ending ending = engine.launch().or(() -> Optional.of(watch(limit))).orElseThrow();
            if (ending.finding() != null) {
                findings.add(ending.finding());
            }
            if (ending.running()) {
                diagnosed = output.diagnosed();
                failed = output.rankFailures();
                output.ending();
                engine.stop(ending.outcome());
            }
            Duration duration = elapsed();
            output.finish();
            Aftermath aftermath = engine.cleanUp(ending);
            findings.addAll(afterwards.apply(ending.outcome()));
            result.complete(result(ending, duration, aftermath));
        } catch (RuntimeException | Error e) {
            engine.abandon();
            throw e;
        }
    }

    private Ending watch(Duration limit) {
        while (true) {
            Ending ended = engine.poll().orElse(null);
            if (ended != null) {
                return isCancelled(Duration.ZERO) && ended.outcome() == Outcome.LOST
                        ? new Ending(Outcome.CANCELLED, null, false, null)
                        : ended;
            }
            Duration left = limit.minus(ran());
            Duration pause = engine.pause();
            if (isCancelled(pause.compareTo(left) < 0 ? pause : left)) {
                return Ending.stillRunning(Outcome.CANCELLED);
            }
            if (ran().compareTo(limit) >= 0) {
                return Ending.stillRunning(Outcome.TIMED_OUT);
            }
        }
    }

    private boolean isCancelled(Duration pause) {
        try {
            return WaitTime.await(pause, nanos -> cancelled.await(nanos, TimeUnit.NANOSECONDS));
        } catch (InterruptedException e) {
            return true;
        }
    }

    private JobResult result(Ending ending, Duration duration, Aftermath aftermath) {
        List<Finding> all = new ArrayList<>(findings);
        all.addAll(aftermath.findings());
        List<Finding> before = diagnosed;
        all.addAll(before == null ? output.diagnosed() : before);
        List<RankFailure> ranks = failed;
        all.removeIf(finding -> target.suppressed().contains(finding.code()));
        return new EndedJob(
                ending.outcome(),
                request.mpi(),
                command,
                request.ranks(),
                ending.exitStatus(),
                duration,
                output.tail(),
                aftermath.failures(),
                aftermath.leftovers(),
                all,
                ranks == null ? output.rankFailures() : ranks,
                aftermath.lost(),
                output.rankEnds().bindings());
    }

    /** The time of the job in which this process ran, by which its limit is measured. */
    private Duration ran() {
        return Duration.ofNanos(WaitTime.RUNNING.nanos() - runningSince);
    }

    private Duration elapsed() {
        return Duration.ofNanos(System.nanoTime() - startedNanos);
    }

    /** The result of a run; its components are the accessors of {@link JobResult}. */
    private record EndedJob(
            Outcome outcome,
            MpiInstallation mpi,
            List<String> command,
            int ranks,
            OptionalInt exitStatus,
            Duration duration,
            List<OutputLine> outputTail,
            List<LaunchFailure> launchFailures,
            Map<NodeName, Leftovers> leftovers,
            List<Finding> findings,
            List<RankFailure> rankFailures,
            List<NodeName> lostNodes,
            List<RankBinding> bindings)
            implements JobResult {

        EndedJob {
            launchFailures = List.copyOf(launchFailures);
            leftovers = Map.copyOf(leftovers);
            findings = List.copyOf(findings);
            rankFailures = List.copyOf(rankFailures);
            lostNodes = List.copyOf(lostNodes);
        }

        @Override
        public JobResult with(List<Finding> more) {
            List<Finding> all = Stream.concat(findings.stream(), more.stream()).toList();
            return new EndedJob(
                    outcome,
                    mpi,
                    command,
                    ranks,
                    exitStatus,
                    duration,
                    outputTail,
                    launchFailures,
                    leftovers,
                    all,
                    rankFailures,
                    lostNodes,
                    bindings);
        }

        @Override
        public String toString() {
            return summary();
        }
    }
}
