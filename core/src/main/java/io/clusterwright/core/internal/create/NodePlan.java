package io.clusterwright.core.internal.create;

import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.type.AddressRange;
import io.clusterwright.core.type.Ipv4Address;
import io.clusterwright.core.type.NodeName;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Which node has which address: in order, from {@code network.firstAddress}, or from the fifth address of the subnet (a cloud
 * keeps the first four for itself).
 *
 * @param nodes the addresses by node, in node order
 * @param templateName the name of the template node
 * @param templateAddress an address that no node has
 */
public record NodePlan(Map<NodeName, Ipv4Address> nodes, NodeName templateName, Ipv4Address templateAddress) {
    private static final int FIRST_FREE = 4;

    /** The plan of a spec. */
    public static NodePlan of(ClusterSpec spec) {
        AddressRange subnet = spec.network().subnet().range();
        Ipv4Address first = spec.network().firstAddress().orElse(subnet.address(FIRST_FREE));
        Map<NodeName, Ipv4Address> nodes = new LinkedHashMap<>();
        int offset = 0;
        for (NodeName node : spec.nodes().names()) {
            nodes.put(node, first.plus(offset++));
        }
        Ipv4Address beyond = first.plus(offset);
        Ipv4Address last = subnet.address(subnet.size() - 2);
        boolean room = beyond.compareTo(last) <= 0;
        NodeName template = new NodeName(spec.name() + "-template");
        return new NodePlan(nodes, template, room ? beyond : last);
    }
}
