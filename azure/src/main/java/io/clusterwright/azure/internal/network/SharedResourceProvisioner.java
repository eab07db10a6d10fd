package io.clusterwright.azure.internal.network;

import com.azure.resourcemanager.resources.fluent.models.GenericResourceInner;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import io.clusterwright.azure.AzureException.Reason;
import io.clusterwright.azure.internal.arm.ArmClient;
import io.clusterwright.azure.internal.arm.Clients;
import io.clusterwright.azure.internal.arm.Errors;
import io.clusterwright.azure.internal.resource.ClusterResources;
import io.clusterwright.azure.internal.resource.ResourceNames;
import io.clusterwright.azure.internal.resource.Tags;
import io.clusterwright.core.ResourceId;
import io.clusterwright.core.internal.arm.ArmId;
import io.clusterwright.core.internal.arm.ArmResource;
import io.clusterwright.core.internal.json.Json;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spi.MachineProvider.ResourceLog;
import io.clusterwright.core.type.AddressRange;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Makes what the machines of a cluster share; what is there already and ours is left as it is. */
public final class SharedResourceProvisioner {
    private static final Duration LIMIT = Duration.ofMinutes(20);

    private final Clients clients;
    private final ClusterSpec spec;
    private final ResourceLog log;
    private final ResourceNames names;
    private final ClusterResources resources;
    private final List<AddressRange> callers;
    private final List<ResourceId> made = Collections.synchronizedList(new ArrayList<>());

    /**
     * The shared resources of one creation.
     *
     * @param callers the ranges that may reach SSH; {@code AzureProvider.callers} decides them
     */
    public SharedResourceProvisioner(
            Clients clients, ResourceNames names, List<AddressRange> callers, ResourceLog log) {
        this.clients = clients;
        this.spec = names.spec();
        this.callers = callers;
        this.log = log;
        this.names = names;
        this.resources = ClusterResources.requests(names, log.cluster());
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
        if (names.ports().isShared()) {
            parts.add(this::way);
        }
        ArmClient.runAll("network", parts.size(), parts);
        requireKept();
    }

    /**
     * Two creations that look at the same time both find nothing, and the second overwrites what the first made. The tags of the second
     * stand then: the first withdraws.
     */
    private void requireKept() {
        List<ResourceId> lost = new ArrayList<>();
        for (ResourceId resource : List.copyOf(made)) {
            ArmId id = ArmId.of(resource.name());
            boolean kept = clients.find("look for " + resource.kind() + " " + id.name(), id)
                    .filter(found -> Tags.areOf(found.tags(), log.cluster()))
                    .isPresent();
            if (!kept) {
                lost.add(resource);
            }
        }
        if (lost.isEmpty()) {
            return;
        }
        lost.forEach(log::deleted);
        throw Errors.of(
                Reason.CONFLICT,
                "create the network of cluster " + spec.name(),
                "another create command created " + lost.get(0)
                        + " at the same time, and it does not belong to cluster " + log.cluster());
    }

    private void group() {
        ArmId group = names.group();
        if (clients.find("look for resource group " + group.name(), group).isPresent()) {
            return;
        }
        ResourceId id = ResourceNames.resource(group);
        log.creating(id);
        clients.putGroup(group, spec.requireRegion(), Tags.of(spec, log.cluster()));
        made.add(id);
        requireKept();
        log.created(id);
    }

    private void securityGroup() {
        ArrayNode ranges = Json.array();
        callers.forEach(range -> ranges.add(range.toString()));
        make(names.securityGroup(), resources.securityGroup(ranges, List.of()));
    }

    private void network() {
        ArmId id = names.network();
        if (!spec.network().existing()) {
            make(id, resources.network());
            return;
        }
        JsonNode found = clients.find("look for network " + id.name(), id)
                .map(Clients::properties)
                .orElseThrow(() -> Errors.of(
                        Reason.NOT_FOUND,
                        "use network " + id,
                        "it does not exist, and network.existing is true; write existing: false to create it"));
        String subnet = spec.network().subnet().name();
        List<String> there = Clients.names(found.path("subnets"));
        if (!there.contains(subnet)) {
            throw Errors.of(
                    Reason.NOT_FOUND,
                    "use network " + id.name(),
                    "it has no subnet " + subnet + "; write one of " + there + " in network.subnet.name");
        }
    }

    /** What automatic placement means may change with the number of nodes; those that are there cannot move. */
    private void requireSamePlacement() {
        boolean set = names.hasScaleSet();
        ArmId other = set ? names.availabilitySet() : names.scaleSet();
        boolean ours = clients.find("look for " + other.name(), other)
                .filter(found -> Tags.areOf(found.tags(), log.cluster()))
                .isPresent();
        if (ours) {
            throw Errors.of(
                    Reason.CONFLICT,
                    "place " + spec.nodes().count() + " nodes",
                    "automatic placement means " + (set ? "a scale set" : "an availability set")
                            + " for them, and the existing nodes are in " + other.name()
                            + ", another fabric; write placement.kind: "
                            + (set ? "availability-set" : "scale-set") + " to keep them, or destroy the cluster first");
        }
    }

    private void placement() {
        if (names.hasProximityGroup()) {
            make(names.proximityGroup(), resources.proximityGroup());
        }
        if (names.hasAvailabilitySet()) {
            make(names.availabilitySet(), resources.availabilitySet());
        }
    }

    /** One address with a load balancer in front of all nodes that are reached from outside. */
    private void way() {
        make(names.address(), resources.sharedAddress());
        ArmId balancer = names.loadBalancer();
        make(balancer, resources.loadBalancerOfNodes())
                .filter(found -> lacksPorts(Clients.properties(found).path("inboundNatRules")))
                .ifPresent(older -> clients.put(
                        "add ports to load balancer " + balancer.name(), LIMIT, resources.loadBalancerOfNodes()));
    }

    /** A cluster that grows has nodes that its load balancer does not know. */
    private boolean lacksPorts(JsonNode rules) {
        if (names.ports().isRange()) {
            int last = names.ports().last();
            return rules.findValues("frontendPortRangeEnd").stream().noneMatch(end -> end.asInt() >= last);
        }
        Set<String> there = Set.copyOf(Clients.names(rules));
        return !names.ports().all().keySet().stream()
                .map(ResourceNames::natRule)
                .allMatch(there::contains);
    }

    /** Makes what is not there; answers what is. */
    private Optional<GenericResourceInner> make(ArmId id, ArmResource resource) {
        ResourceId part = ResourceNames.resource(id);
        Optional<GenericResourceInner> found = clients.find("look for " + part.kind() + " " + id.name(), id);
        if (found.isEmpty()) {
            log.creating(part);
            clients.put("create " + part.kind() + " " + id.name(), LIMIT, resource);
            made.add(part);
            log.created(part);
        } else if (!Tags.areOf(found.get().tags(), log.cluster())) {
            boolean network = part.kind().equals(ResourceNames.NETWORK);
            throw Errors.of(
                    Reason.CONFLICT,
                    "create " + part.kind() + " " + id.name(),
                    id + " exists and does not belong to cluster " + log.cluster()
                            + (network ? "; to use it as it is, write network.existing: true" : ""));
        }
        return found;
    }
}
