package io.clusterwright.azure.internal.resource;

import io.clusterwright.core.ResourceId;
import io.clusterwright.core.catalog.SizeDefaults;
import io.clusterwright.core.catalog.VmSizes;
import io.clusterwright.core.internal.arm.ArmId;
import io.clusterwright.core.internal.arm.ArmText;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.NetworkSpec.SshAccess;
import io.clusterwright.core.spec.Placement;
import io.clusterwright.core.type.Ipv4Address;
import io.clusterwright.core.type.NodeName;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The parts of a cluster and their ids, all fixed by its description. */
public final class Names {
    public static final String GROUP = "resource group";
    public static final String SECURITY_GROUP = "security group";
    public static final String NETWORK = "network";
    public static final String ADDRESS = "address";
    public static final String LOAD_BALANCER = "load balancer";
    public static final String PROXIMITY_GROUP = "proximity group";
    public static final String AVAILABILITY_SET = "availability set";
    public static final String SCALE_SET = "scale set";
    public static final String MACHINE = "machine";
    public static final String AUTO_SHUTDOWN = "auto-shutdown";
    public static final String AUTOSCALE = "autoscale setting";

    private static final Map<String, String> KINDS = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);

    static {
        KINDS.put("", GROUP);
        KINDS.put(ArmId.SECURITY_GROUP, SECURITY_GROUP);
        KINDS.put(ArmId.NETWORK, NETWORK);
        KINDS.put(ArmId.ADDRESS, ADDRESS);
        KINDS.put(ArmId.LOAD_BALANCER, LOAD_BALANCER);
        KINDS.put(ArmId.PROXIMITY_GROUP, PROXIMITY_GROUP);
        KINDS.put(ArmId.AVAILABILITY_SET, AVAILABILITY_SET);
        KINDS.put(ArmId.SCALE_SET, SCALE_SET);
        KINDS.put(ArmId.VM, MACHINE);
        KINDS.put(ArmId.AUTO_SHUTDOWN, AUTO_SHUTDOWN);
        KINDS.put(ArmId.AUTOSCALE, AUTOSCALE);
        KINDS.put(ArmId.NIC, ArmId.NIC);
        KINDS.put(ArmId.DISK, ArmId.DISK);
    }

    /** What the names of the shutdown schedules of machines begin with. */
    static final String SHUTDOWN = "shutdown-computevm-";

    public static final int SSH = 22;
    public static final String FRONTEND = "ssh";
    public static final String POOL = "nodes";
    public static final String PORT_RANGE = "ssh";
    public static final String OUTBOUND = "outbound";

    /** The first port of a range of ports where the description gives no prefix. */
    private static final int FIRST_PORT = 50_000;

    private final ArmId group;
    private final ClusterSpec spec;
    private volatile @Nullable Map<NodeName, Integer> places;

    public Names(String subscription, ClusterSpec spec) {
        this.group = ArmId.group(subscription, spec.resourceGroup());
        this.spec = spec;
    }

    /** The kind of a resource, as a cluster's record names it; empty for a type that this library does not make. */
    public static Optional<String> kind(ArmId id) {
        return Optional.ofNullable(KINDS.get(id.type()));
    }

    /** The resource as a cluster's record has it. */
    public static ResourceId resource(ArmId id) {
        return new ResourceId(kind(id).orElse(id.type()), id.toString());
    }

    /** The values of a machine of its node's name and address. */
    public ClusterResources.NodeValues node(NodeName node, Ipv4Address address) {
        NodeName machine = place(node);
        boolean exposed = isExposed(machine);
        boolean shared = sharedAddress();
        return new ClusterResources.NodeValues(
                ArmText.plain(node.value()),
                ArmText.plain(address.toString()),
                exposed && !shared,
                exposed && shared ? Optional.of(ArmText.plain(natRule(machine))) : Optional.empty(),
                inGroup(node));
    }

    /** The port of the shared address that leads to the node at this place. */
    public int port(int place) {
        OptionalInt prefix = spec.network().ssh().portPrefix();
        return prefix.isPresent() ? port(prefix.getAsInt(), place) : FIRST_PORT + place;
    }

    /** The place of a node in the description, 0 for the first; -1 for a machine that is none of the nodes. */
    public int placeOf(NodeName node) {
        return places().getOrDefault(node, -1);
    }

    /** Counted when first asked for: most names of resources do without. */
    private Map<NodeName, Integer> places() {
        Map<NodeName, Integer> known = places;
        if (known == null) {
            known = new HashMap<>();
            for (NodeName node : spec.nodes().names()) {
                known.put(node, known.size());
            }
            places = known;
        }
        return known;
    }

    /** The last port of the range that leads to the instances of a scale set. */
    public int lastPort() {
        return port(0) + spec.nodes().count() - 1;
    }

    public ArmId group() {
        return group;
    }

    public ArmId securityGroup() {
        return group.sibling(ArmId.SECURITY_GROUP, spec.name() + "-nsg");
    }

    public ArmId network() {
        return spec.network()
                .subnet()
                .id()
                .map(id -> ArmId.parse(id.substring(0, id.lastIndexOf('/', id.lastIndexOf('/') - 1))))
                .orElseGet(() -> group.sibling(ArmId.NETWORK, spec.network().name()));
    }

    public ArmId address() {
        return group.sibling(ArmId.ADDRESS, spec.name() + "-ip");
    }

    public ArmId loadBalancer() {
        return group.sibling(ArmId.LOAD_BALANCER, spec.name() + "-lb");
    }

    public ArmId proximityGroup() {
        return group.sibling(ArmId.PROXIMITY_GROUP, spec.name() + "-ppg");
    }

    public ArmId availabilitySet() {
        return group.sibling(ArmId.AVAILABILITY_SET, spec.name() + "-avset");
    }

    public ArmId scaleSet() {
        return group.sibling(ArmId.SCALE_SET, spec.name() + "-vmss");
    }

    /** The setting that deletes the instances of the scale set when the time to live is over. */
    public ArmId autoscale() {
        return group.sibling(ArmId.AUTOSCALE, spec.name() + "-autoscale");
    }

    public ArmId machine(NodeName node) {
        return group.sibling(ArmId.VM, node.value());
    }

    /** The schedule that deallocates a machine; Azure knows it by this name only. */
    public static ArmId autoShutdown(ArmId machine) {
        return machine.sibling(ArmId.AUTO_SHUTDOWN, SHUTDOWN + machine.name());
    }

    public static ArmId nic(ArmId machine) {
        return machine.sibling(ArmId.NIC, machine.name() + "-nic");
    }

    public static ArmId disk(ArmId machine) {
        return machine.sibling(ArmId.DISK, machine.name() + "-disk");
    }

    public static ArmId address(ArmId machine) {
        return machine.sibling(ArmId.ADDRESS, machine.name() + "-ip");
    }

    public static String natRule(NodeName node) {
        return "ssh-" + node;
    }

    public boolean hasProximityGroup() {
        return spec.placement().proximityGroup();
    }

    public boolean hasAvailabilitySet() {
        return placement() == Placement.Kind.AVAILABILITY_SET;
    }

    /** Whether the nodes are instances of one scale set. */
    public boolean hasScaleSet() {
        return placement() == Placement.Kind.SCALE_SET;
    }

    private Placement.Kind placement() {
        return SizeDefaults.placement(spec, VmSizes.standard());
    }

    /** Whether the kind of placement follows from count and kind of machines. */
    public boolean automatic() {
        return spec.placement().kind() == Placement.Kind.AUTO;
    }

    /** Whether nodes are reached through ports of one address. Its load balancer is the way out for all of them, too. */
    public boolean sharedAddress() {
        return spec.network().ssh().external() != SshAccess.External.NONE
                && (spec.network().ssh().portPrefix().isPresent() || headOfSet());
    }

    /** The number of public addresses that the cluster's nodes have together. */
    public int publicAddresses() {
        // The template, which is exposed as well, is gone before the nodes are made.
        return sharedAddress() ? 1 : Math.max(0, exposed().size() - 1);
    }

    /** Whether one rule with a range of ports leads to all nodes: instances of a scale set cannot have separate rules. */
    public boolean portRange() {
        boolean all = spec.network().ssh().external() == SshAccess.External.ALL;
        return hasScaleSet() && sharedAddress() && (all || headOfSet());
    }

    /**
     * Whether one instance of the scale set is the way to the others. Azure gives all of them ports then, and the security group lets
     * only those of the head through.
     */
    public boolean headOfSet() {
        return hasScaleSet()
                && spec.network().ssh().external() == SshAccess.External.HEAD
                && spec.headNode().isEmpty();
    }

    /** The nodes that answer SSH from outside; the template is one while it exists, for it must be customised. */
    private List<NodeName> exposed() {
        List<NodeName> nodes = spec.nodes().names();
        NodeName template = spec.templateName();
        return switch (spec.network().ssh().external()) {
            case NONE -> List.of();
            case HEAD -> List.of(spec.headName(), template);
            case ALL -> {
                List<NodeName> all = new ArrayList<>(nodes);
                spec.headNode().ifPresent(head -> all.add(head.name()));
                all.add(template);
                yield all;
            }
        };
    }

    private boolean isExposed(NodeName machine) {
        boolean way = machine.equals(spec.headName()) || machine.equals(spec.templateName());
        return switch (spec.network().ssh().external()) {
            case NONE -> false;
            case HEAD -> way;
            case ALL -> way || placeOf(machine) >= 0;
        };
    }

    /** Whether this machine is one of those that are alike: evictable and placed as the spec says, as the head node and the template are not. */
    public boolean inGroup(NodeName machine) {
        return !servesImage(machine) && !spec.isSeparateHead(machine);
    }

    /** Whether this machine is none of the cluster's nodes: the template, or the one that tests its image and has its place. */
    public boolean servesImage(NodeName machine) {
        return place(machine).equals(spec.templateName());
    }

    /** As whom a machine is reached from outside. */
    private NodeName place(NodeName machine) {
        return machine.equals(spec.bootTestName()) ? spec.templateName() : machine;
    }

    /**
     * The port of the shared address for each node that is reached through it: the prefix and the node's index as text. In a range they
     * are counted on from the first, and Azure may give nodes that come later another.
     */
    public Map<NodeName, Integer> ports() {
        Map<NodeName, Integer> ports = new LinkedHashMap<>();
        if (!sharedAddress()) {
            return ports;
        }
        for (NodeName node : exposed()) {
            int index = placeOf(node);
            int first = portRange() ? 0 : index;
            ports.put(node, index < 0 ? portOfOther(node) : port(first) + index - first);
        }
        return ports;
    }

    /** The port of a separate head node, or else of the machine that serves the image. */
    private int portOfOther(NodeName machine) {
        return spec.isSeparateHead(machine)
                ? Integer.parseInt(spec.network().ssh().portPrefix().orElseThrow() + ""
                        + spec.headNode().orElseThrow().index())
                : SSH;
    }

    private int port(int prefix, int index) {
        return Integer.parseInt(prefix + "" + (spec.nodes().firstIndex() + index));
    }
}
