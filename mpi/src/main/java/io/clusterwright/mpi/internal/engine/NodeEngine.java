package io.clusterwright.mpi.internal.engine;

import io.clusterwright.core.Command;
import io.clusterwright.core.CommandResult;
import io.clusterwright.core.NodeUnreachableException;
import io.clusterwright.core.internal.concurrent.Deadline;
import io.clusterwright.core.internal.concurrent.WaitTime;
import io.clusterwright.core.internal.text.PrintableText;
import io.clusterwright.core.plan.Finding;
import io.clusterwright.core.spec.MpiFlavour;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.mpi.internal.agent.FinalizeWatch;
import io.clusterwright.mpi.internal.agent.JobWatchdogs;
import io.clusterwright.mpi.internal.agent.LaunchHelpers;
import io.clusterwright.mpi.internal.agent.LeftoverSweep;
import io.clusterwright.mpi.internal.agent.NodeAgent;
import io.clusterwright.mpi.internal.agent.NodeAgents;
import io.clusterwright.mpi.internal.agent.SessionHelpers;
import io.clusterwright.mpi.internal.explain.JobOutput;
import io.clusterwright.mpi.internal.finding.MpiFinding;
import io.clusterwright.mpi.job.JobResult.Outcome;
import io.clusterwright.mpi.job.LaunchFailure;
import io.clusterwright.mpi.job.Leftovers;
import io.clusterwright.mpi.job.RankFailure;
import io.clusterwright.mpi.spi.LaunchCommand;
import io.clusterwright.mpi.spi.LaunchNode;
import io.clusterwright.mpi.spi.LaunchRequest;
import io.clusterwright.mpi.spi.LaunchRequest.LaunchOption;
import io.clusterwright.mpi.spi.NodeTarget;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs a job by a launcher on the first of its nodes, with helpers on all of them. */
final class NodeEngine implements Engine {
    private static final Logger LOG = LoggerFactory.getLogger(NodeEngine.class);
    private static final Duration TICK = Duration.ofMillis(100);
    private static final Duration LAUNCHER_GRACE = Duration.ofSeconds(2);
    /** Open MPI ends all ranks after the first that failed and takes 4 s then; ended meanwhile, mpirun of Open MPI 4 crashes. */
    private static final Duration MPIRUN_GRACE = Duration.ofSeconds(10);
    /** The time without output that a launcher may take to end after all of its ranks did. */
    private static final Duration QUIET = Duration.ofSeconds(10);

    private static final Duration REPORTS = Duration.ofMillis(500);
    private static final Duration SLICE = Duration.ofMillis(10);
    private static final Duration FIRST_LOOK = Duration.ofSeconds(20);
    private static final int SIGNALLED = 128;
    /** Prints why no file of 64 KiB can be written to a folder. */
    private static final String TRY_FOLDER =
            "export LC_ALL=C; { mkdir -p \"$1\" && head -c 65536 /dev/zero > \"$1/room\"; } 2>&1"
                    + "; rm -f \"$1/room\"; rmdir \"$1\" 2> /dev/null";

    private static final Leftovers NOTHING = new Leftovers(0, 0, "");
    private static final Duration LOOK = Duration.ofSeconds(5);
    private static final Duration CANCEL_GRACE = Duration.ofSeconds(5);
    private static final Duration RELEASE_LIMIT = Duration.ofSeconds(18);

    private final NodeTarget target;
    private final LaunchRequest request;
    private final LaunchCommand command;
    private final JobOutput output;
    private final LaunchHelpers helpers;
    private final LeftoverSweep sweep;
    private final @Nullable FinalizeWatch finalizeWatch;
    private @Nullable NodeAgent launcher;
    private long lookedNanos = WaitTime.RUNNING.nanos();

