package io.clusterwright.mpi.job;

/**
 * Processes of a job that were found on a node after its end. Use it to see which processes outlived a job.
 *
 * @param found processes of the job that still ran after its launcher had ended
 * @param remaining the processes that could not be ended
 * @param problem the reason why the node could not be searched; empty when it was
 * @see JobResult
 */
public record Leftovers(int found, int remaining, String problem) {

    /** Whether the node was looked at and nothing of the job runs there. */
    public boolean isClean() {
        return problem.isEmpty() && remaining == 0;
    }
}
