package io.clusterwright.mpi.internal.slurm;

import io.clusterwright.core.Command;
import io.clusterwright.core.CommandResult;
import io.clusterwright.core.NodeSession;
import io.clusterwright.core.RunningCommand;
import io.clusterwright.core.RunningCommand.OutputListener;
import io.clusterwright.core.internal.text.PosixShell;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.core.type.InvalidValueException;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.mpi.internal.agent.LeftoverSweep;
import io.clusterwright.mpi.job.Leftovers;
import io.clusterwright.mpi.job.QueuedJobStatus;
import io.clusterwright.mpi.spi.JobFolder;
import io.clusterwright.mpi.spi.LaunchRequest;
import io.clusterwright.mpi.spi.Launcher;
import io.clusterwright.mpi.spi.ScheduledJob;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A job in Slurm's queue, reached by Slurm's programs on the first node. */
final class SlurmJob implements ScheduledJob {
    private static final Duration SUBMIT = Duration.ofMinutes(1);
    private static final Duration ASK = Duration.ofSeconds(30);
    /** A limit beyond Slurm's reach is none. */
    private static final Duration LONGEST = Duration.ofDays(364);

    private static final Pattern SUBMITTED = Pattern.compile("(\\d+)(?:;\\S+)?");
    private static final Pattern ID = Pattern.compile("[1-9]\\d{0,9}");
    private static final String TOKEN = "cwjob-[0-9a-f]{16}";

    /** The most that one command reads of the output, so that each ends soon. */
    private static final int PIECE = 4 * 1024 * 1024;
    /** The file may come after the start of its job, and Slurm begins it anew when it runs the job again. */
    private static final String READ =
            "[ -e \"$1\" ] || exit 0; size=$(stat -L -c %s -- \"$1\") || exit 1;" + " [ \"$size\" -ge \"$2\" ] || exit "
                    + SlurmJob.SHORTER + "; tail -c \"+$(($2 + 1))\" -- \"$1\" | head -c \"$3\"";

    private static final int SHORTER = 3;

    private final SlurmNodes target;
    private final String id;
    private final List<String> command;
    /** The bytes of the output that {@link #poll} has handed on. */
    private final AtomicLong read = new AtomicLong();

    private SlurmJob(SlurmNodes target, String id, List<String> command) {
        this.target = target;
        this.id = id;
        this.command = List.copyOf(command);
    }

    @Override
    public String id() {
        return id;
    }

    @Override
    public List<String> command() {
        return command;
    }

    static SlurmJob submit(SlurmNodes target, LaunchRequest request, Duration limit) {
        SlurmNodes limited = target.hasTimeLimit() || limit.compareTo(LONGEST) >= 0 ? target : target.timeLimit(limit);
        SlurmScript script = SlurmScript.of(request, limited);
        List<String> argv = new ArrayList<>(List.of("sbatch"));
        argv.addAll(script.options());
        NodeSession session = firstSession(target);
        SlurmPmi.require(session, request, target.plugin(request.mpi()));
        CommandResult result = session.run(Command.of(argv).input(script.text()).timeout(SUBMIT))
                .orThrow();
        Matcher id = SUBMITTED.matcher(result.stdout().strip());
        if (!id.matches()) {
            throw new ClusterwrightException(
                    "sbatch printed \"" + result.stdout().strip() + "\", expected a job id");
        }
        return new SlurmJob(target, id.group(1), argv);
    }

    static SlurmJob find(SlurmNodes target, String id) {
        if (!ID.matcher(id).matches()) {
            throw new InvalidValueException("Slurm job id", id, "a positive number", "4711");
        }
        return new SlurmJob(target, id, List.of());
    }

    private static NodeSession firstSession(SlurmNodes target) {
        return target.session(target.nodes().get(0).name());
    }

    @Override
    public String name() {
        return "Slurm job " + id;
    }

    @Override
    public QueuedJobStatus status() {
        return record().status();
    }

    @Override
    public OptionalInt ranks() {
        return record().ranks();
    }

    @Override
    public Duration runTime() {
        return record().runTime();
    }

    @Override
    public Optional<Launcher> launcher() {
        return target.launcher();
    }

    /** One piece while the job runs, which may write faster than it is read; all that remains when its end is known. */
    @Override
    public QueuedJobStatus poll(OutputListener output) {
        SlurmJobRecord now = record();
        if (!now.batchHost().isEmpty() && !now.outputFile().isEmpty()) {
            boolean more = true;
            while (more) {
                more = readPiece(now, output) && now.status().ended();
            }
        }
        return now.status();
    }

