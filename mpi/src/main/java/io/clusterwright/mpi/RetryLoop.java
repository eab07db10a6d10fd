package io.clusterwright.mpi;

import io.clusterwright.core.internal.concurrent.WaitTime;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.core.type.NodeSet;
import io.clusterwright.mpi.job.JobAttempts;
import io.clusterwright.mpi.job.JobAttempts.JobAttempt;
import io.clusterwright.mpi.job.JobResult;
import io.clusterwright.mpi.job.JobTarget;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** Starts a job again as its policy says. */
final class RetryLoop {
    private final JobPolicy policy;
    private final JobRunner runner;
    private final Duration limit;
    private final long started = WaitTime.RUNNING.nanos();
    private JobTarget target;
    private String next = "";

    /**
     * A loop that has not begun.
     *
     * @param limit the time of one attempt
     */
    RetryLoop(JobPolicy policy, JobTarget target, JobRunner runner, Duration limit) {
        this.policy = policy;
        this.target = target;
        this.runner = runner;
        this.limit = limit;
    }

    /** Runs the job until it succeeds or the policy gives up. */
    JobAttempts run() {
        List<JobAttempt> attempts = new ArrayList<>();
        boolean again = true;
        for (int number = 1; again; number++) {
            JobTarget here = target;
            List<String> more = number == 1 ? List.of() : policy.restartArguments();
            JobResult result = runner.run(here, more, shorter(limit, left()));
            boolean good = result.succeeded() || result.outcome() == JobResult.Outcome.CANCELLED;
            List<NodeName> lost = good ? List.of() : LostNodes.after(here, result, policy.exclusion());
            again = !good && prepared(number, result, lost);
            attempts.add(new JobAttempt(number, here.nodeNames(), result, lost, good ? "" : next));
        }
        return new JobAttempts(attempts);
    }

    private boolean prepared(int number, JobResult result, List<NodeName> lost) {
        if (!policy.retries(result, !lost.isEmpty())) {
            next = "not started again: " + result.outcome() + " is not an outcome to retry";
        } else if (number == policy.attempts()) {
            next = "not started again: the limit of " + number + " attempts is reached";
        } else if (Thread.currentThread().isInterrupted()) {
            next = "not started again: this thread was interrupted";
        } else if (outOfTime()) {
            next = "not started again: the time limit " + policy.total() + " of all attempts is reached";
        } else {
            JobTarget prepared = lost.isEmpty() ? same() : without(lost);
            if (prepared != null) {
                target = prepared;
            }
            return prepared != null && inTime();
        }
        return false;
    }

    private JobTarget same() {
        next = "started again on the same nodes: all answer";
        return target;
    }

    private @Nullable JobTarget without(List<NodeName> lost) {
        String names = NodeSet.fold(lost).toString();
        BiFunction<JobTarget, List<NodeName>, JobTarget> replacer =
                policy.replacer().orElse(null);
        if (replacer != null) {
            try {
                JobTarget replaced = replacer.apply(target, lost);
                next = "replaced " + names;
                return replaced;
            } catch (ClusterwrightException e) {
                next = "not started again: " + names + " could not be replaced: " + e.getMessage();
                return null;
            }
        }
        Set<NodeName> out = Set.copyOf(lost);
        List<NodeName> rest =
                target.nodeNames().stream().filter(node -> !out.contains(node)).toList();
        if (rest.isEmpty()) {
            next = "not started again: no node remains";
            return null;
        }
        next = "left out " + names;
        return target.only(rest);
    }

    private boolean inTime() {
        if (outOfTime()) {
            next += ", and not started again: the time limit " + policy.total() + " of all attempts is reached";
            return false;
        }
        return true;
    }

    private boolean outOfTime() {
        return left().isZero() || left().isNegative();
    }

    private Duration left() {
        return policy.total().minusNanos(WaitTime.RUNNING.nanos() - started);
    }

    private static Duration shorter(Duration a, Duration b) {
        Duration least = a.compareTo(b) < 0 ? a : b;
        return least.isNegative() || least.isZero() ? Duration.ofMillis(1) : least;
    }

    /** Runs one attempt of the job. */
    @FunctionalInterface
    interface JobRunner {
        /** Runs it on these nodes with these arguments after its program's, at most this long. */
        JobResult run(JobTarget target, List<String> moreArguments, Duration limit);
    }
}
