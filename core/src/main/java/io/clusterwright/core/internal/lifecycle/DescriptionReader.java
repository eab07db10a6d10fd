package io.clusterwright.core.internal.lifecycle;

import io.clusterwright.core.Cluster;
import io.clusterwright.core.ClusterDescription;
import io.clusterwright.core.ClusterDescription.NodeDescription;
import io.clusterwright.core.MachineState;
import io.clusterwright.core.Node;
import io.clusterwright.core.StateStore;
import io.clusterwright.core.internal.concurrent.Tasks;
import io.clusterwright.core.internal.session.FanOut;
import io.clusterwright.core.internal.state.ClusterState;
import io.clusterwright.core.internal.text.Reason;
import io.clusterwright.core.spi.Machine;
import io.clusterwright.core.spi.MachineProvider;
import io.clusterwright.core.spi.NodeBackend;
import io.clusterwright.core.type.NodeName;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Reads the states and logs of the nodes of a cluster. */
final class DescriptionReader {
    private static final String CONSOLE = "console";

    private DescriptionReader() {}

    /** Throws when the state of a node is not known; a log that cannot be read is replaced by the reason. */
    static ClusterDescription of(
            ClusterState state,
            Cluster cluster,
            MachineProvider provider,
            NodeBackend backend,
            StateStore store,
            Set<NodeName> withLogs,
            int lines) {
        Map<NodeName, NodeDescription> found = new ConcurrentHashMap<>();
        Tasks.interruptibly(
                "interrupted while reading the states of cluster " + state.name(),
                () -> Tasks.forEach("node", FanOut.LIMIT, cluster.nodes(), node -> {
                    Machine machine = Objects.requireNonNull(state.machines()
                            .getOrDefault(node.name(), state.booting().get(node.name())));
                    MachineState now = provider.state(state.id(), machine);
                    Map<String, String> logs = withLogs.contains(node.name())
                            ? logs(cluster, node, now, backend, console(state, machine, provider, lines), lines)
                            : Map.of();
                    found.put(node.name(), new NodeDescription(node, now, logs));
                }));
        List<NodeDescription> nodes = cluster.nodes().stream()
                .map(node -> Objects.requireNonNull(found.get(node.name())))
                .toList();
        return new ClusterDescription(state, nodes, PastChecks.read(store, state.name()));
    }

    private static Map<String, String> console(
            ClusterState state, Machine machine, MachineProvider provider, int lines) {
        try {
            return Map.of(
                    CONSOLE,
                    provider.console(state.id(), machine)
                            .map(text -> lastLines(text, lines))
                            .orElse("not kept by " + provider.name()));
        } catch (RuntimeException e) {
            return Map.of(CONSOLE, "not read: " + Reason.of(e));
        }
    }

    private static String lastLines(String text, int lines) {
        List<String> all = text.lines().toList();
        return String.join("\n", all.subList(Math.max(0, all.size() - lines), all.size()));
    }

    private static Map<String, String> logs(
            Cluster cluster, Node node, MachineState now, NodeBackend backend, Map<String, String> console, int lines) {
        Map<String, String> logs = new LinkedHashMap<>(console);
        if (now != MachineState.RUNNING) {
            return logs;
        }
        try {
            logs.putAll(backend.logs(cluster.session(node.name()), lines));
        } catch (RuntimeException e) {
            logs.put("logs on the node", "not read: " + Reason.of(e));
        }
        return logs;
    }
}
