package io.clusterwright.mpi.internal.slurm;

import io.clusterwright.core.Command;
import io.clusterwright.core.CommandResult;
import io.clusterwright.core.NodeSession;
import io.clusterwright.core.RunningCommand;
import io.clusterwright.core.RunningCommand.OutputListener;
import io.clusterwright.core.internal.file.PrivateFiles;
import io.clusterwright.core.internal.text.PosixShell;
import io.clusterwright.core.internal.text.PrintableText;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.core.type.InvalidValueException;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.mpi.internal.agent.LeftoverSweep;
import io.clusterwright.mpi.job.Leftovers;
import io.clusterwright.mpi.job.QueuedJobStatus;
import io.clusterwright.mpi.spi.JobFolder;
import io.clusterwright.mpi.spi.LaunchRequest;
import io.clusterwright.mpi.spi.LaunchRequest.LaunchOption;
import io.clusterwright.mpi.spi.Launcher;
import io.clusterwright.mpi.spi.ScheduledJob;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A job in Slurm's queue, reached by Slurm's programs on the first node. */
final class SlurmJob implements ScheduledJob {
    private static final Duration SUBMIT = Duration.ofMinutes(1);
    private static final Duration ASK = Duration.ofSeconds(30);
    /** A limit beyond Slurm's reach is none. */
    private static final Duration LONGEST = Duration.ofDays(364);

    private static final Pattern SUBMITTED = Pattern.compile("(\\d+)(?:;\\S+)?");
    private static final Pattern ID = Pattern.compile("[1-9]\\d{0,9}(_\\d{1,9})?");
    private static final String TOKEN = "cwjob-[0-9a-f]{16}";

    /** The most that one command reads of the output, so that each ends soon. */
    private static final int PIECE = 4 * 1024 * 1024;

    private static final int LONGEST_COMPLAINT = 4096;
    /** The file may come after the start of its job, and Slurm begins it anew when it runs the job again. */
    private static final String READ =
            "[ -e \"$1\" ] || exit 0; size=$(stat -L -c %s -- \"$1\") || exit 1;" + " [ \"$size\" -ge \"$2\" ] || exit "
                    + SlurmJob.SHORTER + "; tail -c \"+$(($2 + 1))\" -- \"$1\" | head -c \"$3\"";

    private static final int SHORTER = 3;
    /** In bytes: the text that a caller gets at once. */
    private static final int LONGEST_TEXT = 16 * 1024 * 1024;

