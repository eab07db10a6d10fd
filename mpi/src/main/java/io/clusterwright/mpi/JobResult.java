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
import org.jspecify.annotations.Nullable;

/** The result of a job. Immutable. */
public final class JobResult {
    private final Outcome outcome;
    private final MpiInstallation mpi;
    private final List<String> command;
    private final int ranks;
    private final @Nullable Integer exitStatus;
    private final Duration duration;
    private final List<OutputLine> outputTail;
    private final List<LaunchFailure> launchFailures;
    private final Map<NodeName, Leftovers> leftovers;
    private final List<Finding> findings;
    private final List<RankFailure> rankFailures;

    private JobResult(Builder builder) {
        this.outcome = builder.outcome;
        this.mpi = builder.mpi;
        this.command = List.copyOf(builder.command);
        this.ranks = builder.ranks;
        this.exitStatus = builder.exitStatus;
        this.duration = builder.duration;
        this.outputTail = List.copyOf(builder.outputTail);
        this.launchFailures = List.copyOf(builder.launchFailures);
        this.leftovers = Map.copyOf(builder.leftovers);
        this.findings = List.copyOf(builder.findings);
        this.rankFailures = List.copyOf(builder.rankFailures);
    }

    /**
     * Starts a result without exit status, output, failures and findings, for code that runs jobs.
     *
     * @param outcome the way the job ended
     * @param mpi the MPI it was started with
     * @param command the launcher's command line
     * @param ranks the size of the world that was asked for
     */
    public static Builder builder(Outcome outcome, MpiInstallation mpi, List<String> command, int ranks) {
        return new Builder(outcome, mpi, command, ranks);
    }

    /** The way the job ended. */
    public Outcome outcome() {
        return outcome;
    }

    /** The MPI it was started with. */
    public MpiInstallation mpi() {
        return mpi;
    }

    /** The launcher's command line. */
    public List<String> command() {
        return command;
    }

    /** The size of the world that was asked for. */
    public int ranks() {
        return ranks;
    }

    /** The exit status of the launcher; absent when it did not end by itself. */
    public OptionalInt exitStatus() {
        return exitStatus == null ? OptionalInt.empty() : OptionalInt.of(exitStatus);
    }

    /** The time from the launcher's start to its end. */
    public Duration duration() {
        return duration;
    }

    /** The last lines of output, at most 200. */
    public List<OutputLine> outputTail() {
        return outputTail;
    }

    /** The nodes that could not be reached from the launch node. */
    public List<LaunchFailure> launchFailures() {
        return launchFailures;
    }

    /** The processes of the job that were found on each node after the launcher's end. */
    public Map<NodeName, Leftovers> leftovers() {
        return leftovers;
    }

    /** The findings about the run. */
    public List<Finding> findings() {
        return findings;
    }

    /** The ranks that the launcher reported as failed, the first to fail before all others; empty when it reported none. */
    public List<RankFailure> rankFailures() {
        return rankFailures;
    }

    /**
     * Whether the launcher ended by itself with status 0 and no finding is an error. A launcher that belongs to
     * another MPI ends with 0, too: where the size of the world matters, let the program print it.
     */
    public boolean succeeded() {
        return outcome == Outcome.ENDED
                && exitStatus().equals(OptionalInt.of(0))
                && findings.stream().noneMatch(finding -> finding.severity() == Severity.ERROR);
    }

    /** The rank that failed first; absent when the launcher did not report one. */
    public Optional<RankFailure> firstFailure() {
        return rankFailures.stream().filter(RankFailure::first).findFirst();
    }

    /** The first of the gravest errors and warnings; absent when there is none. */
    public Optional<Finding> gravestFinding() {
        return findings.stream()
                .filter(finding -> finding.severity() != Severity.INFO)
                .min(Comparator.comparing(Finding::severity));
    }

    /** Whether every node was searched and no process of the job runs there. */
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

    /** The same result with more findings. */
    public JobResult with(List<Finding> more) {
        List<Finding> all = new ArrayList<>(findings);
        all.addAll(more);
        Builder builder = builder(outcome, mpi, command, ranks)
                .duration(duration)
                .outputTail(outputTail)
                .launchFailures(launchFailures)
                .leftovers(leftovers)
                .findings(all)
                .rankFailures(rankFailures);
        exitStatus().ifPresent(builder::exitStatus);
        return builder.build();
    }

    /** The ways in which a job ends. */
    public enum Outcome {
        /** The launcher ended by itself; see its exit status. */
        ENDED,
        /** A node could not be reached from the launch node; the launcher was ended. */
        LAUNCH_FAILED,
        /** The connection from the launch node to a node broke while the job ran; the launcher was ended. */
        NODE_LOST,
        /** The job's time passed; it was ended. */
        TIMED_OUT,
        /** The caller stopped it. */
        CANCELLED,
        /** The connection to the launch node broke; the state of the launcher is not known. */
        LOST
    }

    /** Builds a result. */
    public static final class Builder {
        private final Outcome outcome;
        private final MpiInstallation mpi;
        private final List<String> command;
        private final int ranks;
        private @Nullable Integer exitStatus;
        private Duration duration = Duration.ZERO;
        private List<OutputLine> outputTail = List.of();
        private List<LaunchFailure> launchFailures = List.of();
        private Map<NodeName, Leftovers> leftovers = Map.of();
        private List<Finding> findings = List.of();
        private List<RankFailure> rankFailures = List.of();

        private Builder(Outcome outcome, MpiInstallation mpi, List<String> command, int ranks) {
            this.outcome = outcome;
            this.mpi = mpi;
            this.command = command;
            this.ranks = ranks;
        }

        /** The exit status of a launcher that ended by itself. */
        public Builder exitStatus(int status) {
            this.exitStatus = status;
            return this;
        }

        /** The time from the launcher's start to its end; by default zero. */
        public Builder duration(Duration time) {
            this.duration = time;
            return this;
        }

        /** The last lines of output; by default none. */
        public Builder outputTail(List<OutputLine> lines) {
            this.outputTail = lines;
            return this;
        }

        /** The nodes that could not be reached; by default none. */
        public Builder launchFailures(List<LaunchFailure> failures) {
            this.launchFailures = failures;
            return this;
        }

        /** The processes that were found on the nodes; by default no node was searched. */
        public Builder leftovers(Map<NodeName, Leftovers> byNode) {
            this.leftovers = byNode;
            return this;
        }

        /** The findings about the run; by default none. */
        public Builder findings(List<Finding> all) {
            this.findings = all;
            return this;
        }

        /** The ranks that failed, the first to fail before all others; by default none. */
        public Builder rankFailures(List<RankFailure> ranks) {
            this.rankFailures = ranks;
            return this;
        }

        /** The result. */
        public JobResult build() {
            return new JobResult(this);
        }
    }
}
