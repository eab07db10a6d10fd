package io.clusterwright.examples.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import io.clusterwright.core.ClusterManager;
import io.clusterwright.core.ClusterSummary;
import io.clusterwright.core.Node;
import io.clusterwright.core.internal.json.Json;
import io.clusterwright.core.type.NodeSet;
import io.clusterwright.examples.SharedAzure;
import io.clusterwright.examples.console.ExitCodes;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(name = "list", description = "Lists the clusters in the state store.")
final class ListCommand implements Callable<Integer> {
    @Mixin
    private CommonOptions common = new CommonOptions();

    @Mixin
    private AzureOptions azure = new AzureOptions();

    @Override
    public Integer call() {
        List<ClusterSummary> clusters = new ArrayList<>();
        for (CommonOptions.Provider on : CommonOptions.Provider.values()) {
            try (ClusterManager manager = common.manager(on, azure, SharedAzure.Want.USE)) {
                clusters.addAll(manager.list());
            }
        }
        if (common.json) {
            ArrayNode array = Json.array();
            clusters.forEach(cluster -> array.add(ResultJson.cluster(cluster)));
            common.print(array);
            return ExitCodes.OK;
        }
        if (clusters.isEmpty()) {
            common.out.println("no clusters");
        }
        for (ClusterSummary cluster : clusters) {
            String nodes = NodeSet.fold(cluster.nodes().stream().map(Node::name).toList());
            common.out.printf("%-20s %-8s %-9s %s%n", cluster.name(), cluster.provider(), cluster.phase(), nodes);
        }
        return ExitCodes.OK;
    }
}
