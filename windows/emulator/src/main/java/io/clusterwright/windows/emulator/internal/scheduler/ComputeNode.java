package io.clusterwright.windows.emulator.internal.scheduler;

import io.clusterwright.windows.emulator.EmulatedNode;
import java.util.ArrayList;
import java.util.List;

/** A node of the cluster. Guarded by the scheduler. */
public final class ComputeNode {
    private final EmulatedNode origin;
    private final List<String> groups = new ArrayList<>();
    private String state;
    private boolean reachable = true;
    private int job;

    ComputeNode(EmulatedNode origin) {
        this.origin = origin;
        groups.add("ComputeNodes");
        groups.addAll(origin.groups());
        state = origin.deployed() ? "Online" : "NotDeployed";
    }

    public EmulatedNode origin() {
        return origin;
    }

    public String name() {
        return origin.name();
    }

    public String state() {
        return state;
    }

    void enter(String next) {
        state = next;
    }

    public String health() {
        return reachable ? isMoving() ? "Transitional" : "OK" : "Error";
    }

    private boolean isMoving() {
        return List.of("Provisioning", "Starting", "Stopping", "Removing").contains(state);
    }

    void reachable(boolean now) {
        reachable = now;
    }

    boolean isReachable() {
        return reachable;
    }

    public List<String> groups() {
        return groups;
    }

    boolean isIn(String group) {
        return groups.stream().anyMatch(group::equalsIgnoreCase);
    }

    boolean isFree() {
        return state.equals("Online") && reachable && job == 0;
    }

    int job() {
        return job;
    }

    void give(int toJob) {
        job = toJob;
    }
}