    NodeEngine(NodeTarget target, LaunchRequest request, LaunchCommand command, JobOutput output) {
        this.target = target;
        this.request = request;
        this.command = command;
        this.output = output;
        this.sweep = new LeftoverSweep(target, request.folder());
        this.finalizeWatch = MpiFinding.waitsInFinalize(request.mpi()) ? new FinalizeWatch(target, request) : null;
        this.helpers = request.has(LaunchOption.OVER_SESSIONS)
                ? new SessionHelpers(target, request, output)
                : new JobWatchdogs(target, request, output);
    }

    @Override
    public void prepare() {
        helpers.prepare();
        try {
            launcher = take();
        } catch (ClusterwrightException e) {
            LOG.debug("job {} has no agent to run its launcher yet", token(), e);
        }
    }

    private NodeAgent take() {
        return NodeAgents.take(target, launchNode());
    }

    @Override
    public Optional<Ending> launch() {
        LOG.debug("starting job {} on {}: {}", token(), launchNode(), command.arguments());
        helpers.ready();
        try {
            NodeAgent agent = launcher;
            if (agent == null) {
                agent = take();
                launcher = agent;
            }
            agent.launch(request.folder(), command, helpers);
            return Optional.empty();
        } catch (NodeUnreachableException e) {
            return Optional.of(launchNodeLost(e));
        }
    }

    @Override
    public Optional<Ending> poll() {
        try {
            NodeAgent agent = Objects.requireNonNull(launcher);
            OptionalInt status = agent.status(TICK);
            if (status.isPresent()) {
                return Optional.of(ended(status.getAsInt()));
            }
            if (agent.isBroken()) {
                requireLaunchNode(agent.brokenNanos().orElseThrow());
                return Optional.empty();
            }
            helpers.checkNodes();
        } catch (NodeUnreachableException e) {
            return Optional.of(launchNodeLost(e));
        }
        if (output.refused().isPresent()) {
            return Optional.of(Ending.stillRunning(Outcome.LAUNCH_FAILED)
                    .with(MpiFinding.NOT_UNDERSTOOD.of(
                            request.mpi(), output.refused().get())));
        }
        return overdue();
    }

    /**
     * A broken connection is opened again for some minutes, as long as it is this machine's. It is the launch node that is lost where other nodes
     * do not reach it either.
     */
    private void requireLaunchNode(long brokenNanos) {
        long now = WaitTime.RUNNING.nanos();
        if (since(Math.max(brokenNanos, lookedNanos)).compareTo(FIRST_LOOK) > 0) {
            lookedNanos = now;
            if (helpers.seeNoServer()) {
                throw new NodeUnreachableException(
                        launchNode(), "its connection broke, and the other nodes of the job do not reach it either");
            }
        }
    }

    /** What a launcher that still runs has outlived: a rank that failed, a node that was lost, or the last of its ranks. */
    private Optional<Ending> overdue() {
        OptionalLong rank = output.rankFailedNanos();
        OptionalLong node = output.firstFailureNanos();
        if (rank.isPresent() && (node.isEmpty() || rank.getAsLong() < node.getAsLong())) {
            boolean endsItself = request.mpi().isOpenMpi() && target.launcher().isEmpty();
            Duration grace = endsItself ? MPIRUN_GRACE : LAUNCHER_GRACE;
            return since(rank.getAsLong()).compareTo(grace) > 0
                    ? Optional.of(new Ending(Outcome.ENDED, failedStatus().orElse(1), true, null))
                    : Optional.empty();
        }
        if (node.isPresent()) {
            boolean ran = output.failures().stream().allMatch(LaunchFailure::lost);
            return since(node.getAsLong()).compareTo(LAUNCHER_GRACE) > 0
                    ? Optional.of(Ending.stillRunning(ran ? Outcome.NODE_LOST : Outcome.LAUNCH_FAILED))
                    : Optional.empty();
        }
        FinalizeWatch watch = finalizeWatch;
        if (watch != null && watch.stuck(output.lastNanos(), output.rankEnds().known())) {
            return Optional.of(Ending.stillRunning(Outcome.HUNG).with(MpiFinding.HANGS_IN_FINALIZE.of(request.mpi())));
        }
        OptionalLong all = output.rankEnds().allSucceededNanos();
        if (all.isPresent()
                && since(Math.max(all.getAsLong(), output.lastNanos())).compareTo(QUIET) > 0) {
            return Optional.of(
                    new Ending(Outcome.ENDED, 0, true, MpiFinding.LAUNCHER_DID_NOT_END.of(QUIET.toSeconds())));
        }
        return Optional.empty();
    }

