package io.clusterwright.core.spec;

import io.clusterwright.core.type.AddressRange;
import io.clusterwright.core.type.InvalidValueException;
import io.clusterwright.core.type.Ipv4Address;
import io.clusterwright.core.type.NamePattern;
import io.clusterwright.core.type.NodeName;

/** Rules between the parts of a cluster. */
final class CrossRules {
    private CrossRules() {}

    static void headNode(Problems problems, NodeGroup nodes, HeadNode head) {
        if (head.givenIndex().isEmpty() && head.givenName().isEmpty() && nodes.firstIndex() == 0) {
            problems.add(
                    "headNode.index", "there is no index before the first node's, which is 0", "give headNode.index");
            return;
        }
        problems.attempt("headNode.name", () -> {
            NodeName name = head.name();
            if (isOneOf(nodes, name)) {
                problems.add(
                        "headNode." + (head.givenName().isPresent() ? "name" : "index"),
                        "the head node would have the name of a compute node, " + name,
                        "give another, such as an index before " + nodes.firstIndex());
            }
        });
    }

    static void addresses(Problems problems, NodeGroup nodes, NetworkSpec network) {
        network.firstAddress().ifPresent(first -> {
            AddressRange range = network.subnet().range();
            Ipv4Address last = range.network().plus(range.size() - 2);
            if (first.toLong() + nodes.count() - 1 > last.toLong()) {
                problems.add(
                        "network.firstAddress",
                        nodes.count() + " nodes from " + first + " reach past " + last + ", the last address of "
                                + range + " that a node can have",
                        "start earlier, or give the subnet a larger range");
            }
        });
    }

    private static boolean isOneOf(NodeGroup nodes, NodeName name) {
        NamePattern pattern = nodes.pattern();
        try {
            return pattern.index(name) < pattern.firstIndex() + nodes.count();
        } catch (InvalidValueException e) {
            return false;
        }
    }
}
