package io.clusterwright.windows.emulator.internal.scheduler;

import io.clusterwright.core.internal.concurrent.Threads;
import io.clusterwright.emulator.internal.http.HttpRefusalException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** The nodes and node groups of a cluster, and the operations on them. */
public final class Nodes implements AutoCloseable {
    private static final int MOST_OPERATIONS = 1000;
    private static final List<String> MANAGED =
            List.of("HeadNodes", "ComputeNodes", "WCFBrokerNodes", "WorkstationNodes", "AzureNodes", "LinuxNodes");

    /** The operations on nodes: the state that each needs, and the states that follow. */
    private static final Map<String, Change> CHANGES = Map.of(
            "bringonline", new Change("Offline", "Offline", "Online"),
            "takeoffline", new Change("Online", "Draining", "Offline"),
            "start", new Change("NotDeployed", "Provisioning", "Offline"),
            "stop", new Change("Offline", "Stopping", "NotDeployed"),
            "reboot", new Change("Offline", "Starting", "Offline"),
            "shutdown", new Change("Offline", "Starting", "Offline"));

    private final List<ComputeNode> nodes = new ArrayList<>();
    private final Map<String, String> groups = new LinkedHashMap<>();
    private final List<Operation> operations = new ArrayList<>();
    private final Duration transition;
    private final ScheduledExecutorService clock = Threads.timer("hpc-pack-nodes");
    private Runnable changed = () -> {};

    private record Change(String from, String through, String to) {}

    /** An entry of the log of operations. */
    public record Operation(String id, String name, String node, Instant time) {}

    /** @param transition how long a node takes from one state to the next */
    public Nodes(List<ComputeNode.Setup> setups, Duration transition) {
        this.transition = transition;
        MANAGED.forEach(name -> groups.put(name, "The " + name + " of the cluster"));
        for (ComputeNode.Setup setup : setups) {
            nodes.add(new ComputeNode(setup));
            setup.groups().forEach(group -> groups.putIfAbsent(group, ""));
        }
    }

    /** The clock of what happens later in this cluster. */
    ScheduledExecutorService clock() {
        return clock;
    }

    void onChange(Runnable listener) {
        changed = listener;
    }

    public synchronized List<ComputeNode> all() {
        return List.copyOf(nodes);
    }

    public synchronized ComputeNode find(String name) {
        return nodes.stream()
                .filter(node -> node.name().equalsIgnoreCase(name))
                .findFirst()
                .orElseThrow(() -> HttpRefusalException.notFound("Node " + name + " does not exist."));
    }

    /** Nodes for a job, which they belong to then; none while it has to wait. */
    synchronized List<ComputeNode> take(Job job) {
        List<ComputeNode> free =
                nodes.stream().filter(ComputeNode::isFree).filter(job::accepts).toList();
        List<ComputeNode> taken = new ArrayList<>();
        int cores = 0;
        for (ComputeNode node : free) {
            if (taken.size() < job.mostNodes() || cores < job.leastCores()) {
                taken.add(node);
                cores += node.cores();
            }
        }
        if (taken.size() < job.leastNodes() || cores < job.leastCores()) {
            return List.of();
        }
        taken.forEach(node -> node.give(job.id()));
        return taken;
    }

    synchronized void free(int job) {
        for (ComputeNode node : nodes) {
            if (node.job() == job) {
                node.give(0);
                if (node.state().equals("Draining")) {
                    node.enter("Offline");
                }
            }
        }
    }

    /** Begins what was asked of a node. */
    public synchronized void operate(String name, String operation) {
        ComputeNode node = find(name);
        Change change = CHANGES.get(operation.toLowerCase(Locale.ROOT));
        if (change == null) {
            throw HttpRefusalException.badRequest("The operation '" + operation + "' is not valid.");
        }
        if (!node.state().equals(change.from)) {
            throw HttpRefusalException.badRequest("The operation " + operation + " is not allowed for node "
                    + node.name() + " in state " + node.state() + ".");
        }
        node.enter(change.through);
        // A node that runs a job is offline once the job has ended.
        if (node.job() == 0) {
            later(node, change.to);
        }
        operations.add(0, new Operation(UUID.randomUUID().toString(), operation, node.name(), Instant.now()));
        if (operations.size() > MOST_OPERATIONS) {
            operations.remove(MOST_OPERATIONS);
        }
    }

    private void later(ComputeNode node, String state) {
        clock.schedule(
                () -> {
                    synchronized (this) {
                        node.enter(state);
                    }
                    changed.run();
                },
                transition.toMillis(),
                TimeUnit.MILLISECONDS);
    }

    /** The last 1,000 operations on nodes, the newest first. */
    public synchronized List<Operation> operations() {
        return List.copyOf(operations);
    }

    /** The groups by name, with what they are for. */
    public synchronized Map<String, String> groups() {
        return new LinkedHashMap<>(groups);
    }

    public static boolean isManaged(String group) {
        return MANAGED.stream().anyMatch(group::equalsIgnoreCase);
    }

    /** A group's name in its own case. */
    public synchronized String group(String name) {
        return groups.keySet().stream()
                .filter(name::equalsIgnoreCase)
                .findFirst()
                .orElseThrow(() -> HttpRefusalException.notFound("Node group " + name + " does not exist."));
    }

    /** Makes or changes a group of the user's. */
    public synchronized void putGroup(String name, String description, boolean isNew) {
        if (name.isBlank() || name.length() > 64) {
            throw HttpRefusalException.badRequest("The name of a node group has 1 to 64 characters.");
        }
        boolean exists = groups.keySet().stream().anyMatch(name::equalsIgnoreCase);
        if (isNew && exists) {
            throw new HttpRefusalException(409, "Node group " + name + " exists already.");
        }
        requireChangeable(name);
        groups.put(exists ? group(name) : name, description);
    }

    public synchronized void deleteGroup(String name) {
        requireChangeable(name);
        String group = group(name);
        groups.remove(group);
        nodes.forEach(node -> node.groups().remove(group));
    }

    public synchronized List<String> nodesOf(String group) {
        String name = group(group);
        return nodes.stream()
                .filter(node -> node.isIn(name))
                .map(ComputeNode::name)
                .toList();
    }

    public synchronized void change(String group, boolean add, List<String> names) {
        requireChangeable(group);
        String name = group(group);
        List<ComputeNode> found = names.stream().map(this::find).toList();
        for (ComputeNode node : found) {
            node.groups().remove(name);
            if (add) {
                node.groups().add(name);
            }
        }
    }

    private static void requireChangeable(String group) {
        if (isManaged(group)) {
            throw HttpRefusalException.badRequest("Node group " + group + " is managed by the cluster.");
        }
    }

    @Override
    public void close() {
        clock.shutdownNow();
    }
}
