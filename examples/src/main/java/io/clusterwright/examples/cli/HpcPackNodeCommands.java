package io.clusterwright.examples.cli;

import io.clusterwright.core.internal.json.JsonFields;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.core.type.NodeSet;
import io.clusterwright.windows.hpcpack.HpcPackClient;
import io.clusterwright.windows.hpcpack.HpcPackNode;
import io.clusterwright.windows.hpcpack.HpcPackNodes;
import io.clusterwright.windows.hpcpack.NodeState;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The commands about the nodes of a head node and their groups. */
final class HpcPackNodeCommands {
    private HpcPackNodeCommands() {}

    private static List<String> expanded(List<String> expressions) {
        return expressions.stream()
                .flatMap(text -> NodeSet.expand(text).stream())
                .map(NodeName::value)
                .toList();
    }

    private static int printNodes(HpcPackCommand.OnHead command, List<HpcPackNode> nodes) {
        return command.print(
                nodes,
                node -> JsonFields.of("name", node.name())
                        .and("state", node.state().word())
                        .and("health", node.health().word())
                        .and("takesJobs", node.takesJobs())
                        .and("cores", node.cores())
                        .and("groups", node.groups()),
                List.of("NODE", "STATE", "HEALTH", "CORES", "GROUPS"),
                node -> List.of(
                        node.name(),
                        node.state().word(),
                        node.health().word(),
                        node.cores().isPresent() ? Integer.toString(node.cores().getAsInt()) : "-",
                        String.join(",", node.groups())));
    }

    @Command(name = "nodes", description = "Lists the nodes with state, health, cores and groups.")
    static final class Nodes extends HpcPackCommand.OnHead {
        @Option(names = "--group", paramLabel = "GROUP", description = "Only the nodes of this group.")
        private @Nullable String group;

        @Override
        int run(HpcPackClient client) {
            List<HpcPackNode> all = client.nodes().list();
            if (group != null) {
                Set<String> members =
                        client.nodes().inGroup(group).stream().map(Nodes::lower).collect(Collectors.toSet());
                all = all.stream()
                        .filter(node -> members.contains(lower(node.name())))
                        .toList();
            }
            return printNodes(this, all);
        }

        private static String lower(String name) {
            return name.toLowerCase(Locale.ROOT);
        }
    }

    @Command(name = "groups", description = "Lists the node groups with their nodes, or changes one.")
    static final class Groups extends HpcPackCommand.OnHead {
        @Option(
                names = "--add",
                paramLabel = "GROUP",
                description = "Add the nodes to this group; a missing group is created.")
        private @Nullable String grown;

        @Option(names = "--remove", paramLabel = "GROUP", description = "Take the nodes out of this group.")
        private @Nullable String shrunk;

        @Parameters(arity = "0..*", paramLabel = "NODE", description = "Nodes to add or remove, such as 'CN[001-004]'.")
        private List<String> nodes = List.of();

        @Override
        void check() {
            boolean changes = grown != null || shrunk != null;
            if (grown != null && shrunk != null || changes == nodes.isEmpty()) {
                throw new RefusedException("write clusterwright hpcpack HOST groups, or add --add GROUP NODE… or"
                        + " --remove GROUP NODE…");
            }
        }

        @Override
        int run(HpcPackClient client) {
            HpcPackNodes all = client.nodes();
            if (grown != null) {
                all.addToGroup(grown, expanded(nodes));
            } else if (shrunk != null) {
                all.removeFromGroup(shrunk, expanded(nodes));
            }
            Map<String, List<String>> groups = new LinkedHashMap<>();
            all.groups().forEach(name -> groups.put(name, all.inGroup(name)));
            return print(
                    groups.entrySet(),
                    group -> JsonFields.of("name", group.getKey()).and("nodes", group.getValue()),
                    List.of("GROUP", "NODES"),
                    group -> List.of(
                            group.getKey(),
                            NodeSet.fold(
                                    group.getValue().stream().map(NodeName::of).toList())));
        }
    }

    /** A change of nodes, and the state it leads to. */
    abstract static class Change extends HpcPackCommand.OnHead {
        @Parameters(arity = "1..*", paramLabel = "NODE", description = "Nodes, such as CN001 or 'AzureCN-[0001-0018]'.")
        private List<String> names = List.of();

        @Option(
                names = "--wait",
                paramLabel = "SECONDS",
                description = "Wait at most this long until each node has the new state. Default: do not wait.")
        private int seconds;

        private final BiConsumer<HpcPackNodes, String[]> change;
        private final NodeState goal;

        Change(BiConsumer<HpcPackNodes, String[]> change, NodeState goal) {
            this.change = change;
            this.goal = goal;
        }

        @Override
        void check() {
            expanded(names);
            if (seconds < 0) {
                throw new RefusedException(
                        "invalid --wait \"" + seconds + "\": use a number of seconds (example: 600)");
            }
        }

        @Override
        int run(HpcPackClient client) {
            HpcPackNodes nodes = client.nodes();
            List<String> all = expanded(names);
            all.forEach(nodes::get); // an unknown name changes nothing
            change.accept(nodes, all.toArray(String[]::new));
            return printNodes(
                    this,
                    all.stream()
                            .map(name -> seconds == 0
                                    ? nodes.get(name)
                                    : nodes.await(name, goal, Duration.ofSeconds(seconds)))
                            .toList());
        }
    }

    @Command(name = "online", description = "Lets nodes accept jobs.")
    static final class Online extends Change {
        Online() {
            super(HpcPackNodes::bringOnline, NodeState.ONLINE);
        }
    }

    @Command(name = "offline", description = "Stops new jobs on nodes; running jobs continue.")
    static final class Offline extends Change {
        Offline() {
            super(HpcPackNodes::takeOffline, NodeState.OFFLINE);
        }
    }

    @Command(
            name = "start",
            description = "Starts burst or virtual nodes, which are then billed; bring them online afterwards.")
    static final class Start extends Change {
        Start() {
            super(HpcPackNodes::start, NodeState.OFFLINE);
        }
    }

    @Command(name = "stop", description = "Stops burst or virtual nodes; take them offline first.")
    static final class Stop extends Change {
        Stop() {
            super(HpcPackNodes::stop, NodeState.NOT_DEPLOYED);
        }
    }
}
