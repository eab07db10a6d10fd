package io.clusterwright.examples.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.clusterwright.core.ClusterManager;
import io.clusterwright.core.ClusterSummary;
import io.clusterwright.core.MachineState;
import io.clusterwright.core.Node;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.examples.console.ExitCodes;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(name = "show", description = "Shows the nodes of a cluster, with addresses and states.")
final class ShowCommand implements Callable<Integer> {
    @Mixin
    private CommonOptions common = new CommonOptions();

    @Mixin
    private ClusterArgument cluster = new ClusterArgument();

    @Override
    public Integer call() {
        try (ClusterManager manager = cluster.manager(common)) {
            ClusterSummary summary = cluster.summary(manager);
            Map<NodeName, MachineState> states = manager.states(summary.name());
            print(common, summary, states);
            return ExitCodes.OK;
        }
    }

    /** Prints a cluster with the current states of its machines, as text or JSON. */
    static void print(CommonOptions common, ClusterSummary summary, Map<NodeName, MachineState> states) {
        if (common.json) {
            ObjectNode json = ResultJson.cluster(summary);
            json.withArray("nodes")
                    .forEach(node -> ((ObjectNode) node)
                            .put(
                                    "state",
                                    text(states.get(
                                            NodeName.parse(node.path("name").asText())))));
            common.print(json);
            return;
        }
        common.out.printf(
                "%s on %s, %s, created %s%n", summary.name(), summary.provider(), summary.phase(), summary.created());
        summary.expires().ifPresent(time -> common.out.println("expires " + time));
        for (Node node : summary.nodes()) {
            common.out.printf(
                    "  %-20s %-15s %-8s %s%n",
                    node.name(),
                    node.address(),
                    text(states.get(node.name())),
                    node.hostKey().fingerprint());
        }
    }

    private static String text(@org.jspecify.annotations.Nullable MachineState state) {
        return (state == null ? MachineState.ABSENT : state).name().toLowerCase(Locale.ROOT);
    }
}
