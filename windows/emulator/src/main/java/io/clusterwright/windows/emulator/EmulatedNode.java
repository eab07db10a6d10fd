package io.clusterwright.windows.emulator;

import java.util.List;

/**
 * A compute node that the head node starts with.
 *
 * @param name its name
 * @param cores its cores, at least 1
 * @param groups the node groups it belongs to, besides {@code ComputeNodes}
 * @param deployed whether it exists; a burst node that does not is {@code NotDeployed} until it is started
 */
public record EmulatedNode(String name, int cores, List<String> groups, boolean deployed) {
    /**
     * Checks the numbers and copies the groups.
     *
     * @throws IllegalArgumentException when the name is blank or there is no core
     */
    public EmulatedNode {
        groups = List.copyOf(groups);
        if (name.isBlank() || cores < 1) {
            throw new IllegalArgumentException(
                    "a node needs a name and at least 1 core, not \"" + name + "\" and " + cores);
        }
    }

    /** A node that exists and belongs to no further group. */
    public EmulatedNode(String name, int cores) {
        this(name, cores, List.of(), true);
    }
}
