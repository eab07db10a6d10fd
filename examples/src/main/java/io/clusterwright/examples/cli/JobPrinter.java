package io.clusterwright.examples.cli;

import io.clusterwright.core.RunningCommand.OutputListener;
import io.clusterwright.core.internal.json.JsonFields;
import io.clusterwright.core.internal.text.PrintableText;
import io.clusterwright.core.internal.text.Reason;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.core.type.NodeSet;
import io.clusterwright.mpi.job.JobResult;
import io.clusterwright.mpi.job.OutputLine;
import io.clusterwright.mpi.job.QueuedJob;
import io.clusterwright.mpi.job.QueuedJobResult;
import io.clusterwright.mpi.job.QueuedJobStatus;
import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.Flushable;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The output and the results of jobs, which all commands print alike, whatever runs the job. */
final class JobPrinter implements Consumer<OutputLine>, Flushable {
    private static final int SHORT_ID = 8;
    private static final int BUFFER = 32 * 1024;

    /** No job of a queue is older. */
    static final Duration LONGEST = Duration.ofDays(3650);

    private final ProgramCommand command;
    private final ProgressPrinter notes = new ProgressPrinter();
    private final Map<OutputListener.Stream, OutputLine> last = new EnumMap<>(OutputListener.Stream.class);
    private final OutputStream stdout;
    private final OutputStream stderr = new BufferedOutputStream(System.err, BUFFER);
    private OutputStream current = stderr;
    private boolean labels;

    JobPrinter(ProgramCommand command) {
        this.command = command;
        this.stdout = new BufferedOutputStream(command.out, BUFFER);
    }

    /** Prints each line after the label of its rank, on a line of its own. */
    void label() {
        labels = true;
    }

    /** Prints a line to the byte, as its program wrote it, when {@link #flush} is called; nothing with {@code --json}. */
    @Override
    public synchronized void accept(OutputLine line) {
        if (command.json) {
            return;
        }
        try {
            OutputStream to = line.stream() == OutputListener.Stream.STDOUT ? stdout : stderr;
            if (to != current) {
                current.flush();
                current = to;
            }
            if (labels) {
                label(line);
            }
            line.writeTo(to);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void label(OutputLine line) throws IOException {
        OutputLine before = last.put(line.stream(), line);
        boolean goesOn = before != null && !before.ended() && before.rank().equals(line.rank());
        if (before != null && !before.ended() && !goesOn) {
            current.write(System.lineSeparator().getBytes(StandardCharsets.US_ASCII));
        }
        if (!goesOn && line.rank().isPresent()) {
            current.write(("[" + line.rank().getAsInt() + "] ").getBytes(StandardCharsets.US_ASCII));
        }
    }

    @Override
    public synchronized void flush() throws IOException {
        current.flush();
    }

    /** Prints the end of a job; returns the exit status. */
    int end(JobResult result) {
        command.print(() -> MethodNames.removedFromFindings(result.toMap()), () -> {
            bindings(result);
            result.findings().forEach(notes::finding);
            if (!result.succeeded()) {
                notes.failure(
                        result.outcome(),
                        result.exitStatus(),
                        lost(result)
                                + result.firstFailure()
                                        .map(first -> "; first, " + first)
                                        .orElse("")
                                + (result.outcome() == JobResult.Outcome.TIMED_OUT
                                        ? "; the time limit passed after " + Style.seconds(result.duration())
                                                + ": raise --timeout"
                                        : ""));
            }
        });
        return ExitCodes.ofWork(result.succeeded());
    }

    private void bindings(JobResult result) {
        if (!result.bindings().isEmpty()) {
            notes.line("%5s  %-16s %-16s %s".formatted("RANK", "NODE", "PROCESSORS", "NUMA"));
        }
        result.bindings()
                .forEach(rank -> notes.line(
                        "%5d  %-16s %-16s %s".formatted(rank.rank(), rank.node(), rank.cpus(), rank.numaDomains())));
    }

    private static String lost(JobResult result) {
        List<NodeName> lost = result.lostNodes();
        return lost.isEmpty()
                ? ""
                : (lost.size() == 1 ? "; node " : "; nodes ")
                        + NodeSet.fold(lost)
                        + (lost.size() == 1 ? " was lost" : " were lost");
    }

    /** Prints the end of a job of a queue; returns the exit status. */
    int end(String id, QueuedJobResult result) {
        command.print(
                () -> MethodNames.removedFromFindings(JsonFields.of("id", id).with(result)), () -> {
                    result.findings().forEach(notes::finding);
                    if (!result.succeeded()) {
                        notes.failure(result.outcome(), result.status().exitStatus(), "");
                    }
                });
        return ExitCodes.ofWork(result.succeeded());
    }

    /** Prints the jobs of a queue. */
    int list(List<QueuedJob.Listed> jobs) {
        int ids = jobs.stream().mapToInt(job -> job.id().length()).max().orElse(0);
        String row = "%-" + Math.max(ids, SHORT_ID) + "s %-11s %-12s %-16s %s";
        if (!command.json && !jobs.isEmpty()) {
            command.out.println(String.format(row, "id", "state", "user", "nodes", "name"));
        }
        return command.print(jobs, QueuedJob.Listed::toMap, "no jobs", job -> {
            String state = PrintableText.word(job.status().state());
            String nodes = job.nodes().isEmpty() ? "-" : job.nodes();
            String reason = job.status().reason();
            String name = job.name() + (reason.isEmpty() ? "" : " (" + reason + ")");
            command.out.println(String.format(Locale.ROOT, row, job.id(), state, job.user(), nodes, name)
                    .stripTrailing());
        });
    }

    /** Prints the output of a job of a queue so far. */
    int output(QueuedJob job) {
        return command.print(
                () -> queued(job.id(), job.status()).andBytes("output", bytes(job)), () -> write(job, command.out));
    }

    private static byte[] bytes(QueuedJob job) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        write(job, all);
        return all.toByteArray();
    }

    private static void write(QueuedJob job, OutputStream out) {
        try {
            job.writeOutput(out);
            out.flush();
        } catch (IOException e) {
            throw new ClusterwrightException("the output of " + job.name() + " cannot be written: " + Reason.of(e), e);
        }
    }

    /** Prints the output of a job of a queue as it comes, or writes all of it to a file after the end; returns the exit status. */
    int follow(QueuedJob job, @Nullable Path file) {
        QueuedJobResult result =
                job.follow(LONGEST, file == null ? this : line -> {}).orElseThrow();
        QueuedJobStatus end = result.status();
        if (file != null) {
            job.downloadOutput(file);
        } else if (command.json) {
            command.print(
                    queued(job.id(), end).andBytes("output", result.outputTail().isEmpty() ? new byte[0] : bytes(job)));
        }
        return ExitCodes.ofWork(end.succeeded());
    }

    /** The state of a job of a queue as JSON. */
    static JsonFields queued(String id, QueuedJobStatus status) {
        return JsonFields.of("id", id).with(status);
    }
}
