package io.clusterwright.windows.hpcpack;

import java.util.List;

/**
 * A node as the head node tells of it.
 *
 * @param name its name, in the case the head node uses
 * @param state whether it takes jobs
 * @param health whether it answers
 * @param cores its cores; 0 when the head node did not say
 * @param sockets its sockets; 0 when the head node did not say
 * @param memoryMebibytes its memory; 0 when the head node did not say
 * @param groups the node groups it belongs to; empty when the head node did not say
 * @param template its node template; empty when the head node did not say
 */
public record HpcPackNode(
        String name,
        NodeState state,
        NodeHealth health,
        int cores,
        int sockets,
        long memoryMebibytes,
        List<String> groups,
        String template) {
    /** Copies the groups. */
    public HpcPackNode {
        groups = List.copyOf(groups);
    }

    /** Whether jobs can start on it now. */
    public boolean takesJobs() {
        return state == NodeState.ONLINE && health == NodeHealth.OK;
    }
}
