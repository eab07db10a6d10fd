package io.clusterwright.mpi;

import io.clusterwright.core.Command;
import io.clusterwright.core.NodeSession;
import io.clusterwright.core.internal.text.PosixShell;
import io.clusterwright.core.plan.Finding;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.mpi.spi.LaunchCommand;
import io.clusterwright.mpi.spi.LaunchNode;
import io.clusterwright.mpi.spi.LaunchOption;
import io.clusterwright.mpi.spi.LaunchRequest;
import io.clusterwright.mpi.spi.Launcher;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The steps before a launch: find the MPI, write the command, stage its files. */
final class JobStart {
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final Pattern NO_LABEL = Pattern.compile("(?!)");

    private static final Duration STAGING = Duration.ofSeconds(30);
    /** What files get without being asked for, since the attendant lets nobody else in. */
    private static final int PLAIN = 0600;

    private final MpiJob job;
    private final JobTarget target;
    private final OutputLineListener listener;
    private final @Nullable Path outputFolder;
    private final Launcher launcher;
    private final LaunchRequest request;
    private final List<Finding> findings;

    private JobStart(
            MpiJob job,
            JobTarget target,
            OutputLineListener listener,
            @Nullable Path outputFolder,
            Launcher launcher,
            LaunchRequest request,
            List<Finding> findings) {
        this.job = job;
        this.target = target;
        this.listener = listener;
        this.outputFolder = outputFolder;
        this.launcher = launcher;
        this.request = request;
        this.findings = findings;
    }

    static JobStart of(MpiJob job, JobTarget target, OutputLineListener listener, @Nullable Path outputFolder) {
        Iterable<Launcher> launchers = ServiceLoader.load(Launcher.class, Launcher.class.getClassLoader());
        RemoteScheduler scheduler = target.scheduler().orElse(null);
        if (scheduler != null) {
            RemoteStart.requireCarried(job);
            MpiChoice choice = MpiChoice.make(job, target, scheduler, launchers);
            return of(job, target, listener, outputFolder, choice, EnumSet.noneOf(LaunchOption.class));
        }
        NodeSession session = target.session(target.nodes().get(0).name());
        MpiChoice choice = MpiChoice.make(job, target, session, launchers);
        return of(job, target, listener, outputFolder, choice, options(job, target, session, choice));
    }

    private static Set<LaunchOption> options(MpiJob job, JobTarget target, NodeSession session, MpiChoice choice) {
        Set<LaunchOption> options = EnumSet.noneOf(LaunchOption.class);
        if (job.labelled()) {
            options.add(LaunchOption.LABEL_RANKS);
        }
        if (target.sharesOneMachine()) {
            options.add(LaunchOption.SHARED_MACHINE);
        }
        if (overSessions(job, target, choice)) {
            options.add(LaunchOption.OVER_SESSIONS);
        }
        if (session.user().value().equals("root")) {
            options.add(LaunchOption.AS_ROOT);
        }
        if (job.input() != null) {
            options.add(LaunchOption.STDIN);
        }
        return options;
    }

    private static JobStart of(
            MpiJob job,
            JobTarget target,
            OutputLineListener listener,
            @Nullable Path outputFolder,
            MpiChoice choice,
            Set<LaunchOption> options) {
        List<LaunchNode> nodes = place(job, target.nodes());
        PresetUse preset = PresetUse.of(job, target, choice.installation());
        LaunchRequest request = new LaunchRequest(
                choice.installation(),
                nodes,
                job.ranks().orElse(nodes.stream().mapToInt(LaunchNode::slots).sum()),
                job.program(),
                preset.environment(),
                job.workingDirectory(),
                target.network().stream().toList(),
                options,
                preset.arguments(),
                new JobFolder("cwjob-" + HexFormat.of().toHexDigits(RANDOM.nextLong())),
                job.binding());
        List<Finding> findings = new ArrayList<>(choice.findings());
        findings.addAll(preset.findings());
        return new JobStart(job, target, listener, outputFolder, choice.launcher(), request, findings);
    }

    LaunchRequest request() {
        return request;
    }

