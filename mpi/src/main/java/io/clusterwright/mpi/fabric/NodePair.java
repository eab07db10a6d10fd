package io.clusterwright.mpi.fabric;

import io.clusterwright.core.type.InvalidValueException;
import io.clusterwright.core.type.NodeName;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Two nodes that are measured together. Use it to measure some pairs only. Which is first changes nothing but who
 * starts the benchmark, so a pair equals its reverse.
 *
 * @param first the node that starts the benchmark
 * @param second the other
 * @see FabricCheck
 */
public record NodePair(NodeName first, NodeName second) {

    /**
     * Checks the nodes.
     *
     * @throws InvalidValueException when they are the same
     */
    public NodePair {
        if (first.equals(second)) {
            throw new InvalidValueException("pair", first + " and " + second, "two different nodes", "node1 and node2");
        }
    }

    /** The two nodes. */
    public List<NodeName> nodes() {
        return List.of(first, second);
    }

    /** Whether this node is one of the two. */
    public boolean has(NodeName node) {
        return first.equals(node) || second.equals(node);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof NodePair that && has(that.first) && has(that.second);
    }

    @Override
    public int hashCode() {
        return first.hashCode() + second.hashCode();
    }

    /** The pair for people, such as {@code node1 - node2}. */
    @Override
    public String toString() {
        return first + " - " + second;
    }
}
