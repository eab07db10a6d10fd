package io.clusterwright.windows.emulator.internal.api;

import io.clusterwright.emulator.internal.http.Call;
import io.clusterwright.emulator.internal.http.HttpRefusalException;
import io.clusterwright.windows.emulator.HpcPackEmulator.Generation;
import io.clusterwright.windows.emulator.internal.scheduler.ComputeNode;
import io.clusterwright.windows.emulator.internal.scheduler.Nodes;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Requests about nodes and groups before HPC Pack 2019, which read only. */
final class NodeRows {
    private final Nodes nodes;
    private final HeadNodeRoutes.Bodies bodies;
    private final String number;

    NodeRows(Nodes nodes, HeadNodeRoutes.Bodies bodies, Generation generation) {
        this.nodes = nodes;
        this.bodies = bodies;
        this.number = generation == Generation.HPC_2012 ? "Num" : "NumberOf";
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
                    .map(node -> checked(call, properties(node)))
                    .toList();
        }
    }

    private List<Map<String, String>> groups() {
        return nodes.groups().entrySet().stream()
                .map(group -> Map.of("Name", group.getKey(), "Description", group.getValue()))
                .toList();
    }

    /** A row whose properties were asked for; the reference of the interface calls an unknown name an error. */
    private static Map<String, String> checked(Call call, Map<String, String> row) {
        String names = call.query("properties");
        for (String name : names.isEmpty() ? new String[0] : names.split(",")) {
            if (row.keySet().stream().noneMatch(name.strip()::equalsIgnoreCase)) {
                throw HttpRefusalException.badRequest("The property '" + name + "' does not exist for a node.");
            }
        }
        return row;
    }

    private Map<String, String> properties(ComputeNode node) {
        Map<String, String> all = new LinkedHashMap<>();
        all.put("Name", node.name());
        all.put("Id", Integer.toString(nodes.all().indexOf(node) + 1));
        all.put("State", node.state());
        all.put("Reachable", node.health().equals("Error") ? "False" : "True");
        all.put(number + "Cores", Integer.toString(node.cores()));
        all.put(number + "Sockets", "1");
        all.put("MemorySize", "28672");
        all.put("NodeGroups", String.join(",", node.groups()));
        return all;
    }
}
