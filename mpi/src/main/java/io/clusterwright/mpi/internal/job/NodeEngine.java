package io.clusterwright.mpi.internal.job;

import io.clusterwright.core.Command;
import io.clusterwright.core.NodeUnreachableException;
import io.clusterwright.core.RunningCommand;
import io.clusterwright.core.plan.Finding;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.mpi.JobResult.Outcome;
import io.clusterwright.mpi.LaunchFailure;
import io.clusterwright.mpi.Leftovers;
import io.clusterwright.mpi.internal.agent.JobWatchdogs;
import io.clusterwright.mpi.internal.agent.LeftoverSweep;
import io.clusterwright.mpi.internal.agent.ProxyStarter;
import io.clusterwright.mpi.internal.agent.SessionLaunch;
import io.clusterwright.mpi.internal.agent.WatchdogScript;
import io.clusterwright.mpi.internal.finding.MpiFinding;
import io.clusterwright.mpi.internal.output.JobOutput;
import io.clusterwright.mpi.spi.LaunchCommand;
import io.clusterwright.mpi.spi.LaunchNode;
import io.clusterwright.mpi.spi.LaunchRequest;
import io.clusterwright.mpi.spi.LaunchRequest.LaunchOption;
import io.clusterwright.mpi.spi.NodeTarget;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs a job by a launcher on the first of its nodes, with helpers on all of them. */
final class NodeEngine implements Engine {
    private static final Logger LOG = LoggerFactory.getLogger(NodeEngine.class);
    private static final Duration TICK = Duration.ofMillis(100);
    private static final Duration LAUNCHER_GRACE = Duration.ofSeconds(2);
    private static final Duration CANCEL_GRACE = Duration.ofSeconds(5);
    private static final Duration RELEASE_LIMIT = Duration.ofSeconds(15);

    private final NodeTarget target;
    private final LaunchRequest request;
    private final LaunchCommand command;
    private final JobOutput output;
    private final ProxyStarter helpers;
    private final LeftoverSweep sweep;
    private @Nullable RunningCommand launcher;

    NodeEngine(NodeTarget target, LaunchRequest request, LaunchCommand command, JobOutput output) {
        this.target = target;
        this.request = request;
        this.command = command;
        this.output = output;
        this.sweep = new LeftoverSweep(target, request.folder());
        this.helpers = request.has(LaunchOption.OVER_SESSIONS)
                ? new SessionLaunch(target, request, output)
                : new JobWatchdogs(target, request, output);
    }

    @Override
    public void prepare() {
        helpers.prepare();
        try {
            launcher = hold();
        } catch (ClusterwrightException e) {
            LOG.debug("job {} has no process to run its launcher yet", token(), e);
        }
    }

    private RunningCommand hold() {
        return target.session(launchNode()).start(WatchdogScript.hold(), helpers);
    }

    @Override
    public Optional<Ending> launch() {
        LOG.debug("starting job {} on {}: {}", token(), launchNode(), command.arguments());
        helpers.ready();
        try {
            RunningCommand running = running();
            running.send(WatchdogScript.program(request.folder(), command));
            return Optional.empty();
        } catch (NodeUnreachableException e) {
            return Optional.of(launchNodeLost(e));
        }
    }

    private RunningCommand running() {
        RunningCommand held = launcher;
        if (held == null) {
            held = hold();
            launcher = held;
        }
        return held;
    }

    @Override
    public Optional<Ending> poll() {
        try {
            OptionalInt status = running().await(TICK);
            if (status.isPresent()) {
                if (status.getAsInt() != 0 && helpers.lostOne()) {
                    return Optional.of(Ending.stillRunning(Outcome.NODE_LOST));
                }
                closeLauncher();
                return Optional.of(Ending.ended(status.getAsInt()));
            }
            helpers.look();
        } catch (NodeUnreachableException e) {
            return Optional.of(launchNodeLost(e));
        }
        if (output.refused().isPresent()) {
            return Optional.of(Ending.stillRunning(Outcome.LAUNCH_FAILED)
                    .with(MpiFinding.NOT_UNDERSTOOD.of(
                            request.mpi(), output.refused().get())));
        }
        OptionalLong failure = output.firstFailureNanos();
        if (failure.isPresent() && System.nanoTime() - failure.getAsLong() > LAUNCHER_GRACE.toNanos()) {
            boolean ran = output.failures().stream().allMatch(LaunchFailure::lost);
            return Optional.of(Ending.stillRunning(ran ? Outcome.NODE_LOST : Outcome.LAUNCH_FAILED));
        }
        return Optional.empty();
    }

