package io.clusterwright.mpi;

import java.util.List;

/**
 * How a job went that could be started again.
 *
 * @param attempts every attempt in order, at least one
 */
public record RetriedJob(List<JobAttempt> attempts) {

    /** Copies the attempts. */
    public RetriedJob {
        attempts = List.copyOf(attempts);
        if (attempts.isEmpty()) {
            throw new IllegalArgumentException("a job has at least one attempt");
        }
    }

    /** How the last attempt went. */
    public MpiResult result() {
        return attempts.get(attempts.size() - 1).result();
    }

    /** Whether the last attempt succeeded. */
    public boolean succeeded() {
        return result().succeeded();
    }

    /**
     * This when the last attempt succeeded.
     *
     * @throws MpiJobFailedException when it did not
     */
    public RetriedJob orThrow() {
        result().orThrow();
        return this;
    }
}
