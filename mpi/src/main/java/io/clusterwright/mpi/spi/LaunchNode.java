package io.clusterwright.mpi.spi;

import io.clusterwright.core.type.Ipv4Address;
import io.clusterwright.core.type.NodeName;

/**
 * A node that can take ranks.
 *
 * @param name its name
 * @param address its private address, by which launchers reach it
 * @param slots how many ranks it takes when a job does not say, at least 1
 */
public record LaunchNode(NodeName name, Ipv4Address address, int slots) {

    /**
     * Checks the slots.
     *
     * @throws IllegalArgumentException when there are none
     */
    public LaunchNode {
        if (slots < 1) {
            throw new IllegalArgumentException("node " + name + " needs at least one slot, not " + slots);
        }
    }

    public LaunchNode withSlots(int number) {
        return new LaunchNode(name, address, number);
    }
}
