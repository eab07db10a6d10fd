package io.clusterwright.mpi;

import io.clusterwright.core.NodeSession;
import io.clusterwright.core.type.InvalidValueException;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.mpi.job.JobResult;
import io.clusterwright.mpi.job.JobTarget;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The retry policy of a job: the losses after which the job is started again, and the nodes that it gets then. Use it
 * for long jobs on machines that can fail or be taken away. Immutable.
 *
 * <pre>{@code
 * JobAttempts attempts = MpiJob.of("hostname")
 *         .on(cluster)
 *         .run(
 *                 Duration.ofHours(2),
 *                 JobPolicy.attempts(3).restartWith("--restart").within(Duration.ofHours(5)));
 * }</pre>
 *
 * <p>A job whose program failed on nodes that all answer is not started again: it would fail again.
 */
public final class JobPolicy {
    private static final int MOST_ATTEMPTS = 100;
    private static final Duration UNLIMITED = Duration.ofDays(365);
    private static final Set<JobResult.Outcome> LOSSES =
            Set.of(JobResult.Outcome.NODE_LOST, JobResult.Outcome.LAUNCH_FAILED, JobResult.Outcome.LOST);

    private final int attempts;
    private final Duration total;
    private final List<String> restartArguments;
    private final Set<JobResult.Outcome> retried;
    private final @Nullable BiFunction<JobTarget, List<NodeName>, JobTarget> replacer;
    private final Predicate<NodeSession> exclusion;

    private JobPolicy(
            int attempts,
            Duration total,
            List<String> restartArguments,
            Set<JobResult.Outcome> retried,
            @Nullable BiFunction<JobTarget, List<NodeName>, JobTarget> replacer,
            Predicate<NodeSession> exclusion) {
        this.attempts = attempts;
        this.total = total;
        this.restartArguments = restartArguments;
        this.retried = retried;
        this.replacer = replacer;
        this.exclusion = exclusion;
    }

    /**
     * This number of attempts at most, the first included, in at most 365 days; later attempts leave lost nodes out.
     *
     * @throws InvalidValueException when it is not 1 to 100
     */
    public static JobPolicy attempts(int most) {
        if (most < 1 || most > MOST_ATTEMPTS) {
            throw new InvalidValueException("number of attempts", most, "1 to " + MOST_ATTEMPTS, "3");
        }
        return new JobPolicy(most, UNLIMITED, List.of(), LOSSES, null, session -> false);
    }

    /**
     * Sets the time in which all attempts, and the replacing between them, must start; an attempt that still runs then is ended.
     *
     * @throws InvalidValueException when it is not positive
     */
    public JobPolicy within(Duration time) {
        if (time.isZero() || time.isNegative()) {
            throw new InvalidValueException("time of all attempts", time, "a positive duration", "PT5H");
        }
        return new JobPolicy(attempts, time, restartArguments, retried, replacer, exclusion);
    }

    /** Adds these arguments after the program's own in every attempt except the first. */
    public JobPolicy restartWith(String... arguments) {
        return new JobPolicy(attempts, total, List.of(arguments), retried, replacer, exclusion);
    }

    /**
     * Sets the outcomes after which the job starts again; by default {@link JobResult.Outcome#NODE_LOST}, {@link
     * JobResult.Outcome#LAUNCH_FAILED} and {@link JobResult.Outcome#LOST}. A job that failed in another way and after which a node
     * does not answer counts as one that lost a node.
     *
     * @throws InvalidValueException when {@link JobResult.Outcome#CANCELLED} is one of them
     */
    public JobPolicy retryOn(Set<JobResult.Outcome> outcomes) {
        if (outcomes.contains(JobResult.Outcome.CANCELLED)) {
            throw new InvalidValueException(
                    "outcomes to retry", outcomes, "outcomes other than CANCELLED", "[NODE_LOST]");
        }
        return new JobPolicy(attempts, total, restartArguments, Set.copyOf(outcomes), replacer, exclusion);
    }

    /**
     * Replaces lost nodes. Default: the next attempt leaves them out.
     *
     * @param by makes the nodes of the next attempt from the nodes of the last attempt and the lost nodes, such as {@link ClusterReplacer#replace}; a
     *     {@link io.clusterwright.core.type.ClusterwrightException} means that there is no next attempt
     */
    public JobPolicy replacing(BiFunction<JobTarget, List<NodeName>, JobTarget> by) {
        return new JobPolicy(attempts, total, restartArguments, retried, by, exclusion);
    }

    /**
     * Also treats as lost, after a failed job, nodes that still answer and are about to be removed, such as nodes that Azure
     * has announced to remove ({@code ScheduledEvents.aboutToLeave()} of the {@code azure} module). Default: no such nodes.
     *
     * <p>If lost nodes are replaced, these nodes are replaced too. A {@link ClusterReplacer} creates a node again only when the
     * node is gone, and keeps a node that still answers, so do not combine the two if the removal may take longer.
     *
     * @param exclusion called for each node that answers, on any thread; an exception, or no answer within 15 s, means no
     */
    public JobPolicy excluding(Predicate<NodeSession> exclusion) {
        return new JobPolicy(attempts, total, restartArguments, retried, replacer, exclusion);
    }

    /** The most attempts, the first included. */
    public int attempts() {
        return attempts;
    }

    /** The time of all attempts together. */
    public Duration total() {
        return total;
    }

    /** The arguments after the program's own in every attempt but the first. */
    public List<String> restartArguments() {
        return restartArguments;
    }

    /** Whether a job with this result is started again, after which nodes are lost or not. */
    public boolean retries(JobResult result, boolean lostNodes) {
        boolean counts = lostNodes
                && (result.outcome() == JobResult.Outcome.ENDED || result.outcome() == JobResult.Outcome.TIMED_OUT);
        return retried.contains(counts ? JobResult.Outcome.NODE_LOST : result.outcome());
    }

    /** The test of {@link #excluding}. */
    public Predicate<NodeSession> exclusion() {
        return exclusion;
    }

    /** The replacer of lost nodes; absent when they are left out. */
    public Optional<BiFunction<JobTarget, List<NodeName>, JobTarget>> replacer() {
        return Optional.ofNullable(replacer);
    }
}
