package io.clusterwright.windows.emulator.internal.api;

import io.clusterwright.emulator.internal.http.Call;
import io.clusterwright.windows.emulator.internal.scheduler.ComputeNode;
import io.clusterwright.windows.emulator.internal.scheduler.Nodes;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Requests about nodes and groups before HPC Pack 2019, which read only. */
final class NodeRows {
    private final Nodes nodes;
    private final HeadNodeRoutes.Bodies bodies;

    NodeRows(Nodes nodes, HeadNodeRoutes.Bodies bodies) {
        this.nodes = nodes;
        this.bodies = bodies;
    }

    void addTo(HeadNodeRoutes routes) {
        routes.on("GET nodes", (call, user) -> bodies.rows(call, nodes(call), ""))
                .on("GET nodes/groups", (call, user) -> bodies.rows(call, groups(), ""))
                .on("GET nodes/groups/*", (call, user) -> bodies.texts(nodes.nodesOf(last(call))))
                .on("GET nodes/*", (call, user) -> bodies.properties(node(last(call))));
    }

    private static String last(Call call) {
        return call.segments().get(call.segments().size() - 1);
    }

    private Map<String, String> node(String name) {
        synchronized (nodes) {
            return properties(nodes.find(name));
        }
    }

    private List<Map<String, String>> nodes(Call call) {
        String state = Rows.filters(call).getOrDefault("nodestate", "");
        synchronized (nodes) {
            return nodes.all().stream()
                    .filter(node -> state.isEmpty() || node.state().equalsIgnoreCase(state))
                    .map(NodeRows::properties)
                    .toList();
        }
    }

    private List<Map<String, String>> groups() {
        return nodes.groups().entrySet().stream()
                .map(group -> Map.of("Name", group.getKey(), "Description", group.getValue()))
                .toList();
    }

    private static Map<String, String> properties(ComputeNode node) {
        Map<String, String> all = new LinkedHashMap<>();
        all.put("Name", node.name());
        all.put("State", node.state());
        all.put("Reachable", node.health().equals("Error") ? "False" : "True");
        all.put("NumberOfCores", Integer.toString(node.cores()));
        all.put("NumberOfSockets", "1");
        all.put("MemorySize", "28672");
        all.put("NodeGroups", String.join(",", node.groups()));
        return all;
    }
}
