package io.clusterwright.examples.cli;

import io.clusterwright.core.ClusterDescription;
import io.clusterwright.core.ClusterDescription.NodeDescription;
import io.clusterwright.core.ClusterDescription.PastCheck;
import io.clusterwright.core.ClusterManager;
import io.clusterwright.core.MachineState;
import io.clusterwright.core.Node;
import io.clusterwright.core.SshAccess;
import io.clusterwright.core.internal.json.JsonFields;
import io.clusterwright.core.internal.text.PrintableText;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.core.type.NodeName;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "describe",
        description = "Shows a cluster with its last checks, or a node with its console and its logs.")
final class DescribeCommand extends ClusterCommand {
    @Parameters(
            index = "1",
            arity = "0..1",
            paramLabel = "NODE",
            description = "Default: the whole cluster, without logs.")
    private @Nullable String node;

    @Option(
            names = "--lines",
            paramLabel = "N",
            description = "Number of last lines of each log; default: ${DEFAULT-VALUE}.")
    private int lines = 20;

    @Override
    int run(ClusterManager manager) {
        List<NodeName> withLogs = node == null ? List.of() : List.of(NodeName.of(node));
        ClusterDescription description = manager.describe(name(), withLogs, lines);
        List<NodeDescription> shown = description.nodes().stream()
                .filter(each ->
                        withLogs.isEmpty() || withLogs.contains(each.node().name()))
                .toList();
        Map<NodeName, String> ways = ways(manager, description);
        return print(() -> json(description, shown, ways), () -> print(description, shown, ways));
    }

    /** The ways to the nodes, by node; empty where none is reached by SSH now. */
    private Map<NodeName, String> ways(ClusterManager manager, ClusterDescription description) {
        if (description.nodes().stream().noneMatch(each -> each.state() == MachineState.RUNNING)) {
            return Map.of();
        }
        Map<NodeName, String> ways = new HashMap<>();
        try {
            for (SshAccess.Route route : manager.sshAccess(name()).routes()) {
                String through =
                        route.through().map(other -> " through " + other).orElse("");
                ways.put(route.node(), route.host() + " port " + route.port() + through);
            }
        } catch (ClusterwrightException e) {
            return Map.of();
        }
        return ways;
    }

    private void print(ClusterDescription description, List<NodeDescription> shown, Map<NodeName, String> ways) {
        out.println(header(description.summary(), ""));
        description.summary().expires().ifPresent(time -> out.println("expires " + local(time)));
        for (NodeDescription each : shown) {
            Node node = each.node();
            out.println(node.name());
            out.println("  state      " + PrintableText.word(each.state()));
            out.println("  address    " + node.address());
            Optional.ofNullable(ways.get(node.name())).ifPresent(way -> out.println("  ssh        " + way));
            out.println("  network    " + PrintableText.word(node.interconnect()));
            out.println("  host key   " + node.hostKey().fingerprint());
            each.logs().forEach((name, text) -> {
                out.println("  " + name);
                text.lines().forEach(line -> out.println("    " + line));
            });
        }
        out.println(description.checks().isEmpty() ? "no check has run yet; verify runs them" : "last checks");
        for (PastCheck check : description.checks()) {
            String status = PrintableText.word(check.status());
            out.printf("  %s  %-10s %-11s %s%n", local(check.at()), check.check(), status, check.summary());
        }
    }

    private static JsonFields json(
            ClusterDescription description, List<NodeDescription> shown, Map<NodeName, String> ways) {
        return JsonFields.of(description)
                .and(
                        "nodes",
                        JsonFields.list(
                                shown,
                                each -> JsonFields.of(each)
                                        .and(
                                                "ssh",
                                                Optional.ofNullable(
                                                        ways.get(each.node().name())))));
    }
}