    /** Nothing can be ended over a connection that broke: the sweep tries over another. */
    private Ending launchNodeLost(NodeUnreachableException e) {
        LOG.debug("job {} lost its launch node", token(), e);
        closeLauncher();
        return new Ending(Outcome.LOST, null, false, MpiFinding.LAUNCH_NODE_LOST.of(launchNode(), e.getMessage()));
    }

    @Override
    public void stop(Outcome why) {
        try {
            RunningCommand held = launcher;
            if (held != null) {
                held.cancel(CANCEL_GRACE);
            }
        } catch (ClusterwrightException e) {
            LOG.debug("the launcher of job {} could not be ended in the ordinary way", token(), e);
        } finally {
            closeLauncher();
        }
    }

    @Override
    public Aftermath cleanUp(Ending ending) {
        if (!ending.good()) {
            Map<NodeName, Leftovers> ended = sweep.end();
            release();
            return aftermath(ending, ended);
        }
        return aftermath(ending, sweep.countBeside(helpers.proven()));
    }

    @Override
    public Aftermath unknown() {
        return aftermath(Ending.stillRunning(Outcome.CANCELLED), Map.of());
    }

    @Override
    public void abandon() {
        sweep.end();
        release();
    }

    /** On the first node that answers: the launch node may be the one that was lost. */
    private void release() {
        if (command.release().isEmpty()) {
            return;
        }
        for (LaunchNode node : request.nodes()) {
            try {
                target.session(node.name()).run(Command.of(command.release()).timeout(RELEASE_LIMIT));
                return;
            } catch (ClusterwrightException e) {
                LOG.debug("job {} was not released from {}", token(), node.name(), e);
            }
        }
    }

    private Aftermath aftermath(Ending ending, Map<NodeName, Leftovers> leftovers) {
        List<LaunchFailure> failures = output.failures().stream()
                .filter(failure -> counts(failure, ending, leftovers))
                .toList();
        List<Finding> findings = new ArrayList<>();
        failures.forEach(failure -> findings.add(MpiFinding.launchFailed(failure, nameOf(failure.host()))));
        if (ending.outcome() == Outcome.TIMED_OUT && MpiFinding.waitsInFinalize(request.mpi())) {
            findings.add(MpiFinding.mayWaitInFinalize());
        }
        leftovers.forEach((node, remains) -> {
            if (!remains.problem().isEmpty()) {
                findings.add(MpiFinding.NOT_SWEPT.of(node, remains.problem()));
            } else if (remains.remaining() > 0) {
                MpiFinding kind = ending.good() ? MpiFinding.LEFT_BEHIND : MpiFinding.COULD_NOT_END;
                findings.add(kind.of(remains.remaining(), node));
            }
        });
        return new Aftermath(failures, leftovers, findings);
    }

    /** Some launchers drop connections while they clean up after a crash: that loses no node that still answers. */
    private boolean counts(LaunchFailure failure, Ending ending, Map<NodeName, Leftovers> leftovers) {
        return ending.outcome() != Outcome.ENDED
                || !failure.lostConnection()
                || request.nodes().stream()
                        .filter(node -> node.address().toString().equals(failure.host()))
                        .map(node -> leftovers.get(node.name()))
                        .anyMatch(
                                remains -> remains != null && !remains.problem().isEmpty());
    }

    private String nameOf(String host) {
        return request.nodes().stream()
                .filter(node -> node.address().toString().equals(host))
                .map(node -> node.name() + " (" + host + ")")
                .findFirst()
                .orElse(host);
    }

    private NodeName launchNode() {
        return request.nodes().get(0).name();
    }

    private String token() {
        return request.folder().token();
    }

    private void closeLauncher() {
        RunningCommand held = launcher;
        launcher = null;
        if (held != null) {
            held.close();
        }
    }

    @Override
    public void close() {
        helpers.close();
        RunningCommand held = launcher;
        if (held != null) {
            held.endInput();
        }
    }
}
