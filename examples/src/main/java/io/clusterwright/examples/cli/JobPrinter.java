package io.clusterwright.examples.cli;

import io.clusterwright.core.RunningCommand.OutputListener;
import io.clusterwright.core.internal.json.JsonFields;
import io.clusterwright.core.internal.text.PrintableText;
import io.clusterwright.mpi.job.JobResult;
import io.clusterwright.mpi.job.OutputLine;
import io.clusterwright.mpi.job.QueuedJob;
import io.clusterwright.mpi.job.QueuedJobResult;
import io.clusterwright.mpi.job.QueuedJobStatus;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The output and the results of jobs, which all commands print alike, whatever runs the job. */
final class JobPrinter {
    private static final int SHORT_ID = 8;

    /** No job of a queue is older. */
    static final Duration LONGEST = Duration.ofDays(3650);

    private final ProgramCommand command;
    private final ProgressPrinter notes = new ProgressPrinter();

    JobPrinter(ProgramCommand command) {
        this.command = command;
    }

    /** Prints a line of a rank; nothing with {@code --json}. */
    void line(OutputLine line) {
        line(line, "");
    }

    void line(OutputLine line, String label) {
        if (!command.json) {
            (line.stream() == OutputListener.Stream.STDOUT ? command.out : System.err).println(label + line.text());
        }
    }

    /** Prints the end of a job; returns the exit status. */
    int end(JobResult result) {
        command.print(result::toMap, () -> {
            result.findings().forEach(notes::finding);
            result.launchFailures().forEach(failure -> notes.line(failure.toString()));
            if (!result.succeeded()) {
                notes.failure(
                        result.outcome(),
                        result.exitStatus(),
                        result.firstFailure().map(first -> "; first, " + first).orElse(""));
            }
        });
        return ExitCodes.ofWork(result.succeeded());
    }

    /** Prints the end of a job of a queue; returns the exit status. */
    int end(String id, QueuedJobResult result) {
        command.print(() -> JsonFields.of("id", id).with(result), () -> {
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
                () -> queued(job.id(), job.status()).and("output", job.output()),
                () -> command.out.print(job.output()));
    }

    /** Prints the output of a job of a queue as it comes, or writes all of it to a file after the end; returns the exit status. */
    int follow(QueuedJob job, @Nullable Path file) {
        QueuedJobResult result = job.follow(LONGEST, line -> {
                    if (!command.json && file == null) {
                        command.out.println(line.text());
                    }
                })
                .orElseThrow();
        QueuedJobStatus end = result.status();
        if (file != null) {
            job.downloadOutput(file);
        } else if (command.json) {
            command.print(
                    queued(job.id(), end).and("output", result.outputTail().isEmpty() ? "" : job.output()));
        }
        return ExitCodes.ofWork(end.succeeded());
    }

    /** The state of a job of a queue as JSON. */
    static JsonFields queued(String id, QueuedJobStatus status) {
        return JsonFields.of("id", id).with(status);
    }
}
