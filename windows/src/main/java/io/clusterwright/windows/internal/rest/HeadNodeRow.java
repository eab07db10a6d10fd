package io.clusterwright.windows.internal.rest;

import io.clusterwright.windows.hpcpack.HpcPackNode;
import io.clusterwright.windows.hpcpack.NodeHealth;
import io.clusterwright.windows.hpcpack.NodeState;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A row of names and texts, as all generations send jobs and tasks, and those before 2019 nodes and groups. */
public record HeadNodeRow(Map<String, String> values) {
    /** The text of a property; empty when it was not sent. */
    public String text(String name) {
        return values.getOrDefault(name, "");
    }

    /** The number of a job; 0 when it was not sent. */
    public int jobNumber() {
        return number(text("Id").strip());
    }

    /** The number of a task {@code 19.1}, or of its instance {@code 19.1.3}, in its job; 0 when it was not sent. */
    public int taskNumber() {
        String[] parts = text("TaskId").strip().split("\\.");
        return number(parts.length > 1 ? parts[1] : parts[0]);
    }

    private static int number(String text) {
        return text.matches("\\d{1,9}") ? Integer.parseInt(text) : 0;
    }

    /** The node that it describes. */
    public HpcPackNode node() {
        Map<String, String> others = new HashMap<>();
        rename("NumCores", "Cores", others);
        rename("NumSockets", "Sockets", others);
        rename("NumberOfCores", "Cores", others);
        rename("NumberOfSockets", "Sockets", others);
        rename("MemorySize", "MemorySize", others);
        rename("TemplateName", "Template", others);
        List<String> groups = Arrays.stream(text("NodeGroups").split(","))
                .map(String::strip)
                .filter(name -> !name.isEmpty())
                .toList();
        return new HpcPackNode(text("Name"), NodeState.of(text("State")), health(), groups, others);
    }

    private void rename(String old, String current, Map<String, String> to) {
        String value = values.getOrDefault(old, text(current));
        if (!value.isEmpty()) {
            to.put(current, value);
        }
    }

    /** Older versions send {@code Reachable} instead. */
    private NodeHealth health() {
        String reachable =
                !values.containsKey("Reachable") ? "Unknown" : Boolean.parseBoolean(text("Reachable")) ? "OK" : "Error";
        return NodeHealth.of(values.getOrDefault("Health", reachable));
    }
}
