package io.clusterwright.mpi.fabric;

import io.clusterwright.core.type.NodeName;
import java.util.List;
import java.util.stream.IntStream;

/** Names for tests. */
final class Nodes {
    private Nodes() {}

    static NodeName node(int number) {
        return NodeName.of("node" + number);
    }

    static List<NodeName> first(int count) {
        return IntStream.rangeClosed(1, count).mapToObj(Nodes::node).toList();
    }

    static NodePair pair(int first, int second) {
        return new NodePair(node(first), node(second));
    }
}
