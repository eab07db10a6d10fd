package io.clusterwright.mpi.spi;

import io.clusterwright.core.NodeSession;
import io.clusterwright.core.type.InvalidValueException;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.mpi.job.JobTarget;
import java.util.Collection;
import java.util.Optional;

/**
 * Nodes to which sessions can be opened: a launcher is started on the first of them. Implement it for nodes that are
 * reached in a way of their own.
 *
 * @see WrappedNodes
 */
public interface NodeTarget extends LaunchTarget {

    /**
     * A target whose nodes can be logged in to.
     *
     * @throws InvalidValueException when no session to its nodes can be opened
     */
    static NodeTarget of(JobTarget target) {
        if (target instanceof NodeTarget nodes) {
            return nodes;
        }
        throw InvalidValueException.of(
                "this needs SSH logins to the nodes, and " + target.getClass().getSimpleName() + " has none",
                "use a target whose nodes can be reached by SSH (example: JobTarget.of(cluster))");
    }

    /**
     * The session to a node, as the user jobs run as. It belongs to the target: do not close it.
     *
     * @throws io.clusterwright.core.NodeUnreachableException when the node cannot be reached
     */
    NodeSession session(NodeName node);

    /**
     * The launcher of the jobs of this target whatever their MPI, such as {@code srun}; absent when it is the one of the MPI itself.
     */
    default Optional<Launcher> launcher() {
        return Optional.empty();
    }

    @Override
    NodeTarget only(Collection<NodeName> names);
}
