package io.clusterwright.examples.options;

import io.clusterwright.core.Cluster;
import io.clusterwright.core.ClusterManager;
import io.clusterwright.core.ClusterSummary;
import io.clusterwright.core.ClusterSummary.ClusterPhase;
import io.clusterwright.core.Command;
import io.clusterwright.core.MachineState;
import io.clusterwright.core.NodeOutcome;
import io.clusterwright.core.spec.OperatingSystem;
import io.clusterwright.core.type.ClusterName;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.core.type.NodeSet;
import io.clusterwright.core.type.OperationInterruptedException;
import io.clusterwright.examples.console.ProgressPrinter;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** The search for jobs that run on a cluster, before its nodes are taken from them. */
public final class RunningJobs {
    private static final Command SEARCH =
            Command.shell("ps -eo args | grep -q '[c]wjob-'").timeout(Duration.ofSeconds(5));

    private RunningJobs() {}

    /** Prints a warning that names the nodes on which a job runs; nothing for a cluster that is not ready or does not answer. */
    public static void warn(ClusterManager manager, ClusterName name, String effect, ProgressPrinter progress) {
        try {
            List<NodeName> busy = search(manager, name);
            if (!busy.isEmpty()) {
                progress.line("warning: a job runs on " + NodeSet.fold(busy) + "; " + effect);
            }
        } catch (OperationInterruptedException e) {
            throw e;
        } catch (ClusterwrightException e) {
            progress.status("jobs were not searched for: " + e.getMessage());
        }
    }

    private static List<NodeName> search(ClusterManager manager, ClusterName name) {
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
