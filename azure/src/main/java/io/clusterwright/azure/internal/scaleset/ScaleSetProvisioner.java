package io.clusterwright.azure.internal.scaleset;

import com.azure.resourcemanager.compute.fluent.models.VirtualMachineScaleSetVMInner;
import com.azure.resourcemanager.resources.fluent.models.GenericResourceInner;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.IntNode;
import io.clusterwright.azure.AzureException;
import io.clusterwright.azure.AzureException.Reason;
import io.clusterwright.azure.internal.arm.Errors;
import io.clusterwright.azure.internal.arm.InstanceId;
import io.clusterwright.azure.internal.machine.AzureExpiry;
import io.clusterwright.azure.internal.machine.MachineCreation;
import io.clusterwright.azure.internal.network.EndpointResolver;
import io.clusterwright.azure.internal.network.InstancePorts;
import io.clusterwright.azure.internal.resource.ClusterResources;
import io.clusterwright.azure.internal.resource.ResourceNames;
import io.clusterwright.azure.internal.resource.Tags;
import io.clusterwright.core.ResourceId;
import io.clusterwright.core.internal.arm.ArmId;
import io.clusterwright.core.internal.arm.ArmResource;
import io.clusterwright.core.internal.arm.ComputeResources;
import io.clusterwright.core.internal.json.Json;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spi.Bootstrap;
import io.clusterwright.core.spi.Machine;
import io.clusterwright.core.spi.MachineProvider;
import io.clusterwright.core.spi.MachineProvider.MachineOutcome;
import io.clusterwright.core.spi.MachineProvider.MachineRequest;
import io.clusterwright.core.spi.MachineProvider.ResourceLog;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.core.type.Ipv4Address;
import io.clusterwright.core.type.NodeName;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Makes nodes as instances of one scale set: one call for all of them, one more for those that failed, and one that writes down which
 * instance is which node. An instance that failed is deleted; the others are not touched by that, unless Azure lacks
 * the hardware for as many
 * as the spec requires: then all new instances are deleted, as a part of the fabric that was asked for is of no use and billed.
 */
public final class ScaleSetProvisioner {
    private static final int ROUNDS = 2;

    private final MachineCreation creation;
    private final ScaleSets sets;
    private final ClusterSpec spec;
    private final ResourceNames names;
    private final ArmId set;
    private final ResourceLog log;
    private final MachineProvider provider;
    private final EndpointResolver endpoints;
    private final AzureExpiry end;

    private final Map<NodeName, String> claims = new LinkedHashMap<>();
    private final Map<NodeName, MachineOutcome> outcomes = new LinkedHashMap<>();
    private final List<ResourceId> announced = new ArrayList<>();

    public ScaleSetProvisioner(
            MachineCreation creation, ScaleSets sets, MachineProvider provider, EndpointResolver endpoints) {
        this.creation = creation;
        this.sets = sets;
        this.spec = creation.spec();
        this.names = creation.names();
        this.set = names.scaleSet();
        this.log = creation.log();
        this.provider = provider;
        this.endpoints = endpoints;
        this.end = creation.end();
    }

    public void make(List<MachineRequest> requests, Consumer<MachineOutcome> outcome) {
        if (requests.isEmpty()) {
            return;
        }
        try {
            sets.alone(set, () -> make(requests));
        } catch (RuntimeException e) {
            ClusterwrightException cause = Errors.of("create " + requests.size() + " instances of " + set.name(), e);
            requests.forEach(request -> outcome.accept(new MachineOutcome.Failed(request.name(), cause)));
            return;
        }
        requests.forEach(request -> outcome.accept(outcomes.getOrDefault(
                request.name(),
                new MachineOutcome.Failed(
                        request.name(),
                        new ClusterwrightException("Azure created no instance for " + request.name())))));
    }

    private void make(List<MachineRequest> requests) {
        Optional<GenericResourceInner> before = sets.find(set);
        if (before.isPresent()) {
            keep(before.get(), requests);
            log.creating(resource(ScaleSets.UNASSIGNED));
        } else {
            log.creating(ResourceNames.resource(set));
        }
        Map<NodeName, MachineRequest> missing = new LinkedHashMap<>();
        requests.forEach(request -> missing.put(request.name(), request));
        boolean again = true;
        for (int round = 1; again && round <= ROUNDS && !missing.isEmpty(); round++) {
            again = grow(missing, before.isPresent());
        }
        if (claims.isEmpty() && before.isEmpty()) {
            end.forget(names.autoscale());
            sets.delete(set);
            log.deleted(ResourceNames.resource(set));
            return;
        }
        sets.tag(set, tags());
        if (before.isEmpty()) {
            log.created(ResourceNames.resource(set));
        }
        announced.forEach(log::created);
        if (before.isPresent()) {
            log.deleted(resource(ScaleSets.UNASSIGNED));
        }
    }

