package io.clusterwright.mpi.job;

import io.clusterwright.core.type.NodeName;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The attempts at a job under a retry policy. Use it to see why a job was started again.
 *
 * @param attempts every attempt in order, at least one
 * @see io.clusterwright.mpi.JobPolicy
 */
public record JobAttempts(List<JobAttempt> attempts) {

    /** Copies the attempts. */
    public JobAttempts {
        attempts = List.copyOf(attempts);
        if (attempts.isEmpty()) {
            throw new IllegalStateException("a job has at least one attempt");
        }
    }

    /** The result of the last attempt. */
    public JobResult result() {
        return attempts.get(attempts.size() - 1).result();
    }

    /** Whether the last attempt succeeded. */
    public boolean succeeded() {
        return result().succeeded();
    }

    /**
     * This when the last attempt succeeded.
     *
     * @throws JobFailedException when it did not
     */
    public JobAttempts orThrow() {
        result().orThrow();
        return this;
    }

    /** The attempts for people, one in a line. */
    @Override
    public String toString() {
        return attempts.stream()
                .map(one -> "attempt " + one.number() + ": " + one.result().summary()
                        + (one.next().isEmpty() ? "" : "; " + one.next()))
                .collect(Collectors.joining("\n"));
    }

    /**
     * One of the attempts at a job.
     *
     * @param number the first is 1
     * @param nodes the nodes it ran on, in rank order
     * @param result its result
     * @param lost the nodes that could not be used afterwards
     * @param next the step after it, for people, such as {@code left out node2}
     */
    public record JobAttempt(int number, List<NodeName> nodes, JobResult result, List<NodeName> lost, String next) {

        /** Copies the collections. */
        public JobAttempt {
            nodes = List.copyOf(nodes);
            lost = List.copyOf(lost);
        }
    }
}