    /** Whether there may be more. */
    private boolean readPiece(SlurmJobRecord now, OutputListener output) {
        long before = read.get();
        StringBuffer complaint = new StringBuffer();
        Command piece = Command.of(
                        "sh", "-c", READ, "sh", now.outputFile(), Long.toString(before), Integer.toString(PIECE))
                .timeout(ASK);
        int status;
        try (RunningCommand running = batchSession(now).start(piece, (stream, bytes, length) -> {
            if (stream == OutputListener.Stream.STDOUT) {
                output.onOutput(stream, bytes, length);
                read.addAndGet(length);
            } else {
                complaint.append(new String(bytes, 0, length, StandardCharsets.UTF_8));
            }
        })) {
            status = running.await(ASK.plus(ASK)).orElse(1);
        }
        if (status == SHORTER) {
            read.set(0);
            return true;
        }
        if (status != 0 || complaint.length() > 0) {
            throw new ClusterwrightException(
                    "the output of job " + id + ", " + now.outputFile() + " on " + now.batchHost()
                            + ", could not be read: " + complaint.toString().strip());
        }
        return read.get() - before >= PIECE;
    }

    /** From the controller, or from accounting where the controller has forgotten it (by default 300 s after the end). */
    private SlurmJobRecord record() {
        CommandResult shown = run("scontrol", "show", "job", id);
        if (shown.exitStatus() == 0) {
            return SlurmJobRecord.ofControl(shown.stdout())
                    .orElseThrow(() -> new ClusterwrightException("scontrol printed for job " + id + ": "
                            + shown.stdout().strip()));
        }
        if (!shown.stderr().contains("Invalid job id")) {
            shown.orThrow();
        }
        CommandResult accounted = run(
                "sacct",
                "--noheader",
                "--parsable2",
                "--allocations",
                "--jobs=" + id,
                "--format=State,ExitCode,JobName");
        return SlurmJobRecord.ofAccounting(accounted.stdout()).orElse(SlurmJobRecord.FORGOTTEN);
    }

    /** Ends the processes on every node at once too, instead of after Slurm's {@code KillWait}; processes of foreign jobs are left to Slurm. */
    @Override
    public Map<NodeName, Leftovers> cancel(String reason) {
        String name = record().name();
        run("scancel", "--quiet", id);
        return name.matches(TOKEN) ? new LeftoverSweep(target, new JobFolder(name)).end() : Map.of();
    }

    @Override
    public String output() {
        SlurmJobRecord now = started();
        return batchSession(now)
                .run(Command.of("cat", "--", now.outputFile()).timeout(ASK))
                .orThrow()
                .stdout();
    }

    @Override
    public void writeOutput(OutputStream out) throws IOException {
        SlurmJobRecord now = started();
        SlurmJob anew = new SlurmJob(target, id, command);
        AtomicReference<@Nullable IOException> refusal = new AtomicReference<>();
        boolean more = true;
        while (more) {
            more = anew.readPiece(now, (stream, bytes, length) -> {
                try {
                    out.write(bytes, 0, length);
                } catch (IOException e) {
                    refusal.compareAndSet(null, e);
                }
            });
            IOException refused = refusal.get();
            if (refused != null) {
                throw refused;
            }
        }
    }

    @Override
    public void downloadOutput(Path local) {
        SlurmJobRecord now = started();
        batchSession(now).download(now.outputFile(), local);
    }

    private SlurmJobRecord started() {
        SlurmJobRecord now = record();
        if (now.batchHost().isEmpty() || now.outputFile().isEmpty()) {
            throw new ClusterwrightException("job " + id + " has no output yet: its state is "
                    + now.status().word() + "; wait until it runs");
        }
        return now;
    }

    private NodeSession batchSession(SlurmJobRecord now) {
        return target.session(NodeName.of(now.batchHost()));
    }

    private CommandResult run(String... argv) {
        return firstSession(target).run(Command.of(List.of(argv)).timeout(ASK));
    }

    /**
     * The input of {@code sbatch}: a script on its standard input, and options as words of its command line, where nothing
     * has to be quoted for {@code #SBATCH} lines. The variables stand in the script, not on a command line that others can read.
     *
     * @param options the words after {@code sbatch}
     * @param text the script
     */
    record SlurmScript(List<String> options, String text) {

        static SlurmScript of(LaunchRequest request, SlurmNodes target) {
            JobFolder folder = request.folder();
            Map<String, String> environment = new LinkedHashMap<>(request.environment());
            environment.put(JobFolder.VARIABLE, folder.token());
            List<String> step = new ArrayList<>(List.of("srun"));
            step.addAll(new SlurmLauncher(target).step(request, environment));
            step.addAll(SlurmLauncher.cores(request));
            step.addAll(request.rankProgram());
            String text = "#!/bin/sh\n" + SlurmPmi.exports(environment) + "exec " + PosixShell.quote(step) + "\n";

            List<String> options = new ArrayList<>(List.of("--parsable", "--job-name=" + folder.token()));
            options.addAll(target.words());
            options.addAll(SlurmLauncher.placement(request));
            options.addAll(target.outputOption());
            return new SlurmScript(List.copyOf(options), text);
        }
    }
}
