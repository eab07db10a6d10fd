package io.clusterwright.mpi;

import java.util.List;

/**
 * How a job went that could be started again.
 *
 * @param attempts every attempt in order, at least one
 */
public record JobAttempts(List<JobAttempt> attempts) {

    /** Copies the attempts. */
    public JobAttempts {
        attempts = List.copyOf(attempts);
        if (attempts.isEmpty()) {
            throw new IllegalArgumentException("a job has at least one attempt");
        }
    }

    /** How the last attempt went. */
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
}