    /** Learns which instances are nodes that stay; all others never got an identity, or are made again now. */
    private void keep(GenericResourceInner before, List<MachineRequest> requests) {
        if (!Tags.areOf(before.tags(), log.cluster())) {
            throw Errors.of(
                    Reason.CONFLICT,
                    "create nodes in " + set.name(),
                    set + " exists and does not belong to cluster " + log.cluster());
        }
        claims.putAll(InstanceAssignments.read(before.tags()));
        requests.forEach(request -> claims.remove(request.name()));
        Set<String> stale = sets.instances(set).stream()
                .map(VirtualMachineScaleSetVMInner::instanceId)
                .collect(Collectors.toCollection(LinkedHashSet::new));
        claims.values().removeIf(instance -> !stale.contains(instance));
        claims.values().forEach(stale::remove);
        sets.remove(set, stale);
    }

    /**
     * Makes an instance for each missing node.
     *
     * @return whether it is worth to try again for those that are still missing
     */
    private boolean grow(Map<NodeName, MachineRequest> missing, boolean announce) {
        MachineRequest like = missing.values().iterator().next();
        FirstSessions first = new FirstSessions(creation, provider);
        Bootstrap common = first.common(new NodeName(spec.name().value()), like);
        ClusterResources.MachineValues values = creation.values(
                like.size(),
                creation.images().of(spec, like.image()),
                Optional.of(ClusterResources.system(common, creation.backend().bootstrapData(common))));
        IntFunction<ArmResource> body = instances -> {
            ArmResource made = creation.resources()
                    .scaleSet(values, spec.name().value(), IntNode.valueOf(instances), false)
                    .tags(Json.MAPPER.<JsonNode>valueToTree(tags()));
            if (creation.keepsConsole()) {
                ComputeResources.bootDiagnostics(made.properties().withObject("/virtualMachineProfile"));
            }
            return made;
        };
        setEnd(body.apply(0));
        AzureException failure = null;
        try {
            sets.create(set, body.apply(claims.size() + missing.size()), missing.size());
        } catch (AzureException e) {
            failure = e;
        }
        if (failure != null && sets.find(set).isEmpty()) {
            throw failure;
        }
        end.delete(names.autoscale());
        List<VirtualMachineScaleSetVMInner> fresh = new ArrayList<>(sets.instances(set));
        Set<String> known = new HashSet<>(claims.values());
        fresh.removeIf(instance -> known.contains(instance.instanceId()));
        if (announce) {
            fresh.forEach(instance -> announce(resource(instance.instanceId())));
        }
        List<String> broken = failure != null && tooFew(failure, fresh, missing.size())
                ? giveUp(failure, missing, fresh)
                : adopt(first, missing, fresh, failure);
        sets.remove(set, broken);
        if (announce) {
            broken.forEach(instance -> {
                announced.remove(resource(instance));
                log.deleted(resource(instance));
            });
        }
        return failure == null || InstanceFailures.mayPass(failure.reason());
    }

    /** Sets the end of the instances while there are none yet, as this client may die at any time: a setting needs a set that exists. */
    private void setEnd(ArmResource empty) {
        if (log.expires().isEmpty()) {
            return;
        }
        if (sets.find(set).isEmpty()) {
            try {
                sets.create(set, empty, 0);
            } catch (AzureException e) {
                // The request for all instances, which follows, is refused for the same reason or succeeds.
                return;
            }
        }
        end.delete(names.autoscale());
    }

    /** Whether there is no hardware for the nodes that the spec requires; waiting for another try would not help. */
    private boolean tooFew(AzureException failure, List<VirtualMachineScaleSetVMInner> fresh, int wanted) {
        return failure.reason() == Reason.CAPACITY
                && claims.size() + Math.min(working(fresh), wanted)
                        < spec.nodes().quorum();
    }

    private static int working(List<VirtualMachineScaleSetVMInner> fresh) {
        return (int) fresh.stream()
                .filter(instance -> "Succeeded".equalsIgnoreCase(instance.provisioningState()))
                .count();
    }

