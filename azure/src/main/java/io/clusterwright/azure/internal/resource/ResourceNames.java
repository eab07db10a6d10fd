package io.clusterwright.azure.internal.resource;

import io.clusterwright.core.ResourceId;
import io.clusterwright.core.catalog.SizeDefaults;
import io.clusterwright.core.catalog.VmSizes;
import io.clusterwright.core.internal.arm.ArmId;
import io.clusterwright.core.internal.arm.ArmText;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.Placement;
import io.clusterwright.core.type.Ipv4Address;
import io.clusterwright.core.type.NodeName;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The resources of a cluster and their ids, all fixed by its spec. */
public final class ResourceNames {
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

    /** The prefix of the names of shutdown schedules. */
    static final String SHUTDOWN = "shutdown-computevm-";

    public static final int SSH = 22;
    public static final String FRONTEND = "ssh";
    public static final String POOL = "nodes";
    public static final String PORT_RANGE = "ssh";
    public static final String OUTBOUND = "outbound";

    /** The prefix of the names of the rules for one node each. */
    public static final String NAT_RULE = "ssh-";

    private final ArmId group;
    private final ClusterSpec spec;
    private final SshPorts ports;

    public ResourceNames(String subscription, ClusterSpec spec) {
        this.group = ArmId.group(subscription, spec.resourceGroup());
        this.spec = spec;
        this.ports = new SshPorts(spec, this::hasScaleSet);
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
        boolean exposed = ports.isExposed(machine);
        boolean shared = ports.isShared();
        return new ClusterResources.NodeValues(
                ArmText.plain(node.value()),
                ArmText.plain(address.toString()),
                exposed && !shared,
                exposed && shared ? Optional.of(ArmText.plain(natRule(machine))) : Optional.empty(),
                inGroup(node));
    }

    /** The SSH access to the nodes from outside. */
    public SshPorts ports() {
        return ports;
    }

    public ClusterSpec spec() {
        return spec;
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
                .map(id -> ArmId.of(id.substring(0, id.lastIndexOf('/', id.lastIndexOf('/') - 1))))
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
        return NAT_RULE + node;
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

    /**
     * Whether this machine is one of those that are alike: evictable and placed as the spec says, as the head node and
     * the template are not.
     */
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
}
