package io.clusterwright.mpi;

import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.core.type.NodeSet;
import io.clusterwright.mpi.spi.LaunchNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Starts a job again as its policy says. */
final class RetryLoop {
    private final PlacedMpiJob job;
    private final JobPolicy policy;
    private final Duration limit;
    private final long started = System.nanoTime();
    private JobTarget target;
    private String next = "";

    RetryLoop(PlacedMpiJob job, JobPolicy policy, Duration limit) {
        this.job = job;
        this.policy = policy;
        this.limit = limit;
        this.target = job.target();
    }

    JobAttempts run() {
        List<JobAttempt> attempts = new ArrayList<>();
        boolean again = true;
        for (int number = 1; again; number++) {
            JobTarget here = target;
            MpiJob program = number == 1 ? job.job() : job.job().withArguments(policy.restartArguments());
            JobResult result = job.with(program, here).run(shorter(limit, left()));
            boolean good = result.succeeded() || result.outcome() == JobResult.Outcome.CANCELLED;
            List<NodeName> lost = good ? List.of() : LostNodes.after(here, result, policy.leaving());
            again = !good && prepared(number, result, lost);
            attempts.add(new JobAttempt(
                    number, here.nodes().stream().map(LaunchNode::name).toList(), result, lost, good ? "" : next));
        }
        return new JobAttempts(attempts);
    }

    private boolean prepared(int number, JobResult result, List<NodeName> lost) {
        if (!policy.retries(result, !lost.isEmpty())) {
            next = "not started again: " + result.outcome() + " is none of the outcomes to retry";
        } else if (number == policy.attempts()) {
            next = "not started again: " + number + " attempts were allowed";
        } else if (Thread.currentThread().isInterrupted()) {
            next = "not started again: this thread was interrupted";
        } else if (outOfTime()) {
            next = "not started again: the " + policy.total() + " of all attempts have passed";
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
        next = "started again on the same nodes, which all answer";
        return target;
    }

    private @Nullable JobTarget without(List<NodeName> lost) {
        String names = NodeSet.fold(lost).toString();
        NodeReplacer replacer = policy.replacer().orElse(null);
        if (replacer != null) {
            try {
                JobTarget replaced = replacer.replace(target, lost);
                next = "replaced " + names;
                return replaced;
            } catch (ClusterwrightException e) {
                next = "not started again: " + names + " could not be replaced: " + e.getMessage();
                return null;
            }
        }
        List<NodeName> rest = target.nodes().stream()
                .map(LaunchNode::name)
                .filter(node -> !lost.contains(node))
                .toList();
        if (rest.isEmpty()) {
            next = "not started again: no node is left";
            return null;
        }
        next = "left out " + names;
        return target.only(rest);
    }

    private boolean inTime() {
        if (outOfTime()) {
            next += ", and not started again: the " + policy.total() + " of all attempts have passed";
            return false;
        }
        return true;
    }

    private boolean outOfTime() {
        return left().isZero() || left().isNegative();
    }

    private Duration left() {
        return policy.total().minusNanos(System.nanoTime() - started);
    }

    private static Duration shorter(Duration a, Duration b) {
        Duration least = a.compareTo(b) < 0 ? a : b;
        return least.isNegative() || least.isZero() ? Duration.ofMillis(1) : least;
    }
}
