package io.clusterwright.mpi.spi;

import io.clusterwright.core.type.InvalidValueException;
import io.clusterwright.core.type.Ipv4Address;
import io.clusterwright.core.type.NodeName;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A node that can take ranks. A launcher writes it into its list of hosts.
 *
 * @param name its name
 * @param address its private address, by which launchers reach it
 * @param slots the number of ranks it takes when a job does not say, at least 1
 * @see Launcher
 */
public record LaunchNode(NodeName name, Ipv4Address address, int slots) {

    /**
     * Checks the slots.
     *
     * @throws InvalidValueException when no nodes are named
     */
    public LaunchNode {
        if (slots < 1) {
            throw new InvalidValueException("number of slots of node " + name, slots, "1 or more", "4");
        }
    }

    /** Sets the number of slots, at least 1. */
    public LaunchNode withSlots(int number) {
        return new LaunchNode(name, address, number);
    }

    /**
     * The nodes of these names, in the order of the names.
     *
     * @throws InvalidValueException when there is no node of a name, or no name
     */
    public static List<LaunchNode> select(List<LaunchNode> nodes, Collection<NodeName> names) {
        String known = nodes.stream().map(LaunchNode::name).toList().toString();
        String example = nodes.get(0).name().value();
        if (names.isEmpty()) {
            throw new InvalidValueException("list of nodes", "", "one or more of " + known, example);
        }
        Map<NodeName, LaunchNode> byName = new HashMap<>();
        nodes.forEach(node -> byName.putIfAbsent(node.name(), node));
        return names.stream()
                .map(name -> Optional.ofNullable(byName.get(name))
                        .orElseThrow(() -> new InvalidValueException("node", name.value(), "one of " + known, example)))
                .toList();
    }
}
