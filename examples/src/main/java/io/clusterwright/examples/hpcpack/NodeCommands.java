package io.clusterwright.examples.hpcpack;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.clusterwright.core.internal.json.Json;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.core.type.NodeSet;
import io.clusterwright.examples.console.ExitCodes;
import io.clusterwright.examples.console.RefusedException;
import io.clusterwright.windows.hpcpack.HpcPackClient;
import io.clusterwright.windows.hpcpack.HpcPackNode;
import io.clusterwright.windows.hpcpack.NodeState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The commands about the nodes of a head node and their groups. */
final class NodeCommands {
    private NodeCommands() {}

    private static List<String> expanded(List<String> expressions) {
        return expressions.stream()
                .flatMap(text -> NodeSet.expand(text).stream())
                .map(NodeName::value)
                .toList();
    }

    private static void print(HpcPackCommand head, List<HpcPackNode> nodes) {
        if (head.json()) {
            head.print(nodes, NodeCommands::json, node -> {});
            return;
        }
        head.table(
                List.of("NODE", "STATE", "HEALTH", "CORES", "GROUPS"),
                nodes.stream()
                        .map(node -> List.of(
                                node.name(),
                                node.state().word(),
                                node.health().word(),
                                node.cores().isPresent()
                                        ? Integer.toString(node.cores().getAsInt())
                                        : "-",
                                String.join(",", node.groups())))
                        .toList());
    }

    private static ObjectNode json(HpcPackNode node) {
        ObjectNode json = Json.object()
                .put("name", node.name())
                .put("state", node.state().word())
                .put("health", node.health().word())
                .put("takesJobs", node.takesJobs());
        node.cores().ifPresent(cores -> json.put("cores", cores));
        ArrayNode groups = json.putArray("groups");
        node.groups().forEach(groups::add);
        return json;
    }

    @Command(name = "nodes", description = "Lists the nodes with state, health, cores and groups.")
    static final class Nodes extends HeadNodeCommand {
        @Option(names = "--group", paramLabel = "GROUP", description = "Only the nodes of this group.")
        private @Nullable String group;

        @Override
        int run(HpcPackClient client) {
            List<HpcPackNode> all = client.nodes().list();
            if (group != null) {
                Set<String> members = lower(client.nodes().inGroup(group));
                all = all.stream()
                        .filter(node -> members.contains(node.name().toLowerCase(Locale.ROOT)))
                        .toList();
            }
            print(head(), all);
            return ExitCodes.OK;
        }

        private static Set<String> lower(List<String> names) {
            return names.stream().map(name -> name.toLowerCase(Locale.ROOT)).collect(Collectors.toSet());
        }
    }

    @Command(name = "groups", description = "Lists the node groups with their nodes, or changes one.")
    static final class Groups extends HeadNodeCommand {
        @Option(
                names = "--add",
                paramLabel = "GROUP",
                description = "Add the nodes to this group; it is created where it does not exist.")
        private @Nullable String grown;

        @Option(names = "--remove", paramLabel = "GROUP", description = "Take the nodes out of this group.")
        private @Nullable String shrunk;

        @Parameters(arity = "0..*", paramLabel = "NODE", description = "Nodes to add or remove, such as CN[001-004].")
        private List<String> nodes = List.of();

        @Override
        void check() {
            boolean changes = grown != null || shrunk != null;
            if (grown != null && shrunk != null || changes == nodes.isEmpty()) {
                throw new RefusedException(
                        "groups lists all groups without an argument, and changes one with --add GROUP NODE… or --remove"
                                + " GROUP NODE…");
            }
        }

        @Override
        int run(HpcPackClient client) {
            if (grown != null) {
                if (client.nodes().groups().stream().noneMatch(grown::equalsIgnoreCase)) {
                    client.nodes().createGroup(grown, "");
                }
                client.nodes().addToGroup(grown, expanded(nodes));
            } else if (shrunk != null) {
                client.nodes().removeFromGroup(shrunk, expanded(nodes));
            }
            print(client);
            return ExitCodes.OK;
        }

        private void print(HpcPackClient client) {
            Map<String, List<String>> groups = new LinkedHashMap<>();
            client.nodes()
                    .groups()
                    .forEach(name -> groups.put(name, client.nodes().inGroup(name)));
            if (head().json()) {
                head().print(
                                groups.entrySet(),
                                group -> {
                                    ObjectNode json = Json.object().put("name", group.getKey());
                                    group.getValue().forEach(json.putArray("nodes")::add);
                                    return json;
                                },
                                group -> {});
                return;
            }
            head().table(
                            List.of("GROUP", "NODES"),
                            groups.entrySet().stream()
                                    .map(group -> List.of(
                                            group.getKey(),
                                            NodeSet.fold(group.getValue().stream()
                                                    .map(NodeName::of)
                                                    .toList())))
                                    .toList());
        }
    }

    /** A change of nodes, and the state it leads to. */
    abstract static class Change extends HeadNodeCommand {
        @Parameters(arity = "1..*", paramLabel = "NODE", description = "Nodes, such as CN001 or AzureCN-[0001-0018].")
        private List<String> names = List.of();

        @Option(
                names = "--wait",
                paramLabel = "SECONDS",
                description = "Wait at most this long until each node has the new state. Default: do not wait.")
        private int seconds;

        /** Asks for the change. */
        abstract void change(HpcPackClient.Nodes nodes, String name);

        /** The state that a node has after it. */
        abstract NodeState goal();

        @Override
        void check() {
            expanded(names);
            if (seconds < 0) {
                throw new RefusedException(
                        "--wait " + seconds + " is not possible; give a number of seconds, such as 600");
            }
        }

        @Override
        int run(HpcPackClient client) {
            HpcPackClient.Nodes nodes = client.nodes();
            List<String> all = expanded(names);
            all.forEach(nodes::get); // an unknown name changes nothing
            all.forEach(name -> change(nodes, name));
            List<HpcPackNode> changed = new ArrayList<>();
            for (String name : all) {
                changed.add(seconds == 0 ? nodes.get(name) : nodes.await(name, goal(), Duration.ofSeconds(seconds)));
            }
            print(head(), changed);
            return ExitCodes.OK;
        }
    }

    @Command(name = "online", description = "Lets nodes take jobs.")
    static final class Online extends Change {
        @Override
        void change(HpcPackClient.Nodes nodes, String name) {
            nodes.bringOnline(name);
        }

        @Override
        NodeState goal() {
            return NodeState.ONLINE;
        }
    }

    @Command(name = "offline", description = "Lets nodes take no more jobs; running jobs go on.")
    static final class Offline extends Change {
        @Override
        void change(HpcPackClient.Nodes nodes, String name) {
            nodes.takeOffline(name);
        }

        @Override
        NodeState goal() {
            return NodeState.OFFLINE;
        }
    }

    @Command(
            name = "start",
            description = "Starts burst or virtual nodes, which are billed from then on; then bring them online.")
    static final class Start extends Change {
        @Override
        void change(HpcPackClient.Nodes nodes, String name) {
            nodes.start(name);
        }

        @Override
        NodeState goal() {
            return NodeState.OFFLINE;
        }
    }

    @Command(name = "stop", description = "Stops burst or virtual nodes; take them offline first.")
    static final class Stop extends Change {
        @Override
        void change(HpcPackClient.Nodes nodes, String name) {
            nodes.stop(name);
        }

        @Override
        NodeState goal() {
            return NodeState.NOT_DEPLOYED;
        }
    }
}
