package io.clusterwright.mpi.internal.engine;

import io.clusterwright.core.Command;
import io.clusterwright.core.NodeSession;
import io.clusterwright.core.internal.text.PosixShell;
import io.clusterwright.core.plan.Finding;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.core.type.InvalidValueException;
import io.clusterwright.mpi.RunningJob;
import io.clusterwright.mpi.internal.agent.NodeAgent;
import io.clusterwright.mpi.internal.agent.NodeAgents;
import io.clusterwright.mpi.internal.engine.JobDescription.LaunchPath;
import io.clusterwright.mpi.internal.explain.JobOutput;
import io.clusterwright.mpi.internal.explain.RankFiles;
import io.clusterwright.mpi.internal.launch.JobInput;
import io.clusterwright.mpi.job.JobResult;
import io.clusterwright.mpi.job.MpiInstallation;
import io.clusterwright.mpi.job.OutputLine;
import io.clusterwright.mpi.spi.JobFolder;
import io.clusterwright.mpi.spi.LaunchCommand;
import io.clusterwright.mpi.spi.LaunchRequest;
import io.clusterwright.mpi.spi.LaunchRequest.LaunchOption;
import io.clusterwright.mpi.spi.LaunchTarget;
import io.clusterwright.mpi.spi.Launcher;
import io.clusterwright.mpi.spi.NodeTarget;
import io.clusterwright.mpi.spi.ScheduledJob;
import io.clusterwright.mpi.spi.SchedulerTarget;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A job that is ready to start: its MPI was found and its request written. The rest of the steps before the launch is
 * done by {@link #start}.
 *
 * @param findings findings about the job so far
 */
public record JobStart(
        JobDescription job, LaunchTarget target, MpiChoice choice, LaunchRequest request, List<Finding> findings) {
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final Duration STAGING = Duration.ofSeconds(30);

    public static JobStart of(JobDescription job, LaunchTarget target) {
        if (!(target instanceof NodeTarget nodes)) {
            requireNoSessions(job);
            MpiChoice choice = MpiChoice.ofScheduler(job, target);
            boolean setUp =
                    job.withEnvironment && choice.installation().environment().isEmpty();
            return of(job, target, choice, setUp ? Set.of(LaunchOption.SET_UP) : Set.of());
        }
        NodeSession session = nodes.session(nodes.nodes().get(0).name());
        MpiChoice choice = MpiChoice.onNodes(job, nodes, session);
        Map<LaunchOption, Boolean> options = Map.of(
                LaunchOption.LABEL_RANKS,
                job.labelled,
                LaunchOption.SHARED_MACHINE,
                nodes.sharesOneMachine(),
                LaunchOption.AS_ROOT,
                session.user().value().equals("root"),
                LaunchOption.STDIN,
                job.input != null,
                LaunchOption.REPORT_BINDING,
                job.reportBinding,
                LaunchOption.OVER_SESSIONS,
                overSessions(job, nodes, choice));
        return of(
                job,
                target,
                choice,
                options.entrySet().stream()
                        .filter(Map.Entry::getValue)
                        .map(Map.Entry::getKey)
                        .collect(Collectors.toSet()));
    }

    private static JobStart of(JobDescription job, LaunchTarget target, MpiChoice choice, Set<LaunchOption> options) {
        requireParts(job, choice.launcher(), choice.installation());
        PresetUse preset = PresetUse.of(job, target, choice.installation());
        JobFolder folder = new JobFolder("cwjob-" + HexFormat.of().toHexDigits(RANDOM.nextLong()));
        Set<LaunchOption> all = new HashSet<>(options);
        if (preset.onInfiniBand() && !preset.environment().containsKey("UCX_NET_DEVICES")) {
            all.add(LaunchOption.INFINIBAND);
        }
        RankLayout layout = RankLayout.of(job, target, choice.installation());
        LaunchRequest request = layout.applyTo(
                        LaunchRequest.of(choice.installation(), layout.nodes(), folder, job.program))
                .environment(layout.variables(preset.environment()))
                .workingDirectory(job.workingDirectory)
                .networks(target.network().stream().toList())
                .options(all)
                .launcherArguments(preset.arguments())
                .jobArguments(job.launcherArguments);
        List<Finding> findings = new ArrayList<>(choice.findings());
        findings.addAll(preset.findings());
        findings.addAll(layout.findings());
        Integer world = job.world();
        LaunchRequest sized = world == null ? request : request.ranks(world);
        return new JobStart(job, target, choice, job.more.isEmpty() ? sized : sized.parts(job.parts()), findings);
    }

    private static void requireParts(JobDescription job, Launcher launcher, MpiInstallation mpi) {
        if (!job.more.isEmpty()) {
            job.parts();
            if (!launcher.startsParts()) {
                throw InvalidValueException.of(
                        "jobs of " + mpi + " cannot have several programs here",
                        "write one script that starts the program of each rank, or use Open MPI, MPICH, Intel MPI or srun");
            }
        }
    }

    public RunningJob start(Duration limit, Consumer<OutputLine> listener, @Nullable Path outputFolder) {
        RankFiles files = outputFolder == null ? null : new RankFiles(outputFolder);
        JobOutput output = new JobOutput(request, choice.launcher(), listener, files);
        JobSupervisor supervisor = target instanceof NodeTarget nodes
                ? onNodes(nodes, output, files)
                : atScheduler((SchedulerTarget) target, limit, output, files);
        if (files != null) {
            supervisor.toFuture().whenComplete((result, failure) -> files.close());
        }
        supervisor.start(limit, findings);
        return supervisor;
    }

    private JobSupervisor atScheduler(
            SchedulerTarget queue, Duration limit, JobOutput output, @Nullable RankFiles files) {
        ScheduledJob submitted = withFiles(queue, job).submit(request, limit);
        JobSupervisor supervisor = new JobSupervisor(
                target,
                request,
                submitted.command(),
                output,
                new SchedulerEngine(submitted, request, output),
                outcome -> files == null ? List.of() : files.finish());
        supervisor.prepare();
        return supervisor;
    }

    private JobSupervisor onNodes(NodeTarget nodes, JobOutput output, @Nullable RankFiles files) {
        JobFolder folder = request.folder();
        LaunchCommand command = choice.launcher().command(request.option(LaunchOption.REPORT_ENDS));
        JobInput input = job.input;
        Staging staging = new Staging(nodes, job.files, job.workingDirectory);
        staging.in();
        boolean redirect = input != null && !command.arguments().contains(folder.path(JobInput.FILE));
        LaunchCommand full = redirect ? JobInput.redirected(command, folder) : command;
        JobSupervisor supervisor = new JobSupervisor(
                target,
                request,
                full.arguments(),
                output,
                new NodeEngine(nodes, request, full, output),
                outcome -> afterwards(outcome, staging, files));
        supervisor.prepare();
        try {
            stage(nodes.session(request.nodes().get(0).name()), folder, command, input);
        } catch (RuntimeException | Error e) {
            supervisor.abandon();
            throw e;
        }
        return supervisor;
    }

    /** The scheduler that brings the files of a job to the nodes, where the job has any. */
    static SchedulerTarget withFiles(SchedulerTarget queue, JobDescription job) {
        if (job.files.in().isEmpty()) {
            return queue;
        }
        SchedulerTarget with = queue.staging(job.files.byPath());
        job.files.requireRegular();
        return with;
    }

    private static void requireNoSessions(JobDescription job) {
        if (job.input != null || !job.files.out().isEmpty()) {
            throw InvalidValueException.of(
                    "this scheduler cannot pass standard input to its nodes or copy files from them",
                    "read and write files on a share instead of using stdin or stageOut");
        }
        if (job.reportBinding) {
            throw InvalidValueException.of(
                    "this scheduler does not show where ranks run", "remove --report-binding (reportBinding())");
        }
        if (job.path != null) {
            throw InvalidValueException.of(
                    "launchOver has no effect here: the scheduler starts the ranks", "remove launchOver");
        }
    }

    private static boolean overSessions(JobDescription job, NodeTarget target, MpiChoice choice) {
        boolean can = choice.launcher().launchesOverSessions(choice.installation());
        if (!can && job.path == LaunchPath.SESSIONS) {
            throw InvalidValueException.of(
                    target.launcher().isPresent()
                            ? "launchOverSessions has no effect here: the target's launcher, such as srun, starts the ranks"
                            : "launchOverSessions works with MPICH, and with Open MPI in the system's folders, not with "
                                    + choice.installation(),
                    "remove launchOverSessions, or use launchOverSsh");
        }
        // Open MPI's only on request: a job whose ranks fail at once may end before all of them have said why.
        return can
                && (job.path == LaunchPath.SESSIONS
                        || job.path == null && !choice.installation().isOpenMpi());
    }

    private static List<Finding> afterwards(JobResult.Outcome outcome, Staging staging, @Nullable RankFiles files) {
        List<Finding> all = new ArrayList<>(files == null ? List.of() : files.finish());
        switch (outcome) {
            case ENDED, TIMED_OUT, NODE_LOST, HUNG -> all.addAll(staging.out(outcome == JobResult.Outcome.NODE_LOST));
            case CANCELLED, LAUNCH_FAILED, LOST -> {}
        }
        return all;
    }

    private static void stage(NodeSession session, JobFolder folder, LaunchCommand command, @Nullable JobInput input) {
        if (command.files().isEmpty() && command.programs().isEmpty() && input == null) {
            return;
        }
        try {
            makeFolder(session, folder, command);
            if (input != null) {
                input.write(session, folder.path(JobInput.FILE));
            }
        } catch (ClusterwrightException e) {
            session.run(Command.of("rm", "-rf", folder.path()));
            throw e;
        }
    }

    /** One script of a node agent makes all files: a command for each would lengthen every launch. */
    private static void makeFolder(NodeSession session, JobFolder folder, LaunchCommand command) {
        String path = PosixShell.quote(folder.path());
        StringBuilder script =
                new StringBuilder("set -e; mkdir -p " + path + "; [ -O " + path + " ]; [ ! -L " + path + " ]");
        command.files().forEach((name, content) -> script.append(written(folder.path(name), content)));
        command.programs()
                .forEach((name, content) -> script.append(written(folder.path(name), content))
                        .append("; chmod 0700 ")
                        .append(PosixShell.quote(folder.path(name))));
        NodeAgent agent = NodeAgents.of(session).take();
        List<String> complaints = new CopyOnWriteArrayList<>();
        try {
            agent.shell(folder, script.toString(), complaints::add);
            OptionalInt status = agent.status(STAGING);
            if (!status.equals(OptionalInt.of(0))) {
                throw new ClusterwrightException(
                        "cannot create the folder of the job, " + folder.path() + " on " + session.node()
                                + (status.isEmpty()
                                        ? " within " + STAGING.toSeconds() + " s"
                                        : ": " + String.join("; ", complaints)));
            }
        } finally {
            agent.giveBack();
        }
    }

    /** The file gets mode 0600: the agent's umask lets no other user in. */
    private static String written(String path, String content) {
        return "; printf %s " + PosixShell.quote(content) + " > " + PosixShell.quote(path);
    }
}
