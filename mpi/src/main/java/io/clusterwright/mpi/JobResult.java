package io.clusterwright.mpi;

import io.clusterwright.core.plan.Finding;
import io.clusterwright.core.plan.Severity;
import io.clusterwright.core.type.NodeName;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * How a job went.
 *
 * @param outcome how it ended
 * @param mpi what it was started with
 * @param command the launcher's command line
 * @param ranks the size of the world that was asked for
 * @param exitStatusOrNone what the launcher ended with, or {@link #NONE} when it did not end by itself
 * @param duration from the launcher's start to its end
 * @param outputTail the last lines of output, at most 200
 * @param launchFailures the nodes that could not be reached from the launch node
 * @param leftovers what was found on each node after the launcher's end
 * @param findings what is to be said about the run
 * @param rankFailures the ranks that failed, as far as the launcher told, the first to fail before all others; empty when it
 *     said nothing
 */
public record JobResult(
        Outcome outcome,
        MpiInstallation mpi,
        List<String> command,
        int ranks,
        int exitStatusOrNone,
        Duration duration,
        List<OutputLine> outputTail,
        List<LaunchFailure> launchFailures,
        Map<NodeName, Leftovers> leftovers,
        List<Finding> findings,
        List<RankFailure> rankFailures) {
    /** Stands for no exit status. */
    public static final int NONE = -1;

    /** Copies the collections. */
    public JobResult {
        command = List.copyOf(command);
        outputTail = List.copyOf(outputTail);
        launchFailures = List.copyOf(launchFailures);
        leftovers = Map.copyOf(leftovers);
        findings = List.copyOf(findings);
        rankFailures = List.copyOf(rankFailures);
    }

    /**
     * Whether the launcher ended by itself with status 0 and nothing speaks against the run. A launcher that belongs to
     * another MPI ends with 0, too: where the size of the world matters, let the program say it.
     */
    public boolean succeeded() {
        return outcome == Outcome.ENDED
                && exitStatusOrNone == 0
                && findings.stream().noneMatch(finding -> finding.severity() == Severity.ERROR);
    }

    /** What the launcher ended with; absent when it was ended. */
    public OptionalInt exitStatus() {
        return exitStatusOrNone == NONE ? OptionalInt.empty() : OptionalInt.of(exitStatusOrNone);
    }

    /** The rank that failed first; absent when the launcher did not tell. */
    public Optional<RankFailure> firstFailure() {
        return rankFailures.stream().filter(RankFailure::first).findFirst();
    }

    /** The first of the gravest errors and warnings; absent when there is none. */
    public Optional<Finding> gravestFinding() {
        return findings.stream()
                .filter(finding -> finding.severity() != Severity.INFO)
                .min(Comparator.comparing(Finding::severity));
    }

    /** Whether every node was looked at and no process of the job runs there. */
    public boolean clean() {
        return leftovers.values().stream().allMatch(Leftovers::clean);
    }

    /**
     * This result when the job succeeded.
     *
     * @throws JobFailedException when it did not
     */
    public JobResult orThrow() {
        if (!succeeded()) {
            throw new JobFailedException(this);
        }
        return this;
    }

    public JobResult with(List<Finding> more) {
        List<Finding> all = new ArrayList<>(findings);
        all.addAll(more);
        return new JobResult(
                outcome,
                mpi,
                command,
                ranks,
                exitStatusOrNone,
                duration,
                outputTail,
                launchFailures,
                leftovers,
                all,
                rankFailures);
    }

    /** How a job ended. */
    public enum Outcome {
        /** The launcher ended by itself; its exit status tells the rest. */
        ENDED,
        /** A node could not be reached from the launch node; the launcher was ended. */
        LAUNCH_FAILED,
        /** The connection from the launch node to a node broke while the job ran; the launcher was ended. */
        NODE_LOST,
        /** The job's time passed; it was ended. */
        TIMED_OUT,
        /** The caller stopped it. */
        CANCELLED,
        /** The connection to the launch node broke; what the launcher did is not known. */
        LOST
    }
}
