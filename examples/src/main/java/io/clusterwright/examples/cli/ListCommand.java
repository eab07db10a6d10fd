package io.clusterwright.examples.cli;

import io.clusterwright.core.ClusterManager;
import io.clusterwright.core.ClusterSummary;
import io.clusterwright.core.Node;
import io.clusterwright.core.StateStore;
import io.clusterwright.core.type.NodeSet;
import io.clusterwright.examples.console.ExitCodes;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(name = "list", description = "Lists the clusters in the state store.")
final class ListCommand extends ProgramCommand {
    @Mixin
    private AzureOptions azure = new AzureOptions();

    @Override
    public Integer call() {
        List<ClusterSummary> clusters = ClusterManager.list(StateStore.standard());
        if (clusters.isEmpty() && !json) {
            out.println("no clusters");
        }
        print(clusters, ResultJson::cluster, this::print);
        return ExitCodes.OK;
    }

    private void print(ClusterSummary cluster) {
        String nodes = NodeSet.fold(cluster.nodes().stream().map(Node::name).toList());
        out.printf("%-20s %-8s %-9s %s%n", cluster.name(), cluster.provider(), cluster.phase(), nodes);
        cluster.damage().ifPresent(damage -> out.println("  " + damage));
    }
}
