package io.clusterwright.core.internal.lifecycle;

import io.clusterwright.core.CheckReport;
import io.clusterwright.core.CheckReport.Status;
import io.clusterwright.core.Cluster;
import io.clusterwright.core.Command;
import io.clusterwright.core.Node;
import io.clusterwright.core.NodeOutcome;
import io.clusterwright.core.NodeSession;
import io.clusterwright.core.internal.concurrent.Deadline;
import io.clusterwright.core.internal.concurrent.WaitTime;
import io.clusterwright.core.internal.session.FanOut;
import io.clusterwright.core.internal.session.Reconnection;
import io.clusterwright.core.spi.ClusterCheck;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.core.type.NodeSet;
import io.clusterwright.core.type.OperationInterruptedException;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * Runs checks, and a check again when the connection to a node was lost meanwhile and came back: a check changes nothing on the nodes. Nodes
 * that cannot be reached before the first check are not waited for. One thread.
 */
final class SteadyCheck {
    private static final int MOST_REPEATS = 3;
    private static final Command ANSWER = Command.of("true").timeout(Duration.ofSeconds(20));

    private final Cluster cluster;
    private final Map<NodeName, NodeSession> open = new ConcurrentHashMap<>();

    SteadyCheck(Cluster cluster) {
        this.cluster = cluster;
    }

    CheckReport run(ClusterCheck check, Consumer<String> progress) {
        if (open.isEmpty()) {
            keep(cluster.nodes().stream().map(Node::name).toList());
        }
        for (int repeats = 0; ; repeats++) {
            CheckReport report = check.run(cluster, progress);
            Set<NodeName> lost =
                    report.status() == Status.FAILED || report.status() == Status.NOT_CHECKED ? lost() : Set.of();
            if (lost.isEmpty() || repeats == MOST_REPEATS) {
                return report;
            }
            String nodes = NodeSet.fold(lost);
            progress.accept("the connection to " + nodes + " was lost during check " + check.name()
                    + ": it is opened again for " + Deadline.text(Reconnection.LIMIT) + ", and the check is repeated");
            if (!reopened(lost)) {
                return report;
            }
            progress.accept("the connection to " + nodes + " is open again");
        }
    }

    private Set<NodeName> lost() {
        Set<NodeName> lost = unreached(open.keySet());
        open.forEach((node, session) -> {
            if (!session.isOpen()) {
                lost.add(node);
            }
        });
        return lost;
    }

    private boolean reopened(Set<NodeName> lost) {
        Reconnection reconnection = new Reconnection(WaitTime.OF_PROCESS);
        while (!unreached(lost).isEmpty()) {
            if (reconnection.isOver()) {
                return false;
            }
            try {
                reconnection.pause();
            } catch (InterruptedException e) {
                throw new OperationInterruptedException(
                        "interrupted while the connection to " + NodeSet.fold(lost) + " was opened again", e);
            }
        }
        keep(lost);
        return true;
    }

    private void keep(Collection<NodeName> nodes) {
        FanOut.copy(nodes, cluster::session, ANSWER, session -> open.put(session.node(), session));
    }

    private Set<NodeName> unreached(Collection<NodeName> nodes) {
        return FanOut.each(nodes, cluster::session, session -> session.run(ANSWER)).outcomes().stream()
                .filter(outcome -> !(outcome instanceof NodeOutcome.Completed))
                .map(NodeOutcome::node)
                .collect(Collectors.toCollection(TreeSet::new));
    }
}
