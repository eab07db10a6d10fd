package io.clusterwright.examples.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.clusterwright.core.ClusterDescription;
import io.clusterwright.core.ClusterDescription.NodeDescription;
import io.clusterwright.core.ClusterManager;
import io.clusterwright.core.MachineState;
import io.clusterwright.core.SshAccess;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.examples.console.ExitCodes;
import io.clusterwright.examples.console.ResultJson;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "describe",
        description =
                "Shows what is known of a cluster and its last checks, or of a node with its console and its logs.")
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
            description = "Lines of each log, the last ones; default: ${DEFAULT-VALUE}.")
    private int lines = 20;

    @Override
    int run(ClusterManager manager) {
        List<NodeName> withLogs = node == null ? List.of() : List.of(NodeName.of(node));
        ClusterDescription description = manager.describe(name(), withLogs, lines);
        List<NodeDescription> shown = description.nodes().stream()
                .filter(each ->
                        withLogs.isEmpty() || withLogs.contains(each.node().name()))
                .toList();
        Optional<SshAccess> access = access(manager, description);
        if (json) {
            print(json(description, shown, access));
        } else {
            print(description, shown, access);
        }
        return ExitCodes.OK;
    }

    /** The ways to the nodes; empty where none is reached by SSH now. */
    private Optional<SshAccess> access(ClusterManager manager, ClusterDescription description) {
        boolean running = description.nodes().stream().anyMatch(each -> each.state() == MachineState.RUNNING);
        try {
            return running ? Optional.of(manager.sshAccess(name())) : Optional.empty();
        } catch (ClusterwrightException e) {
            return Optional.empty();
        }
    }

    private void print(ClusterDescription description, List<NodeDescription> shown, Optional<SshAccess> access) {
        out.println(
                description.summary().name() + " on " + description.summary().provider() + ", "
                        + description.summary().phase()
                        + description
                                .summary()
                                .created()
                                .map(time -> ", created " + local(time))
                                .orElse(""));
        description.summary().expires().ifPresent(time -> out.println("expires " + local(time)));
        Map<NodeName, String> ways = ways(access);
        for (NodeDescription each : shown) {
            out.println(each.node().name());
            out.println("  state      " + ResultJson.word(each.state()));
            out.println("  address    " + each.node().address());
            Optional.ofNullable(ways.get(each.node().name())).ifPresent(way -> out.println("  ssh        " + way));
            out.println("  network    " + ResultJson.word(each.node().interconnect()));
            out.println("  host key   " + each.node().hostKey().fingerprint());
            each.logs().forEach((name, text) -> {
                out.println("  " + name);
                text.lines().forEach(line -> out.println("    " + line));
            });
        }
        out.println(description.checks().isEmpty() ? "no check has run yet; verify runs them" : "last checks");
        description
                .checks()
                .forEach(check -> out.printf(
                        "  %s  %-10s %-11s %s%n",
                        local(check.at()), check.check(), ResultJson.word(check.status()), check.summary()));
    }

    /** The ways to the nodes, by node. */
    private static Map<NodeName, String> ways(Optional<SshAccess> access) {
        return access.stream()
                .flatMap(ways -> ways.routes().stream())
                .collect(Collectors.toMap(
                        SshAccess.Route::node,
                        route -> route.host() + " port " + route.port()
                                + route.through()
                                        .map(other -> " through " + other)
                                        .orElse("")));
    }

    private static ObjectNode json(
            ClusterDescription description, List<NodeDescription> shown, Optional<SshAccess> access) {
        ObjectNode json = ResultJson.cluster(description.summary());
        Map<NodeName, String> ways = ways(access);
        ArrayNode nodes = json.putArray("nodes");
        for (NodeDescription each : shown) {
            ObjectNode one = nodes.addObject()
                    .put("name", each.node().name().value())
                    .put("state", ResultJson.word(each.state()))
                    .put("address", each.node().address().toString())
                    .put("interconnect", ResultJson.word(each.node().interconnect()))
                    .put("hostKey", each.node().hostKey().fingerprint());
            Optional.ofNullable(ways.get(each.node().name())).ifPresent(way -> one.put("ssh", way));
            ObjectNode logs = one.putObject("logs");
            each.logs().forEach(logs::put);
        }
        ArrayNode checks = json.putArray("checks");
        description
                .checks()
                .forEach(check -> checks.addObject()
                        .put("at", check.at().toString())
                        .put("check", check.check())
                        .put("status", ResultJson.word(check.status()))
                        .put("summary", check.summary()));
        return json;
    }
}
