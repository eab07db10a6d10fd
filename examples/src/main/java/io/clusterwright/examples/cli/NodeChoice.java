package io.clusterwright.examples.cli;

import io.clusterwright.core.Cluster;
import io.clusterwright.core.ClusterManager;
import io.clusterwright.core.ClusterSummary;
import io.clusterwright.core.ClusterSummary.ClusterPhase;
import io.clusterwright.core.Command;
import io.clusterwright.core.MachineState;
import io.clusterwright.core.Node;
import io.clusterwright.core.NodeOutcome;
import io.clusterwright.core.spec.OperatingSystem;
import io.clusterwright.core.type.ClusterName;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.core.type.NodeSet;
import io.clusterwright.core.type.OperationInterruptedException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** The nodes that a command line names: {@code cluster[11-12]}, or {@code head} for the head node; and those on which jobs run. */
final class NodeChoice {
    private static final String HEAD = "head";
    private static final Command SEARCH =
            Command.shell("ps -eo args | grep -q '[c]wjob-'").timeout(Duration.ofSeconds(5));

    private NodeChoice() {}

    /** The nodes of this expression, all where it is empty; refuses a node that the cluster does not have. */
    static List<NodeName> of(Cluster cluster, String expression) {
        return expression.isEmpty()
                ? cluster.nodes().stream().map(Node::name).toList()
                : of(cluster, expression, cluster.nodes());
    }

    /** The nodes of this expression that run ranks; refuses others. */
    static List<NodeName> compute(Cluster cluster, String expression) {
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

    /**
     * Prints a warning that names the nodes on which a job runs, before they are taken from it; nothing for a cluster that is not ready or
     * does not answer.
     */
    static void warnOfJobs(ClusterManager manager, ClusterName name, String effect, ProgressPrinter progress) {
        try {
            List<NodeName> busy = busy(manager, name);
            if (!busy.isEmpty()) {
                progress.line("warning: a job runs on " + NodeSet.fold(busy) + "; " + effect);
            }
        } catch (OperationInterruptedException e) {
            throw e;
        } catch (ClusterwrightException e) {
            progress.status("jobs were not searched for: " + e.getMessage());
        }
    }

    private static List<NodeName> busy(ClusterManager manager, ClusterName name) {
        boolean ready = manager.list().stream()
                .filter(cluster -> cluster.name().equals(name))
                .map(ClusterSummary::phase)
                .anyMatch(ClusterPhase.READY::equals);
        if (!ready) {
            return List.of();
        }
        Map<NodeName, MachineState> states = manager.states(name);
        try (Cluster cluster = manager.open(name)) {
            if (cluster.spec().operatingSystem() != OperatingSystem.LINUX) {
                return List.of();
            }
            List<NodeName> running = states.keySet().stream()
                    .filter(node -> states.get(node) == MachineState.RUNNING)
                    .toList();
            return cluster.run(SEARCH, running, cluster.loginUser()).successes().stream()
                    .map(NodeOutcome::node)
                    .toList();
        }
    }
}
