package io.clusterwright.windows.emulator.internal.api;

import io.clusterwright.emulator.internal.http.Call;
import io.clusterwright.emulator.internal.http.Reply;
import io.clusterwright.windows.emulator.internal.scheduler.ComputeNode;
import io.clusterwright.windows.emulator.internal.scheduler.Nodes;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Requests about nodes and groups before HPC Pack 2019. */
final class OldNodeCalls {
    private final Nodes nodes;

    OldNodeCalls(Nodes nodes) {
        this.nodes = nodes;
    }

    void addTo(Routes routes) {
        routes.on("GET hpc/nodes", (call, user) -> HpcJson.rows(call, nodes(call), call.query("properties")))
                .on("GET hpc/nodes/groups", (call, user) -> HpcJson.rows(call, groups(), call.query("properties")))
                .on(
                        "GET hpc/nodes/groups/*",
                        (call, user) ->
                                HpcJson.texts(nodes.nodesOf(call.segments().get(3))))
                .on("GET hpc/nodes/*", (call, user) -> Reply.ok(HpcJson.properties(node(call))));
    }

    /** The node that the third part of the path names. */
    Map<String, String> node(Call call) {
        synchronized (nodes) {
            return properties(nodes.find(call.segments().get(2)));
        }
    }

    List<Map<String, String>> nodes(Call call) {
        String state = Rows.filters(call).getOrDefault("nodestate", "");
        synchronized (nodes) {
            return nodes.all().stream()
                    .filter(node -> state.isEmpty() || node.state().equalsIgnoreCase(state))
                    .map(OldNodeCalls::properties)
                    .toList();
        }
    }

    List<Map<String, String>> groups() {
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
