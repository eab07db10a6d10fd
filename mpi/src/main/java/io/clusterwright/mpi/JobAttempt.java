package io.clusterwright.mpi;

import io.clusterwright.core.type.NodeName;
import java.util.List;

/**
 * One of the attempts at a job.
 *
 * @param number the first is 1
 * @param nodes the nodes it ran on, in rank order
 * @param result how it went
 * @param lost the nodes that could not be used afterwards
 * @param next what was done then, for people, such as {@code left out node2}
 */
public record JobAttempt(int number, List<NodeName> nodes, JobResult result, List<NodeName> lost, String next) {

    /** Copies the collections. */
    public JobAttempt {
        nodes = List.copyOf(nodes);
        lost = List.copyOf(lost);
    }
}
