package io.clusterwright.mpi.job;

import io.clusterwright.core.internal.concurrent.Deadline;
import io.clusterwright.core.internal.json.JsonFields;
import io.clusterwright.core.internal.text.PrintableText;
import io.clusterwright.core.plan.Finding;
import io.clusterwright.core.plan.Severity;
import io.clusterwright.core.type.HasJson;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.core.type.NodeSet;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Collectors;

/**
 * The result of a job; its text is its {@link #summary()}. Use it to decide whether to use the output of a job, and
 * to explain a failure. Immutable; made by this library alone.
 *
 * <pre>{@code
 * JobResult result = MpiJob.of("sh", "-c", "exit 3").on(cluster).run();
 * if (!result.succeeded()) {
 *     System.out.println(result.summary()); // command, outcome, findings and the last lines of output
 *     result.firstFailure().map(RankFailure::host).ifPresent(System.out::println);
 * }
 * }</pre>
 */
public interface JobResult extends HasJson {

    /** The way the job ended. */
    Outcome outcome();

    /** The MPI it was started with. */
    MpiInstallation mpi();

    /** The launcher's command line. */
    List<String> command();

    /** The size of the world that was asked for. */
    int ranks();

    /**
     * The exit status of the job: the status of the rank that failed first where it is known, 128 and its number for a signal; 0 where every rank
     * is known to have ended with 0; else the launcher's. Absent when the job was ended from here for another reason than a failed rank, and when
     * its scheduler does not name the status of a job that failed.
     */
    OptionalInt exitStatus();

    /** The time from the launcher's start to its end. */
    Duration duration();

    /** The last lines of output, at most 200. */
    List<OutputLine> outputTail();

    /** The nodes that could not be reached from the launch node. */
    List<LaunchFailure> launchFailures();

    /** The processes of the job that were found on each node after the launcher's end. */
    Map<NodeName, Leftovers> leftovers();

    /** The findings about the run. */
    List<Finding> findings();

    /** The ranks that are known to have failed, the first to fail before all others; empty when none is. */
    List<RankFailure> rankFailures();

    /**
     * The nodes whose connection broke while a job ran that failed, or that did not answer after its end. Empty for a job of a scheduler, which
     * reports its nodes in a finding.
     */
    List<NodeName> lostNodes();

    /**
     * The processors of each rank, in the order of the ranks, for a job with {@code reportBinding()}; empty otherwise. A
     * rank that ended before its node could report it is missing.
     */
    List<RankBinding> bindings();

    /** Adds findings. */
    JobResult with(List<Finding> more);

    /**
     * Whether the launcher ended by itself with status 0 and no finding is an error. A launcher that belongs to
     * another MPI ends with 0, too: where the size of the world matters, let the program print it.
     */
    default boolean succeeded() {
        return outcome() == Outcome.ENDED
                && exitStatus().equals(OptionalInt.of(0))
                && findings().stream().noneMatch(finding -> finding.severity() == Severity.ERROR);
    }

    /** The rank that failed first; absent when the launcher did not report one. */
    default Optional<RankFailure> firstFailure() {
        return rankFailures().stream().filter(RankFailure::first).findFirst();
    }

    /** The first of the gravest errors and warnings; absent when there are no errors and warnings. */
    default Optional<Finding> gravestFinding() {
        return findings().stream()
                .filter(finding -> finding.severity() != Severity.INFO)
                .min(Comparator.comparing(Finding::severity));
    }

    /** Whether every node was searched and no process of the job runs there. */
    default boolean isClean() {
        return leftovers().values().stream().allMatch(Leftovers::isClean);
    }

    /**
     * This result when the job succeeded.
     *
     * @throws JobFailedException when it did not
     */
    default JobResult orThrow() {
        if (!succeeded()) {
            throw new JobFailedException(this);
        }
        return this;
    }

    /** The result for people: the command, how it ended, the findings and the last lines of output. */
    default String summary() {
        StringBuilder text = new StringBuilder("`")
                .append(String.join(" ", command()))
                .append("` over ")
                .append(ranks())
                .append(" ranks ")
                .append(ending());
        if (!lostNodes().isEmpty()) {
            text.append("; lost: ").append(NodeSet.fold(lostNodes()));
        }
        firstFailure().ifPresent(failure -> text.append("; first, ").append(failure));
        findings().forEach(finding -> text.append("; ").append(finding));
        List<OutputLine> lines = outputTail();
        if (!lines.isEmpty()) {
            text.append("; output ends: ")
                    .append(lines.subList(Math.max(0, lines.size() - 8), lines.size()).stream()
                            .map(line -> PrintableText.line(line.text()))
                            .collect(Collectors.joining(" | ")));
        }
        return text.toString();
    }

    @Override
    default Map<String, Object> toMap() {
        return JsonFields.of("exit", exitStatus())
                .and("outcome", PrintableText.word(outcome()))
                .and("ranks", ranks())
                .and("millis", duration().toMillis())
                .and("command", command())
                .and("firstFailure", firstFailure())
                .and("output", outputTail().stream().map(OutputLine::text).toList())
                .andIf(!bindings().isEmpty(), "bindings", bindings())
                .and("findings", findings());
    }

    private String ending() {
        return switch (outcome()) {
            case ENDED ->
                exitStatus().isPresent()
                        ? "ended with exit status " + exitStatus().getAsInt()
                        : "ended with an unknown exit status";
            case LAUNCH_FAILED -> "could not be started on every node";
            case NODE_LOST -> "lost a node";
            case TIMED_OUT -> "was ended because its time limit passed, after " + Deadline.text(duration());
            case HUNG -> "was ended because its ranks waited for each other in MPI_Finalize";
            case CANCELLED -> "was cancelled";
            case LOST -> "was lost: its end is not known";
        };
    }

    /** The ways in which a job ends. */
    enum Outcome {
        /** The job ended by itself, or was ended because a rank had failed or all had ended; see its exit status. */
        ENDED,
        /** A node could not be reached from the launch node; the launcher was ended. */
        LAUNCH_FAILED,
        /** The connection from the launch node to a node broke while the job ran; the launcher was ended. */
        NODE_LOST,
        /** The job's time passed; it was ended. */
        TIMED_OUT,
        /** The ranks that had not ended waited for each other in MPI_Finalize and could not go on; they were ended. */
        HUNG,
        /** The caller stopped it, or it was cancelled at its scheduler. */
        CANCELLED,
        /** The connection to the launch node broke, or the scheduler does not know the job any more; how it ended is not known. */
        LOST
    }
}