    private final SlurmNodes target;
    private final String id;
    private final List<String> command;
    /** The bytes of the output that {@link #poll} has handed on. */
    private final AtomicLong read = new AtomicLong();
    /** Of an array: the tasks whose output {@link #poll} has begun to hand on. */
    private final Map<String, SlurmJob> tasks = new HashMap<>();
    /** The tasks of an array that ended: Slurm forgets each by default 300 s after its own end. */
    private final Map<String, SlurmJobRecord> ended = new HashMap<>();

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
        SlurmRefusal.require(session, request, target);
        CommandResult result = session.run(Command.of(argv).input(script.text()).timeout(SUBMIT))
                .orThrow();
        Matcher id = SUBMITTED.matcher(result.stdout().strip());
        if (!id.matches()) {
            throw new ClusterwrightException(
                    "sbatch printed \"" + PrintableText.output(result.stdout()) + "\", expected a job id");
        }
        return new SlurmJob(target, id.group(1), argv);
    }

    static SlurmJob find(SlurmNodes target, String id) {
        if (!ID.matcher(id).matches()) {
            throw new InvalidValueException(
                    "Slurm job id", id, "a positive number, or the number of an array and of its task", "4711, 4711_3");
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
        List<SlurmJobRecord> all = records();
        SlurmJobRecord now = SlurmJobRecord.joined(all);
        if (all.size() > 1 || tasks.containsKey(now.task())) {
            readTasks(all, output);
        } else {
            readNew(now, output);
        }
        return now.status();
    }

    private void readNew(SlurmJobRecord now, OutputListener output) {
        boolean more = now.hasOutput();
        while (more) {
            more = readPiece(now, output) && now.status().ended();
        }
    }

    /** Reads the tasks of an array one after the other, each under its own heading, up to the first that has not ended. */
    private void readTasks(List<SlurmJobRecord> all, OutputListener output) {
        for (SlurmJobRecord each : all) {
            if (each.hasOutput() || each.status().ended()) {
                SlurmJob task = tasks.get(each.task());
                if (task == null) {
                    task = new SlurmJob(target, each.task(), command);
                    tasks.put(each.task(), task);
                    heading(each, output);
                }
                task.readNew(each, output);
            }
            if (!each.status().ended()) {
                return;
            }
        }
    }

    private static void heading(SlurmJobRecord task, OutputListener output) {
        String where = task.batchHost().isEmpty() ? task.status().word() : task.batchHost();
        byte[] line = ("==> " + task.task() + ", " + where + " <==\n").getBytes(StandardCharsets.UTF_8);
        output.onOutput(OutputListener.Stream.STDOUT, line, line.length);
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
                read.addAndGet(length); // first: a listener that fails does not get the same bytes for ever
                output.onOutput(stream, bytes, length);
            } else if (complaint.length() < LONGEST_COMPLAINT) {
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

    /** Adds the tasks of an array that Slurm knew before. */
    private synchronized List<SlurmJobRecord> withEnded(List<SlurmJobRecord> known) {
        if (known.stream().anyMatch(each -> each.task().isEmpty())) {
            return known;
        }
        known.stream().filter(each -> each.status().ended()).forEach(each -> ended.put(each.task(), each));
        Map<String, SlurmJobRecord> all = new HashMap<>(ended);
        known.forEach(each -> all.put(each.task(), each));
        return all.values().stream()
                .sorted(Comparator.comparingLong(SlurmJobRecord::firstTask))
                .toList();
    }

    private SlurmJobRecord record() {
        return SlurmJobRecord.joined(records());
    }

    /** From the controller, or from accounting where the controller has forgotten it (by default 300 s after the end). */
    private List<SlurmJobRecord> records() {
        CommandResult shown = run("scontrol", "show", "job", id);
        if (shown.exitStatus() == 0) {
            List<SlurmJobRecord> read = SlurmJobRecord.ofControl(shown.stdout());
            if (read.isEmpty()) {
                throw new ClusterwrightException(
                        "scontrol printed for job " + id + ": " + PrintableText.output(shown.stdout()));
            }
            return withEnded(read);
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
        if (accounted.stderr().contains("talking to the database")) {
            accounted.orThrow(); // the database is down: nothing is known of the job
        }
        return List.of(SlurmJobRecord.ofAccounting(accounted.stdout()).orElse(SlurmJobRecord.FORGOTTEN));
    }

    /** Ends the processes on every node at once too, instead of after Slurm's {@code KillWait}; processes of foreign jobs are left to Slurm. */
    @Override
    public Map<NodeName, Leftovers> cancel(String reason) {
        String name = record().name();
        CommandResult cancelled = run("scancel", "--quiet", id);
        if (!cancelled.succeeded() && !record().status().ended()) {
            cancelled.orThrow();
        }
        return name.matches(TOKEN) ? new LeftoverSweep(target, new JobFolder(name)).end() : Map.of();
    }

    @Override
    public String output() {
        List<SlurmJobRecord> all = started();
        if (all.size() > 1) {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            readAll(all, (stream, piece, length) -> {
                bytes.write(piece, 0, length);
                if (bytes.size() > 2 * LONGEST_TEXT) {
                    byte[] kept = bytes.toByteArray();
                    bytes.reset();
                    bytes.write(kept, kept.length - LONGEST_TEXT, LONGEST_TEXT);
                }
            });
            byte[] text = bytes.toByteArray();
            int from = Math.max(0, text.length - LONGEST_TEXT);
            return new String(text, from, text.length - from, StandardCharsets.UTF_8);
        }
        return batchSession(all.get(0))
                .run(Command.of("cat", "--", all.get(0).outputFile()).timeout(ASK))
                .orThrow()
                .stdout();
    }

    @Override
    public void writeOutput(OutputStream out) throws IOException {
        write(started(), out);
    }

    private void write(List<SlurmJobRecord> all, OutputStream out) throws IOException {
        try {
            readAll(all, (stream, bytes, length) -> {
                try {
                    out.write(bytes, 0, length);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    @Override
    public void downloadOutput(Path local) {
        List<SlurmJobRecord> all = started();
        if (all.size() == 1) {
            batchSession(all.get(0)).download(all.get(0).outputFile(), local);
            return;
        }
        try {
            PrivateFiles.replace(local, false, out -> write(all, out));
        } catch (IOException e) {
            throw new ClusterwrightException("the output of " + name() + " could not be written to " + local, e);
        }
    }

    /** Reads what there is now, of an array each task under its heading. */
    private void readAll(List<SlurmJobRecord> all, OutputListener output) {
        for (SlurmJobRecord each : all) {
            if (all.size() > 1) {
                heading(each, output);
            }
            SlurmJob anew = new SlurmJob(target, id, command);
            boolean more = each.hasOutput();
            while (more) {
                more = anew.readPiece(each, output);
            }
        }
    }

    private List<SlurmJobRecord> started() {
        List<SlurmJobRecord> all = records();
        if (all.stream().noneMatch(SlurmJobRecord::hasOutput)) {
            throw new ClusterwrightException("job " + id + " has no output yet: its state is "
                    + SlurmJobRecord.joined(all).status().word() + "; wait until it runs");
        }
        return all;
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

        private static final String BIND = "--cpu-bind=";

        static SlurmScript of(LaunchRequest request, SlurmNodes target) {
            JobFolder folder = request.folder();
            Map<String, String> environment = new LinkedHashMap<>(request.environment());
            environment.put(JobFolder.VARIABLE, folder.token());
            List<String> step = new ArrayList<>(List.of("srun"));
            step.addAll(new SlurmLauncher(target).step(request, environment));
            if (request.has(LaunchOption.REPORT_BINDING)) {
                boolean bound = step.stream().anyMatch(word -> word.startsWith(BIND));
                step.replaceAll(word -> word.startsWith(BIND) ? word.replace(BIND, BIND + "verbose,") : word);
                step.addAll(bound ? List.of() : List.of(BIND + "verbose"));
            }
            step.addAll(SlurmLauncher.cores(request));
            boolean one = request.parts().size() == 1;
            step.addAll(SlurmLauncher.programs(request, folder.path(), environment));
            String srun = PosixShell.quote(step);
            // The job begins on a node that has no folder of it.
            String text = "#!/bin/sh\n" + PosixShell.exports(environment)
                    + (one
                            ? "exec " + srun + "\n"
                            : "parts=" + PosixShell.quote(folder.path())
                                    + "\nrm -f \"$parts\"\n(umask 077; set -C; printf %s "
                                    + PosixShell.quote(SlurmLauncher.multiProg(request))
                                    + " > \"$parts\") || exit\n" + srun
                                    + "\nstatus=$?\nrm -f \"$parts\"\nexit $status\n");

            List<String> options = new ArrayList<>(List.of("--parsable", "--job-name=" + folder.token()));
            options.addAll(target.words());
            if (SlurmRefusal.sharesCpus(request)) {
                options.add(SlurmRefusal.OVERCOMMIT);
            }
            options.addAll(SlurmLauncher.placement(request));
            options.addAll(target.outputOption());
            return new SlurmScript(List.copyOf(options), text);
        }
    }
}
