package io.clusterwright.azure.internal.network;

import com.azure.core.management.Resource;
import com.azure.resourcemanager.compute.fluent.models.AvailabilitySetInner;
import com.azure.resourcemanager.compute.fluent.models.ProximityPlacementGroupInner;
import com.azure.resourcemanager.network.fluent.models.LoadBalancerInner;
import com.azure.resourcemanager.network.fluent.models.NetworkSecurityGroupInner;
import com.azure.resourcemanager.network.fluent.models.PublicIpAddressInner;
import com.azure.resourcemanager.network.fluent.models.VirtualNetworkInner;
import com.azure.resourcemanager.resources.fluent.models.ResourceGroupInner;
import com.fasterxml.jackson.databind.node.ArrayNode;
import io.clusterwright.azure.AzureException.Reason;
import io.clusterwright.azure.internal.arm.ArmClient;
import io.clusterwright.azure.internal.arm.Clients;
import io.clusterwright.azure.internal.arm.Errors;
import io.clusterwright.azure.internal.arm.SdkBody;
import io.clusterwright.azure.internal.resource.ClusterResources;
import io.clusterwright.azure.internal.resource.Names;
import io.clusterwright.azure.internal.resource.Tags;
import io.clusterwright.core.ResourceId;
import io.clusterwright.core.internal.arm.ArmId;
import io.clusterwright.core.internal.json.Json;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spi.MachineProvider.ResourceLog;
import io.clusterwright.core.type.AddressRange;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Makes what the machines of a cluster share; what is there already and ours is left as it is. */
public final class SharedResourceProvisioner {
    private static final Duration LIMIT = Duration.ofMinutes(20);

    private final Clients clients;
    private final ArmClient arm;
    private final ClusterSpec spec;
    private final ResourceLog log;
    private final Names names;
    private final ClusterResources resources;
    private final List<AddressRange> callers;

    public SharedResourceProvisioner(Clients clients, ClusterSpec spec, List<AddressRange> callers, ResourceLog log) {
        this.clients = clients;
        this.arm = clients.arm();
        this.spec = spec;
        this.callers = callers;
        this.log = log;
        this.names = new Names(clients.subscription(), spec);
        this.resources = ClusterResources.requests(clients.subscription(), spec);
    }

    public void make() {
        group();
        List<Runnable> parts = new ArrayList<>(List.of(this::securityGroup, this::network));
        if (names.automatic()) {
            requireSamePlacement();
        }
        if (names.hasProximityGroup() || names.hasAvailabilitySet()) {
            parts.add(this::placement);
        }
        if (names.sharedAddress()) {
            parts.add(this::way);
        }
        ArmClient.runAll("network", parts.size(), parts);
    }

    private void group() {
        String group = spec.resourceGroup();
        Optional<ResourceGroupInner> found = arm.find(
                "look for resource group " + group,
                () -> clients.resources().getResourceGroups().get(group));
        if (found.isPresent()) {
            return;
        }
        ResourceId id = names.resource(Names.GROUP, names.group());
        log.creating(id);
        ResourceGroupInner body = new ResourceGroupInner().withLocation(spec.requireRegion());
        body.withTags(Tags.of(spec));
        arm.write(
                "create resource group " + group,
                () -> clients.resources().getResourceGroups().createOrUpdate(group, body));
        log.created(id);
    }

    private void securityGroup() {
        ArrayNode ranges = Json.array();
        callers.forEach(range -> ranges.add(range.toString()));
        var security = clients.network().getNetworkSecurityGroups();
        ArmId id = names.securityGroup();
        make(
                Names.SECURITY_GROUP,
                id,
                () -> security.getByResourceGroup(id.group(), id.name()),
                what -> arm.write(
                        what,
                        LIMIT,
                        () -> security.beginCreateOrUpdate(
                                id.group(),
                                id.name(),
                                SdkBody.of(resources.securityGroup(ranges), NetworkSecurityGroupInner::fromJson))));
    }

    private void network() {
        var networks = clients.network().getVirtualNetworks();
        ArmId id = names.network();
        if (spec.network().existing()) {
            VirtualNetworkInner found = arm.find(
                            "look for network " + id.name(), () -> networks.getByResourceGroup(id.group(), id.name()))
                    .orElseThrow(() -> Errors.of(
                            Reason.NOT_FOUND,
                            "",
                            "use network " + id,
                            "there is none, and network.existing is true; write existing: false to have it made",
                            null));
            requireSubnet(found);
            return;
        }
        make(
                Names.NETWORK,
                id,
                () -> networks.getByResourceGroup(id.group(), id.name()),
                what -> arm.write(
                        what,
                        LIMIT,
                        () -> networks.beginCreateOrUpdate(
                                id.group(),
                                id.name(),
                                SdkBody.of(resources.network(), VirtualNetworkInner::fromJson))));
    }

    private void requireSubnet(VirtualNetworkInner network) {
        String subnet = spec.network().subnet().name();
        List<String> there = network.subnets() == null
                ? List.of()
                : network.subnets().stream().map(one -> one.name()).toList();
        if (!there.contains(subnet)) {
            throw Errors.of(
                    Reason.NOT_FOUND,
                    "",
                    "use network " + network.name(),
                    "it has no subnet " + subnet + ", only " + there + "; name one of these in network.subnet.name",
                    null);
        }
    }

