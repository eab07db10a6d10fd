package io.clusterwright.core.internal.planning;

import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.NetworkSpec;
import io.clusterwright.core.type.AddressRange;
import io.clusterwright.core.type.Ipv4Address;
import io.clusterwright.core.type.NodeName;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.LongStream;

/**
 * The address of each node: in order, from {@code network.firstAddress}, or from the fifth address of the subnet (a cloud
 * keeps the first four for itself). A separate head node has the nearest free address before the first node's, or else the last free
 * one of the subnet: it keeps its address when the number of nodes changes.
 *
 * @param nodes the addresses by node, in node order
 * @param heads the head node and its address; empty where the first node is the head
 * @param templateName the name of the template node
 * @param testName the name of the node that tests an image, in the template's place after it
 * @param templateAddress an address that no node has
 */
public record NodePlan(
        Map<NodeName, Ipv4Address> nodes,
        Map<NodeName, Ipv4Address> heads,
        NodeName templateName,
        NodeName testName,
        Ipv4Address templateAddress) {
    private static final int FIRST_FREE = NetworkSpec.RESERVED_ADDRESSES;

    /** The plan of a spec. */
    public static NodePlan of(ClusterSpec spec) {
        AddressRange subnet = spec.network().subnet().range();
        int start = FIRST_FREE + (spec.headNode().isPresent() ? 1 : 0);
        Ipv4Address first = spec.network().firstAddress().orElseGet(() -> subnet.address(start));
        Map<NodeName, Ipv4Address> nodes = new LinkedHashMap<>();
        int offset = 0;
        for (NodeName node : spec.nodes().names()) {
            nodes.put(node, first.plus(offset++));
        }
        Ipv4Address beyond = first.plus(offset);
        Ipv4Address last = subnet.address(subnet.size() - 2);
        Map<NodeName, Ipv4Address> heads = spec.headNode()
                .map(head -> Map.of(head.name(), headAddress(spec, first, beyond, last)))
                .orElse(Map.of());
        boolean room = beyond.compareTo(last) <= 0 && !heads.containsValue(beyond);
        return new NodePlan(nodes, heads, spec.templateName(), spec.bootTestName(), room ? beyond : last);
    }

    /** The head node, where it is a separate one, and then the nodes, each with its address. */
    public Map<NodeName, Ipv4Address> machines() {
        Map<NodeName, Ipv4Address> all = new LinkedHashMap<>(heads);
        all.putAll(nodes);
        return all;
    }

    private static Ipv4Address headAddress(ClusterSpec spec, Ipv4Address first, Ipv4Address beyond, Ipv4Address last) {
        Set<Ipv4Address> taken = new HashSet<>(spec.network().dnsServers());
        long lowest = spec.network().subnet().range().address(FIRST_FREE).toLong();
        LongStream before =
                LongStream.iterate(first.toLong() - 1, address -> address >= lowest, address -> address - 1);
        LongStream after =
                LongStream.iterate(last.toLong(), address -> address >= beyond.toLong(), address -> address - 1);
        return LongStream.concat(before, after)
                .mapToObj(address -> first.plus(address - first.toLong()))
                .filter(address -> !taken.contains(address))
                .findFirst()
                .orElse(last);
    }
}