    private static Duration since(long nanos) {
        return Duration.ofNanos(WaitTime.RUNNING.nanos() - nanos);
    }

    /** A launcher's own status may be another than its ranks': the status of the rank that failed first counts where it is known. */
    private Ending ended(int status) {
        if (status != 0) {
            awaitRanks();
            if (helpers.lostNode()) {
                return Ending.stillRunning(Outcome.NODE_LOST);
            }
            if (output.failures().stream().anyMatch(LaunchFailure::endedEarly)) {
                return new Ending(Outcome.LAUNCH_FAILED, null, false, null);
            }
        }
        OptionalInt failed = status != 0 || output.rankFailedNanos().isPresent() ? failedStatus() : OptionalInt.empty();
        boolean hydra =
                request.mpi().flavour() == MpiFlavour.MPICH && target.launcher().isEmpty();
        if (failed.isEmpty()
                && status != 0
                && hydra
                && output.rankEnds().allSucceededNanos().isPresent()
                && output.rankFailures().isEmpty()) {
            return Ending.ended(0).with(MpiFinding.LAUNCHER_FAILED_LATER.of(status));
        }
        return Ending.ended(failed.orElse(status));
    }

    /** The reports of ranks take other ways than the end of the launcher, and may come later. */
    private void awaitRanks() {
        Deadline deadline = Deadline.in("reports of ranks", REPORTS);
        while (output.rankFailedNanos().isEmpty() && !output.rankEnds().all() && !deadline.passed()) {
            LockSupport.parkNanos(deadline.remaining(SLICE).toNanos());
        }
    }

