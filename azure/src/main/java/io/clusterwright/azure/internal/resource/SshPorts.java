package io.clusterwright.azure.internal.resource;

import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.NetworkSpec.SshAccess;
import io.clusterwright.core.type.NodeName;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** The nodes of a cluster that answer SSH from outside, and the ports of a shared public address that lead to them. */
public final class SshPorts {
    /** The first port of a range of ports where the spec gives no prefix. */
    private static final int FIRST = 50_000;

    private final ClusterSpec spec;
    private final SshAccess.External external;
    private final BooleanSupplier scaleSet;
    private volatile @Nullable Map<NodeName, Integer> places;

    /** @param scaleSet whether the nodes are instances of one scale set */
    SshPorts(ClusterSpec spec, BooleanSupplier scaleSet) {
        this.spec = spec;
        this.external = spec.network().ssh().external();
        this.scaleSet = scaleSet;
    }

    /** Whether nodes are reached through ports of one address. Its load balancer is the way out for all of them, too. */
    public boolean isShared() {
        return external != SshAccess.External.NONE
                && (spec.network().ssh().portPrefix().isPresent() || ofHeadOnly());
    }

    /** Whether one rule with a range of ports leads to all nodes: instances of a scale set cannot have separate rules. */
    public boolean isRange() {
        return isShared() && scaleSet.getAsBoolean() && (external == SshAccess.External.ALL || ofHeadOnly());
    }

    /**
     * Whether one instance of the scale set is the way to the others. Azure gives all of them ports then, and the security group lets
     * only the ports of the head through.
     */
    public boolean ofHeadOnly() {
        return external == SshAccess.External.HEAD && spec.headNode().isEmpty() && scaleSet.getAsBoolean();
    }

    /** The number of public addresses that the cluster's nodes have together. */
    public int publicAddresses() {
        // The template, which is exposed as well, is gone before the nodes are made.
        return isShared() ? 1 : Math.max(0, exposed().size() - 1);
    }

    /** The first port of the range that leads to the instances of a scale set. */
    public int first() {
        return ofPlace(0);
    }

    /** The last port of the range that leads to the instances of a scale set. */
    public int last() {
        return first() + spec.nodes().count() - 1;
    }

    /**
     * The port of the shared address that leads to a machine: the prefix and the node's index as text. In a range the ports are counted on
     * from the first, and Azure may give nodes that come later another.
     */
    public int of(NodeName machine) {
        int place = placeOf(machine);
        if (place >= 0) {
            return isRange() ? first() + place : ofPlace(place);
        }
        return spec.isSeparateHead(machine)
                ? joined(
                        spec.network().ssh().portPrefix().orElseThrow(),
                        spec.headNode().orElseThrow().index())
                : ResourceNames.SSH;
    }

    /** The port of each machine that is reached through the shared address; none where there is no shared address. */
    public Map<NodeName, Integer> all() {
        Map<NodeName, Integer> ports = new LinkedHashMap<>();
        if (isShared()) {
            exposed().forEach(node -> ports.put(node, of(node)));
        }
        return ports;
    }

    /** Whether a machine is one of the nodes, and neither a separate head node nor a machine that serves the image. */
    boolean isNode(NodeName machine) {
        return placeOf(machine) >= 0;
    }

    /** Whether a machine answers SSH from outside. */
    boolean isExposed(NodeName machine) {
        boolean way = machine.equals(spec.headName()) || machine.equals(spec.templateName());
        return switch (external) {
            case NONE -> false;
            case HEAD -> way;
            case ALL -> way || isNode(machine);
        };
    }

    /** The machines that answer SSH from outside; the template is one while it exists, for it must be customised. */
    private List<NodeName> exposed() {
        NodeName template = spec.templateName();
        return switch (external) {
            case NONE -> List.of();
            case HEAD -> List.of(spec.headName(), template);
            case ALL -> {
                List<NodeName> all = new ArrayList<>(spec.nodes().names());
                spec.headNode().ifPresent(head -> all.add(head.name()));
                all.add(template);
                yield all;
            }
        };
    }

    private int ofPlace(int place) {
        OptionalInt prefix = spec.network().ssh().portPrefix();
        return prefix.isPresent() ? joined(prefix.getAsInt(), spec.nodes().firstIndex() + place) : FIRST + place;
    }

    private static int joined(int prefix, int index) {
        return Integer.parseInt(prefix + "" + index);
    }

    /** The place of a node in the spec, 0 for the first; -1 for another machine. Counted when first asked for: most names do without. */
    private int placeOf(NodeName machine) {
        Map<NodeName, Integer> known = places;
        if (known == null) {
            known = new HashMap<>();
            for (NodeName node : spec.nodes().names()) {
                known.put(node, known.size());
            }
            places = known;
        }
        return known.getOrDefault(machine, -1);
    }
}