    RunningJob start(Duration limit) {
        RemoteScheduler scheduler = target.scheduler().orElse(null);
        if (scheduler != null) {
            RankFiles files = outputFolder == null ? null : new RankFiles(outputFolder, listener);
            JobOutput output = new JobOutput(
                    request.folder(), launcher, NO_LABEL, files == null ? listener : files, request.nodes());
            return new RemoteStart(target, scheduler, request, launcher.command(request), output, findings)
                    .start(limit, files);
        }
        JobFolder folder = request.folder();
        LaunchCommand command = launcher.command(request);
        JobInput input = job.input();
        Staging staging = new Staging(target, job);
        RankFiles files = outputFolder == null ? null : new RankFiles(outputFolder, listener);
        staging.in();
        boolean redirect = input != null && !command.arguments().contains(folder.path(JobInput.FILE));
        Pattern label = request.has(LaunchOption.LABEL_RANKS)
                ? launcher.rankLabel(folder).orElse(NO_LABEL)
                : NO_LABEL;
        JobOutput output = new JobOutput(folder, launcher, label, files == null ? listener : files, request.nodes());
        JobSupervisor supervisor = new JobSupervisor(
                target,
                request,
                redirect ? JobInput.redirected(command, folder) : command,
                output,
                findings,
                outcome -> afterwards(outcome, staging, files));
        if (files != null) {
            supervisor.result().whenComplete((result, failure) -> files.close());
        }
        supervisor.prepare();
        try {
            stage(target.session(request.nodes().get(0).name()), folder, command.files(), input);
        } catch (RuntimeException | Error e) {
            supervisor.abandon();
            throw e;
        }
        supervisor.start(limit);
        return new RunningJob(supervisor);
    }

    private static boolean overSessions(MpiJob job, JobTarget target, MpiChoice choice) {
        boolean can = choice.launcher().launchesOverSessions(choice.installation());
        if (!can && job.wantedPath() == LaunchPath.SESSIONS) {
            throw new IllegalArgumentException(
                    target.launcher().isPresent()
                            ? "the target has a launcher of its own, such as srun, that starts the ranks itself: leave launchOver out"
                            : choice.installation()
                                    + " starts its helpers itself: LaunchPath.SESSIONS is for MPICH; leave launchOver out, or use LaunchPath.SSH");
        }
        return can && job.wantedPath() != LaunchPath.SSH;
    }

    private static List<Finding> afterwards(JobResult.Outcome outcome, Staging staging, @Nullable RankFiles files) {
        List<Finding> all = new ArrayList<>(files == null ? List.of() : files.finish());
        switch (outcome) {
            case ENDED, TIMED_OUT, NODE_LOST -> all.addAll(staging.out());
            case CANCELLED, LAUNCH_FAILED, LOST -> {}
        }
        return all;
    }

    private static void stage(
            NodeSession session, JobFolder folder, List<LaunchCommand.StagedFile> files, @Nullable JobInput input) {
        if (files.isEmpty() && input == null) {
            return;
        }
        try {
            makeFolder(session, folder, files);
            if (input != null) {
                input.stage(session, folder);
            }
        } catch (ClusterwrightException e) {
            session.run(Command.of("rm", "-rf", folder.path()));
            throw e;
        }
    }

    /** By an attendant, all at once: each command of its own would lengthen every launch. */
    private static void makeFolder(NodeSession session, JobFolder folder, List<LaunchCommand.StagedFile> files) {
        StringBuilder script = new StringBuilder("set -e; mkdir " + PosixShell.quote(folder.path()));
        for (LaunchCommand.StagedFile file : files) {
            String path = PosixShell.quote(folder.path(file.name()));
            script.append("; printf %s ")
                    .append(PosixShell.quote(file.content()))
                    .append(" > ")
                    .append(path);
            if (file.mode() != PLAIN) {
                script.append(String.format(Locale.ROOT, "; chmod %04o ", file.mode()))
                        .append(path);
            }
        }
        NodeAgents attendants = NodeAgents.of(session);
        NodeAgent attendant = attendants.take();
        List<String> complaints = new CopyOnWriteArrayList<>();
        try {
            attendant.shell(folder, script.toString(), complaints::add);
            OptionalInt status = attendant.status(STAGING);
            if (!status.equals(OptionalInt.of(0))) {
                throw new ClusterwrightException("the folder of the job, " + folder.path() + " on " + session.node()
                        + ", could not be made"
                        + (status.isEmpty()
                                ? " within " + STAGING.toSeconds() + " s"
                                : ": " + String.join("; ", complaints)));
            }
        } finally {
            attendants.giveBack(attendant);
        }
    }

    /** Gives every node the slots it needs: what was asked for per node, or at least enough for all ranks. */
    static List<LaunchNode> place(MpiJob job, List<LaunchNode> nodes) {
        OptionalInt perNode = job.ranksPerNode();
        int needed = job.ranks().isPresent() ? ceil(job.ranks().getAsInt(), nodes.size()) : 1;
        boolean enough =
                nodes.stream().mapToInt(LaunchNode::slots).sum() >= job.ranks().orElse(1);
        return nodes.stream()
                .map(node -> perNode.isPresent()
                        ? node.withSlots(perNode.getAsInt())
                        : enough ? node : node.withSlots(Math.max(needed, node.slots())))
                .toList();
    }

    private static int ceil(int ranks, int nodes) {
        return (ranks + nodes - 1) / nodes;
    }
}