    /** What automatic placement means may change with the number of nodes; those that are there cannot move. */
    private void requireSamePlacement() {
        boolean set = names.hasScaleSet();
        ArmId other = set ? names.availabilitySet() : names.scaleSet();
        boolean ours = arm.<Resource>find(
                        "look for " + other.name(),
                        () -> set
                                ? clients.compute()
                                        .getAvailabilitySets()
                                        .getByResourceGroup(other.group(), other.name())
                                : clients.compute()
                                        .getVirtualMachineScaleSets()
                                        .getByResourceGroup(other.group(), other.name()))
                .filter(found -> Tags.areOf(found.tags(), spec.name().value()))
                .isPresent();
        if (ours) {
            throw Errors.of(
                    Reason.CONFLICT,
                    "",
                    "place " + spec.nodes().count() + " nodes",
                    "automatic placement means " + (set ? "a scale set" : "an availability set")
                            + " for these, and the nodes there are in " + other.name()
                            + ", which is another fabric; write placement.kind: "
                            + (set ? "availability-set" : "scale-set") + " to keep them, or destroy the cluster first",
                    null);
        }
    }

    private void placement() {
        if (names.hasProximityGroup()) {
            var groups = clients.compute().getProximityPlacementGroups();
            ArmId id = names.proximityGroup();
            make(
                    Names.PROXIMITY_GROUP,
                    id,
                    () -> groups.getByResourceGroup(id.group(), id.name()),
                    what -> arm.write(
                            what,
                            () -> groups.createOrUpdate(
                                    id.group(),
                                    id.name(),
                                    SdkBody.of(resources.proximityGroup(), ProximityPlacementGroupInner::fromJson))));
        }
        if (names.hasAvailabilitySet()) {
            var sets = clients.compute().getAvailabilitySets();
            ArmId id = names.availabilitySet();
            make(
                    Names.AVAILABILITY_SET,
                    id,
                    () -> sets.getByResourceGroup(id.group(), id.name()),
                    what -> arm.write(
                            what,
                            () -> sets.createOrUpdate(
                                    id.group(),
                                    id.name(),
                                    SdkBody.of(resources.availabilitySet(), AvailabilitySetInner::fromJson))));
        }
    }

    /** One address with a load balancer in front of all nodes that are reached from outside. */
    private void way() {
        var addresses = clients.network().getPublicIpAddresses();
        ArmId address = names.address();
        make(
                Names.ADDRESS,
                address,
                () -> addresses.getByResourceGroup(address.group(), address.name()),
                what -> arm.write(
                        what,
                        LIMIT,
                        () -> addresses.beginCreateOrUpdate(
                                address.group(),
                                address.name(),
                                SdkBody.of(resources.sharedAddress(), PublicIpAddressInner::fromJson))));
        var balancers = clients.network().getLoadBalancers();
        ArmId balancer = names.loadBalancer();
        Making put = what -> arm.write(
                what,
                LIMIT,
                () -> balancers.beginCreateOrUpdate(
                        balancer.group(),
                        balancer.name(),
                        SdkBody.of(resources.loadBalancerOfNodes(), LoadBalancerInner::fromJson)));
        make(Names.LOAD_BALANCER, balancer, () -> balancers.getByResourceGroup(balancer.group(), balancer.name()), put)
                .filter(this::lacksPorts)
                .ifPresent(older -> put.make("add ports to load balancer " + balancer.name()));
    }

    /** A cluster that grows has nodes that its load balancer does not know. */
    private boolean lacksPorts(LoadBalancerInner balancer) {
        List<String> there = balancer.inboundNatRules() == null
                ? List.of()
                : balancer.inboundNatRules().stream().map(rule -> rule.name()).toList();
        if (names.portRange()) {
            int last = Collections.max(names.ports().values());
            return balancer.inboundNatRules() == null
                    || balancer.inboundNatRules().stream()
                            .noneMatch(
                                    rule -> rule.frontendPortRangeEnd() != null && rule.frontendPortRangeEnd() >= last);
        }
        return !names.ports().keySet().stream().map(Names::natRule).allMatch(there::contains);
    }

    /** Makes what is not there; answers what is. */
    private <T extends Resource> Optional<T> make(String kind, ArmId id, Supplier<T> get, Making making) {
        Optional<T> found = arm.find("look for " + kind + " " + id.name(), get);
        if (found.isPresent()) {
            requireOurs(kind, id, found.get().tags());
            return found;
        }
        ResourceId resource = names.resource(kind, id);
        log.creating(resource);
        making.make("create " + kind + " " + id.name());
        log.created(resource);
        return found;
    }

    private void requireOurs(String kind, ArmId id, @Nullable Map<String, String> tags) {
        if (!Tags.areOf(tags, spec.name().value())) {
            throw Errors.of(
                    Reason.CONFLICT,
                    "",
                    "create " + kind + " " + id.name(),
                    id + " exists and does not belong to cluster " + spec.name()
                            + (kind.equals(Names.NETWORK) ? "; to use it as it is, write network.existing: true" : ""),
                    null);
        }
    }

    /** Makes one part. */
    private interface Making {
        void make(String what);
    }
}
