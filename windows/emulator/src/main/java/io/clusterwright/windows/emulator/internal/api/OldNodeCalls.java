package io.clusterwright.windows.emulator.internal.api;

import com.fasterxml.jackson.databind.node.ArrayNode;
import io.clusterwright.core.internal.http.Call;
import io.clusterwright.core.internal.http.Reply;
import io.clusterwright.core.internal.json.Json;
import io.clusterwright.windows.emulator.internal.scheduler.ComputeNode;
import io.clusterwright.windows.emulator.internal.scheduler.Nodes;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Requests about nodes and groups before HPC Pack 2019. */
final class OldNodeCalls {
    private final Nodes nodes;

    OldNodeCalls(Nodes nodes) {
        this.nodes = nodes;
    }

    Optional<Reply> answer(Call call) {
        if (call.is("GET", "nodes")) {
            return Optional.of(rows(call, nodeRows(call)));
        }
        if (call.is("GET", "nodes", "groups")) {
            return Optional.of(rows(call, groupRows()));
        }
        if (call.is("GET", "nodes", "groups", "*")) {
            return Optional.of(HpcJson.texts(nodes.nodesOf(call.segments().get(2))));
        }
        if (call.is("GET", "nodes", "*")) {
            synchronized (nodes) {
                return Optional.of(Reply.ok(
                        HpcJson.properties(properties(nodes.find(call.segments().get(1))))));
            }
        }
        return Optional.empty();
    }

    List<Map<String, String>> nodeRows(Call call) {
        String state = Rows.filters(call).getOrDefault("nodestate", "");
        synchronized (nodes) {
            return nodes.all().stream()
                    .filter(node -> state.isEmpty() || node.state().equalsIgnoreCase(state))
                    .map(OldNodeCalls::properties)
                    .toList();
        }
    }

    List<Map<String, String>> groupRows() {
        return nodes.groups().entrySet().stream()
                .map(group -> Map.of("Name", group.getKey(), "Description", group.getValue()))
                .toList();
    }

    static Map<String, String> properties(ComputeNode node) {
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

    private static Reply rows(Call call, List<Map<String, String>> all) {
        Rows.Page<Map<String, String>> page = Rows.page(call, all);
        ArrayNode rows = Json.array();
        page.rows()
                .forEach(row -> rows.addObject()
                        .set("Properties", HpcJson.properties(Rows.chosen(row, call.query("properties")))));
        Reply reply = Reply.ok(rows);
        return page.next().isEmpty() ? reply : reply.with("x-ms-continuation-queryId", page.next());
    }
}