    private OptionalInt failedStatus() {
        RankFailure first = output.rankFailures().stream()
                .filter(RankFailure::first)
                .findFirst()
                .orElse(null);
        if (first == null || !output.rankReported()) {
            return OptionalInt.empty();
        }
        if (first.signal().isPresent()) {
            return OptionalInt.of(SIGNALLED + first.signal().getAsInt());
        }
        return first.exitStatus().isPresent() ? first.exitStatus() : output.abortStatus();
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
            NodeAgent agent = launcher;
            if (agent != null) {
                agent.cancel(CANCEL_GRACE);
            }
        } catch (ClusterwrightException e) {
            LOG.debug("the launcher of job {} could not be ended in the ordinary way", token(), e);
        } finally {
            closeLauncher();
        }
    }

    @Override
    public Aftermath cleanUp(Ending ending) {
        if (!ending.good() || ending.running()) {
            Map<NodeName, Leftovers> ended = sweep.end();
            Optional<Finding> held = release();
            Aftermath aftermath = aftermath(ending, ended);
            held.ifPresent(aftermath.findings()::add);
            return aftermath;
        }
        return aftermath(ending, sweep.countBeside(leftovers()));
    }

    private Map<NodeName, Leftovers> leftovers() {
        Map<NodeName, Leftovers> known = new LinkedHashMap<>(helpers.leftovers());
        NodeAgent agent = launcher;
        if (agent != null && !known.containsKey(launchNode())) {
            agent.countAfterLaunch(request.folder());
            agent.leftovers(LOOK).ifPresent(answer -> known.put(launchNode(), answer));
        }
        Leftovers left = known.get(launchNode());
        if (left != null && left.remaining() > 0) {
            // What the job left may write into the agent's output.
            closeLauncher();
        }
        return known;
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

    /** On the first node that answers: the launch node may be the one that was lost. A finding when nothing is known to be released. */
    private Optional<Finding> release() {
        if (command.release().isEmpty()) {
            return Optional.empty();
        }
        Deadline deadline = Deadline.in("release of the job", RELEASE_LIMIT);
        String why = "";
        for (LaunchNode node : request.nodes()) {
            if (deadline.passed()) {
                break;
            }
            try {
                CommandResult released = target.session(node.name())
                        .run(Command.of(command.release()).input(token() + "\n").timeout(deadline.remaining()));
                if (released.succeeded()) {
                    return Optional.empty();
                }
                why = released.stderr().isBlank()
                        ? "the release ended with exit status " + released.exitStatus()
                        : PrintableText.output(released.stderr());
                break;
            } catch (ClusterwrightException e) {
                LOG.debug("job {} was not released from {}", token(), node.name(), e);
                why = String.valueOf(e.getMessage());
            }
        }
        return Optional.of(MpiFinding.notReleased(token(), why));
    }

    private Aftermath aftermath(Ending ending, Map<NodeName, Leftovers> leftovers) {
        List<LaunchFailure> failures = output.failures().stream()
                .filter(failure -> counts(failure, ending, leftovers))
                .map(this::withReason)
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
        boolean wanted = ending.good() || ending.outcome() == Outcome.CANCELLED;
        return new Aftermath(failures, leftovers, findings, wanted ? List.of() : lost(failures, leftovers));
    }

    /** A daemon of Open MPI that can make no folder on its node ends, and the daemon of Open MPI 5 prints nothing. */
    private LaunchFailure withReason(LaunchFailure failure) {
        if (!failure.endedEarly() || !failure.reason().isEmpty()) {
            return failure;
        }
        try {
            LaunchNode node = request.nodes().stream()
                    .filter(each -> each.address().toString().equals(failure.host()))
                    .findFirst()
                    .orElseThrow();
            CommandResult tried = target.session(node.name())
                    .run(Command.of(
                                    "/bin/sh",
                                    "-c",
                                    TRY_FOLDER,
                                    "sh",
                                    request.folder().path())
                            .timeout(LOOK));
            return failure.because(PrintableText.output(tried.stdout()).replaceAll("\\s*\\R\\s*", "; "));
        } catch (ClusterwrightException | NoSuchElementException e) {
            LOG.debug("job {} does not learn why its helper ended on {}", token(), failure.host(), e);
            return failure;
        }
    }

    /** The nodes whose connection broke, or that did not answer in the end. */
    private List<NodeName> lost(List<LaunchFailure> failures, Map<NodeName, Leftovers> leftovers) {
        return request.nodes().stream()
                .filter(node -> failures.stream()
                                .anyMatch(failure -> failure.lost()
                                        && node.address().toString().equals(failure.host()))
                        || !leftovers
                                .getOrDefault(node.name(), NOTHING)
                                .problem()
                                .isEmpty())
                .map(LaunchNode::name)
                .toList();
    }

    /**
     * Some launchers drop connections while they clean up after a crash, and a lost launch node takes the connections of its helpers with it: that loses
     * no node that still answers.
     */
    private boolean counts(LaunchFailure failure, Ending ending, Map<NodeName, Leftovers> leftovers) {
        return ending.outcome() != Outcome.ENDED && ending.outcome() != Outcome.LOST
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

    /** An agent of which a launcher may still run serves no other job. */
    private void closeLauncher() {
        NodeAgent agent = launcher;
        launcher = null;
        if (agent != null) {
            agent.dismiss();
        }
    }

    @Override
    public void close() {
        helpers.close();
        NodeAgent agent = launcher;
        launcher = null;
        if (agent != null) {
            agent.giveBack();
        }
    }
}
