package io.clusterwright.examples.cli;

import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.core.type.OperationInterruptedException;
import io.clusterwright.mpi.job.JobTarget;
import io.clusterwright.mpi.job.QueuedJob;
import io.clusterwright.mpi.job.QueuedJobStatus;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The option to come back to a job of a queue instead of starting one. */
final class AttachOption {
    /** The options that say where the job is and how its end is printed. */
    private static final Set<String> FITTING = Set.of(
            "--attach",
            "--json",
            "--verbose",
            "--subscription",
            "--cloud",
            "--endpoint",
            "--private-addresses",
            "--managed-images",
            "--user",
            "--password-file",
            "--trust",
            "--as-user",
            "--group");

    @Spec(Spec.Target.MIXEE)
    private CommandSpec mixee = CommandSpec.create();

    @Option(
            names = "--attach",
            arity = "0..1",
            fallbackValue = "",
            paramLabel = "ID",
            description =
                    "Return to a queued job instead of starting a new job: print its output from the beginning and wait"
                            + " for its end. Ctrl-C does not stop the job. Default: the only job that has not ended.")
    private @Nullable String id;

    /** Whether it was given. */
    boolean given() {
        return id != null;
    }

    /** Refuses what describes a new job. */
    void check(List<String> program, String command) {
        mixee.commandLine().getParseResult().matchedOptions().stream()
                .filter(option -> Arrays.stream(option.names()).noneMatch(FITTING::contains))
                .findFirst()
                .ifPresent(option -> {
                    throw new RefusedException(option.longestName()
                            + " is for a new job: remove it, or remove --attach, which returns to a submitted"
                            + " job");
                });
        if (!program.isEmpty()) {
            throw new RefusedException("--attach does not start a program: remove " + String.join(" ", program)
                    + ", or write " + command + " -- PROGRAM without --attach for a new job");
        }
    }

    private QueuedJob job(JobTarget queue) {
        if (id != null && !id.isEmpty()) {
            return QueuedJob.find(queue, id);
        }
        List<QueuedJob.Listed> open = QueuedJob.list(queue).stream()
                .filter(job -> !job.status().ended())
                .toList();
        if (open.size() != 1) {
            throw new RefusedException("--attach without ID needs exactly one job that has not ended, and there "
                    + (open.isEmpty()
                            ? "is no such job; name an ended job: --attach ID"
                            : "are " + open.stream().map(QueuedJob.Listed::id).collect(Collectors.joining(", "))
                                    + "; write --attach " + open.get(0).id()));
        }
        return QueuedJob.find(queue, open.get(0).id());
    }

    /**
     * Watches the job to its end.
     *
     * @param printer prints its output and its end
     * @param back the command that attaches, without {@code --attach}
     * @param cancel the command that ends a job, without its id
     * @return the exit status
     */
    int watch(JobTarget queue, JobPrinter printer, String back, String cancel) {
        QueuedJob job = job(queue);
        QueuedJobStatus before = known(job);
        ProgressPrinter notes = new ProgressPrinter();
        Interrupts.detachWith("detached: " + job.name() + " goes on; come back with " + back + " --attach " + job.id()
                + ", or end it with " + cancel + " " + job.id());
        if (before.state() == QueuedJobStatus.State.WAITING) {
            notes.line(job.name() + " waits: " + before + "; Ctrl-C leaves it in the queue");
        }
        try {
            return printer.end(job.id(), job.follow(JobPrinter.LONGEST, printer).orElseThrow());
        } catch (OperationInterruptedException e) {
            return ExitCodes.INTERRUPTED;
        }
    }

    /** The status of a job; refuses one that the scheduler does not know. */
    static QueuedJobStatus known(QueuedJob job) {
        QueuedJobStatus status = job.status();
        if (status.state() == QueuedJobStatus.State.UNKNOWN) {
            throw new ClusterwrightException(
                    "the scheduler has no " + job.name() + "; clusterwright jobs lists its jobs");
        }
        return status;
    }
}
