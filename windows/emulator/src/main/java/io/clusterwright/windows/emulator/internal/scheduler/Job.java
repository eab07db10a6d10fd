package io.clusterwright.windows.emulator.internal.scheduler;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** A job with its tasks and the nodes it was given. */
public final class Job extends Item {
    private final int id;
    private final String owner;
    private final List<Task> tasks = new ArrayList<>();
    private final List<ComputeNode> nodes = new ArrayList<>();

    Job(int id, String owner) {
        this.id = id;
        this.owner = owner;
    }

    public int id() {
        return id;
    }

    public List<Task> tasks() {
        return tasks;
    }

    List<ComputeNode> nodes() {
        return nodes;
    }

    /** The number of nodes it needs: for a job of cores, those that have them. */
    int leastNodes() {
        int ofTasks = tasks.stream()
                .mapToInt(task -> task.number("MinNodes", 1))
                .max()
                .orElse(1);
        return Math.max(number("MinNodes", 1), ofTasks);
    }

    int mostNodes() {
        int ofTasks = tasks.stream()
                .mapToInt(task -> task.number("MaxNodes", 1))
                .max()
                .orElse(1);
        return Math.max(leastNodes(), Math.max(number("MaxNodes", 1), ofTasks));
    }

    int leastCores() {
        return number("MinCores", 1);
    }

    /** Whether a node is one of those it may run on. */
    boolean accepts(ComputeNode node) {
        List<String> groups = list("NodeGroups");
        List<String> requested = list("RequestedNodes");
        return (groups.isEmpty() || groups.stream().allMatch(node::isIn))
                && (requested.isEmpty() || requested.stream().anyMatch(node.name()::equalsIgnoreCase));
    }

    private List<String> list(String property) {
        return Arrays.stream(property(property, "").split(","))
                .map(String::strip)
                .filter(text -> !text.isEmpty())
                .toList();
    }

    boolean runsUntilCanceled() {
        return Boolean.parseBoolean(property("RunUntilCanceled", "false"));
    }

    @Override
    public Map<String, String> properties() {
        Map<String, String> all = super.properties();
        all.put("Id", Integer.toString(id));
        all.put("Owner", owner);
        all.putIfAbsent("Name", "");
        all.putIfAbsent("Priority", "Normal");
        all.putIfAbsent("JobTemplate", "Default");
        return all;
    }
}
