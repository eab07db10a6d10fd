package io.clusterwright.examples.options;

import io.clusterwright.core.Cluster;
import io.clusterwright.core.Node;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.core.type.NodeSet;
import io.clusterwright.examples.console.RefusedException;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** The nodes that a command line names: {@code cluster[11-12]}, or {@code head} for the head node. */
public final class NodeChoice {
    private static final String HEAD = "head";

    private NodeChoice() {}

    /** The nodes of this expression; refuses a node that the cluster does not have. */
    public static List<NodeName> of(Cluster cluster, String expression) {
        return of(cluster, expression, cluster.nodes());
    }

    /** The nodes of this expression that run ranks; refuses others. */
    public static List<NodeName> compute(Cluster cluster, String expression) {
        return of(cluster, expression, cluster.computeNodes());
    }

    private static List<NodeName> of(Cluster cluster, String expression, Collection<Node> among) {
        Set<NodeName> all = among.stream().map(Node::name).collect(Collectors.toSet());
        List<NodeName> wanted = expression.equals(HEAD) && !all.contains(new NodeName(HEAD))
                ? List.of(cluster.head().name())
                : NodeSet.expand(expression);
        List<NodeName> unknown =
                wanted.stream().filter(node -> !all.contains(node)).toList();
        if (!unknown.isEmpty()) {
            String kind = among.size() == cluster.nodes().size() ? "" : "compute node ";
            throw new RefusedException("cluster " + cluster.name() + " has no " + kind + NodeSet.fold(unknown)
                    + "; it has " + NodeSet.fold(all));
        }
        return wanted;
    }
}
