package io.clusterwright.windows.hpcpack;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;

/**
 * A node as the head node reports it. Use it to see which nodes take jobs.
 *
 * @param name its name, in the case the head node uses
 * @param state its state, which decides about jobs
 * @param health its health
 * @param groups the node groups it belongs to; empty when none were sent
 * @param properties what else was sent: {@code Cores}, {@code Sockets}, {@code MemorySize} in MiB, {@code Template}
 * @see HpcPackNodes
 */
public record HpcPackNode(
        String name, NodeState state, NodeHealth health, List<String> groups, Map<String, String> properties) {
    /** Copies groups and properties. */
    public HpcPackNode {
        groups = List.copyOf(groups);
        properties = Map.copyOf(properties);
    }

    /** The node that the interface of 2019 describes. */
    static HpcPackNode of(JsonNode tree) {
        Map<String, String> others = new HashMap<>();
        for (String name : List.of("Cores", "Sockets", "MemorySize", "Template")) {
            if (tree.hasNonNull(name)) {
                others.put(name, tree.path(name).asText());
            }
        }
        List<String> groups = new ArrayList<>();
        tree.path("Groups").forEach(group -> groups.add(group.asText()));
        return new HpcPackNode(
                tree.path("Name").asText(""),
                NodeState.of(tree.path("State").asText("")),
                NodeHealth.of(tree.path("Health").asText("")),
                groups,
                others);
    }

    /** Whether jobs can start on it now. */
    public boolean takesJobs() {
        return state == NodeState.ONLINE && health == NodeHealth.OK;
    }

    /** Its cores; absent when they were not sent. */
    public OptionalInt cores() {
        String text = properties.getOrDefault("Cores", "").strip();
        return text.matches("[1-9]\\d{0,8}") ? OptionalInt.of(Integer.parseInt(text)) : OptionalInt.empty();
    }
}