    private List<String> giveUp(
            AzureException failure, Map<NodeName, MachineRequest> missing, List<VirtualMachineScaleSetVMInner> fresh) {
        AzureException reason = Errors.of(
                Reason.CAPACITY,
                "create " + missing.size() + " nodes in " + set.name(),
                "Azure has hardware for " + working(fresh) + " of them, and nodes.quorum requires "
                        + spec.nodes().quorum()
                        + ", so all were deleted: " + failure.getMessage()
                        + "; try another region or size, try later, or lower nodes.quorum");
        missing.keySet().forEach(node -> fail(node, reason));
        return fresh.stream().map(VirtualMachineScaleSetVMInner::instanceId).toList();
    }

    private void announce(ResourceId resource) {
        log.creating(resource);
        announced.add(resource);
    }

    /** Makes nodes of the instances that work; returns those that do not. */
    private List<String> adopt(
            FirstSessions first,
            Map<NodeName, MachineRequest> missing,
            List<VirtualMachineScaleSetVMInner> fresh,
            @Nullable AzureException failure) {
        Map<String, Ipv4Address> addresses = sets.addresses(set);
        InstancePorts ports = names.ports().isRange() && !names.ports().ofHeadOnly()
                ? endpoints.ports(names.loadBalancer())
                : InstancePorts.NONE;
        List<String> broken = new ArrayList<>();
        Map<Machine, MachineRequest> candidates = new LinkedHashMap<>();
        Map<NodeName, MachineRequest> waiting = new LinkedHashMap<>(missing);
        Map<Integer, NodeName> byPort = new HashMap<>();
        names.ports().all().forEach((node, port) -> byPort.putIfAbsent(port, node));
        for (VirtualMachineScaleSetVMInner instance : fresh) {
            if (waiting.isEmpty()) {
                broken.add(instance.instanceId());
                continue;
            }
            Ipv4Address address = addresses.get(instance.instanceId());
            NodeName suited = address == null
                    ? null
                    : ports.of(instance.instanceId()).map(byPort::get).orElse(null);
            MachineRequest request = take(waiting, suited);
            Optional<AzureException> wrong = InstanceFailures.of(request.name(), instance, failure);
            if (wrong.isPresent() || address == null) {
                broken.add(instance.instanceId());
                fail(
                        request.name(),
                        wrong.orElseGet(() ->
                                Errors.of(Reason.OTHER, "create " + request.name(), "its instance has no address")));
            } else {
                candidates.put(MachineCreation.machine(request, address, resource(instance.instanceId())), request);
            }
        }
        waiting.values()
                .forEach(request -> fail(
                        request.name(),
                        failure != null
                                ? failure
                                : Errors.of(
                                        Reason.CAPACITY,
                                        "create " + request.name(),
                                        "Azure created no instance for it")));
        candidates.keySet().stream()
                .filter(machine -> machine.name().equals(spec.headName()))
                .forEach(head -> creation.access().only(head.address()));
        FirstSessions.Result sessions =
                first.identify(candidates, machine -> sets.restart(set, List.of(instance(machine))));
        sessions.failed().forEach((machine, cause) -> {
            broken.add(instance(machine));
            fail(machine.name(), cause);
        });
        sets.restart(
                set,
                sessions.restart().stream().map(ScaleSetProvisioner::instance).toList());
        for (Machine machine : candidates.keySet()) {
            if (!sessions.failed().containsKey(machine)) {
                claims.put(machine.name(), instance(machine));
                outcomes.put(machine.name(), new MachineOutcome.Made(machine));
                missing.remove(machine.name());
            }
        }
        return broken;
    }

    /** Takes the request for this node, whose number the port of an instance has, or else the first. */
    private static MachineRequest take(Map<NodeName, MachineRequest> waiting, @Nullable NodeName suited) {
        MachineRequest request = suited == null ? null : waiting.remove(suited);
        if (request != null) {
            return request;
        }
        Iterator<MachineRequest> first = waiting.values().iterator();
        request = first.next();
        first.remove();
        return request;
    }

    private void fail(NodeName node, ClusterwrightException cause) {
        outcomes.put(node, new MachineOutcome.Failed(node, cause));
    }

    private Map<String, String> tags() {
        return InstanceAssignments.write(Tags.of(spec, log.cluster()), claims);
    }

    private ResourceId resource(String instance) {
        return new ResourceId(ResourceNames.MACHINE, new InstanceId(set, instance).toString());
    }

    private static String instance(Machine machine) {
        return InstanceId.find(machine.resource().name()).orElseThrow().instance();
    }
}
