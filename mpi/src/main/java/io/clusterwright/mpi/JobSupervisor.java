package io.clusterwright.mpi;

import io.clusterwright.core.Command;
import io.clusterwright.core.NodeUnreachableException;
import io.clusterwright.core.RunningCommand;
import io.clusterwright.core.plan.Finding;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.mpi.spi.LaunchCommand;
import io.clusterwright.mpi.spi.LaunchNode;
import io.clusterwright.mpi.spi.LaunchOption;
import io.clusterwright.mpi.spi.LaunchRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watches one run on a thread of its own: its end, its time, a cancel, and nodes that were not reached; then looks for
 * what it left behind.
 */
final class JobSupervisor implements WatchedJob {
    private static final Logger LOG = LoggerFactory.getLogger(JobSupervisor.class);
    private static final Duration TICK = Duration.ofMillis(100);
    private static final Duration LAUNCHER_GRACE = Duration.ofSeconds(2);
    private static final Duration CANCEL_GRACE = Duration.ofSeconds(5);

    private static final Duration RELEASE_LIMIT = Duration.ofSeconds(15);

    private final JobTarget target;
    private final LaunchRequest request;
    private final LaunchCommand command;
    private final JobOutput output;
    private final List<Finding> findings;
    private final Function<JobResult.Outcome, List<Finding>> afterwards;
    private final ProxyStarter helpers;
    private final CompletableFuture<JobResult> result = new CompletableFuture<>();
    private final CompletableFuture<Duration> prepared = new CompletableFuture<>();
    private final long started = System.nanoTime();
    private volatile boolean cancelled;

    /** What the output told of before this ended the launcher, whose complaints about that explain nothing. */
    private volatile @Nullable List<Finding> diagnosed;

    JobSupervisor(
            JobTarget target,
            LaunchRequest request,
            LaunchCommand command,
            JobOutput output,
            List<Finding> findings,
            Function<JobResult.Outcome, List<Finding>> afterwards) {
        this.target = target;
        this.request = request;
        this.command = command;
        this.output = output;
        this.findings = new CopyOnWriteArrayList<>(findings);
        this.afterwards = afterwards;
        this.helpers = request.has(LaunchOption.OVER_SESSIONS)
                ? new SessionLaunch(target, request, output)
                : new JobWatchdogs(target, request, output);
    }

    /** Begins what goes on while the job's files are prepared: the process that will run the launcher, and the helpers. */
    void prepare() {
        Thread thread =
                new Thread(this::supervise, "clusterwright-" + request.folder().token());
        thread.setDaemon(true);
        thread.start();
        helpers.prepare();
    }

    /** The files are there: runs the launcher, for this time at most. */
    void start(Duration limit) {
        prepared.complete(limit);
    }

    /** Lets go of what was begun when there will be no job. */
    void abandon() {
        prepared.cancel(false);
    }

    private void supervise() {
        RunningCommand launcher = null;
        try {
            launcher = hold();
        } catch (ClusterwrightException e) {
            LOG.debug(
                    "job {} has no process to run its launcher yet",
                    request.folder().token(),
                    e);
        }
        try {
            supervise(launcher, prepared.join());
        } catch (CancellationException e) {
            helpers.close();
            if (launcher != null) {
                launcher.endInput();
            }
        }
    }

    private RunningCommand hold() {
        return target.session(request.nodes().get(0).name()).start(WatchdogScript.hold(), helpers);
    }

    @Override
    public LaunchRequest request() {
        return request;
    }

    @Override
    public List<String> command() {
        return command.arguments();
    }

    @Override
    public CompletableFuture<JobResult> result() {
        return result;
    }

    @Override
    public void cancel() {
        cancelled = true;
    }

    @Override
    public JobResult unfinished() {
        return result(new Ending(JobResult.Outcome.CANCELLED, JobResult.NONE), elapsed(), Map.of());
    }

    private void supervise(@Nullable RunningCommand launcher, Duration limit) {
        LeftoverSweep sweep = new LeftoverSweep(target, request.folder());
        try {
            try (helpers) {
                Ending ending = launchAndWatch(launcher, limit);
                Duration duration = elapsed();
                output.finish();
                boolean good = ending.outcome == JobResult.Outcome.ENDED && ending.status == 0;
                Map<NodeName, Leftovers> leftovers = good ? sweep.countBeside(helpers.proven()) : sweep.end();
                if (!good) {
                    release();
                }
                findings.addAll(afterwards.apply(ending.outcome));
                result.complete(result(ending, duration, leftovers));
            }
        } catch (RuntimeException | Error e) {
            sweep.end();
            release();
            result.completeExceptionally(e);
        }
    }

