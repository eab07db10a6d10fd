package io.clusterwright.windows.emulator.internal.scheduler;

import io.clusterwright.core.type.InvalidValueException;
import java.util.ArrayList;
import java.util.List;

/** A node of the cluster. Guarded by the scheduler. */
public final class ComputeNode {
    private final Setup setup;
    private final List<String> groups = new ArrayList<>();
    private String state;
    private boolean reachable = true;
    private int job;

    ComputeNode(Setup setup) {
        this.setup = setup;
        groups.add("ComputeNodes");
        groups.addAll(setup.groups());
        state = setup.deployed() ? "Online" : "NotDeployed";
    }

    /**
     * A node that the head node starts with.
     *
     * @param groups the node groups it belongs to, besides {@code ComputeNodes}
     * @param deployed whether it exists; one that does not is {@code NotDeployed} until it is started
     */
    public record Setup(String name, int cores, List<String> groups, boolean deployed) {
        /** Checks name and cores. */
        public Setup {
            if (name.isBlank()) {
                throw new InvalidValueException("node name", name, "a name that is not blank", "CN001");
            }
            if (cores < 1) {
                throw new InvalidValueException("number of cores", cores, "1 or more", "8");
            }
        }
    }

    public int cores() {
        return setup.cores();
    }

    public String name() {
        return setup.name();
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