    private Ending launchAndWatch(@Nullable RunningCommand launcher, Duration limit) {
        NodeName node = request.nodes().get(0).name();
        LOG.debug("starting job {} on {}: {}", request.folder().token(), node, command.arguments());
        helpers.ready();
        try (RunningCommand running = launcher == null ? hold() : launcher) {
            running.send(WatchdogScript.program(request.folder(), command.withVariables()));
            Ending ending = watch(running, limit);
            if (ending.status == JobResult.NONE) {
                diagnosed = output.diagnosed();
                end(running);
            }
            return ending;
        } catch (NodeUnreachableException e) {
            LOG.debug("job {} lost its launch node", request.folder().token(), e);
            if (!cancelled) {
                findings.add(MpiFindings.launchNodeLost(node, e));
            }
            return new Ending(cancelled ? JobResult.Outcome.CANCELLED : JobResult.Outcome.LOST, JobResult.NONE);
        }
    }

    /** On the first node that answers: the launch node may be what was lost. */
    private void release() {
        if (command.release().isEmpty()) {
            return;
        }
        for (LaunchNode node : request.nodes()) {
            try {
                target.session(node.name()).run(Command.of(command.release()).timeout(RELEASE_LIMIT));
                return;
            } catch (ClusterwrightException e) {
                LOG.debug("job {} was not released from {}", request.folder().token(), node.name(), e);
            }
        }
    }

    /** What this cannot end, the sweep does. */
    private void end(RunningCommand running) {
        try {
            running.cancel(CANCEL_GRACE);
        } catch (ClusterwrightException e) {
            LOG.debug(
                    "the launcher of job {} could not be ended in the ordinary way",
                    request.folder().token(),
                    e);
        }
    }

    private Ending watch(RunningCommand running, Duration limit) {
        while (true) {
            OptionalInt status = running.await(TICK);
            if (status.isPresent()) {
                return status.getAsInt() != 0 && helpers.lostOne()
                        ? new Ending(JobResult.Outcome.NODE_LOST, JobResult.NONE)
                        : new Ending(JobResult.Outcome.ENDED, status.getAsInt());
            }
            helpers.look();
            OptionalLong failure = output.firstFailureNanos();
            if (output.refused().isPresent()) {
                findings.add(MpiFindings.notUnderstood(
                        request.mpi(), output.refused().get()));
                return new Ending(JobResult.Outcome.LAUNCH_FAILED, JobResult.NONE);
            }
            if (cancelled) {
                return new Ending(JobResult.Outcome.CANCELLED, JobResult.NONE);
            }
            if (failure.isPresent() && System.nanoTime() - failure.getAsLong() > LAUNCHER_GRACE.toNanos()) {
                boolean ran = output.failures().stream().allMatch(LaunchFailure::lost);
                return new Ending(ran ? JobResult.Outcome.NODE_LOST : JobResult.Outcome.LAUNCH_FAILED, JobResult.NONE);
            }
            if (elapsed().compareTo(limit) > 0) {
                return new Ending(JobResult.Outcome.TIMED_OUT, JobResult.NONE);
            }
        }
    }

    private JobResult result(Ending ending, Duration duration, Map<NodeName, Leftovers> leftovers) {
        List<LaunchFailure> failures = output.failures().stream()
                .filter(failure -> counts(failure, ending, leftovers))
                .toList();
        List<Finding> all = new ArrayList<>(findings);
        failures.forEach(failure -> all.add(MpiFindings.launchFailed(failure, nameOf(failure.host()))));
        if (ending.outcome == JobResult.Outcome.TIMED_OUT && MpiFindings.waitsInFinalize(request.mpi())) {
            all.add(MpiFindings.mayWaitInFinalize());
        }
        boolean good = ending.outcome == JobResult.Outcome.ENDED && ending.status == 0;
        leftovers.forEach((node, left) -> {
            if (!left.problem().isEmpty()) {
                all.add(MpiFindings.notSwept(node, left));
            } else if (left.remaining() > 0) {
                all.add(good ? MpiFindings.leftBehind(node, left) : MpiFindings.couldNotEnd(node, left));
            }
        });
        List<Finding> before = diagnosed;
        all.addAll(before == null ? output.diagnosed() : before);
        all.removeIf(finding -> target.suppressed().contains(finding.code()));
        return new JobResult(
                ending.outcome,
                request.mpi(),
                command.arguments(),
                request.ranks(),
                ending.status,
                duration,
                output.tail(),
                failures,
                leftovers,
                all,
                output.rankFailures());
    }

    /** Some launchers drop connections while they clean up after a crash: that loses no node that still answers. */
    private boolean counts(LaunchFailure failure, Ending ending, Map<NodeName, Leftovers> leftovers) {
        return ending.outcome != JobResult.Outcome.ENDED
                || !failure.lostConnection()
                || request.nodes().stream()
                        .filter(node -> node.address().toString().equals(failure.host()))
                        .map(node -> leftovers.get(node.name()))
                        .anyMatch(left -> left != null && !left.problem().isEmpty());
    }

    private String nameOf(String host) {
        return request.nodes().stream()
                .filter(node -> node.address().toString().equals(host))
                .map(node -> node.name() + " (" + host + ")")
                .findFirst()
                .orElse(host);
    }

    private Duration elapsed() {
        return Duration.ofNanos(System.nanoTime() - started);
    }

    private record Ending(JobResult.Outcome outcome, int status) {}
}
