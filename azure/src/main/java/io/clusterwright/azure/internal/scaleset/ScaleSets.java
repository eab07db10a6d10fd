package io.clusterwright.azure.internal.scaleset;

import static com.azure.core.util.Context.NONE;

import com.azure.core.management.polling.PollResult;
import com.azure.core.util.polling.SyncPoller;
import com.azure.resourcemanager.compute.fluent.VirtualMachineScaleSetsClient;
import com.azure.resourcemanager.compute.fluent.models.VirtualMachineScaleSetVMInner;
import com.azure.resourcemanager.compute.models.VirtualMachineScaleSetUpdate;
import com.azure.resourcemanager.compute.models.VirtualMachineScaleSetVMInstanceIDs;
import com.azure.resourcemanager.compute.models.VirtualMachineScaleSetVMInstanceRequiredIDs;
import com.azure.resourcemanager.resources.fluent.models.GenericResourceInner;
import io.clusterwright.azure.AzureException;
import io.clusterwright.azure.internal.arm.ArmClient;
import io.clusterwright.azure.internal.arm.Clients;
import io.clusterwright.azure.internal.arm.Errors;
import io.clusterwright.azure.internal.arm.InstanceId;
import io.clusterwright.azure.internal.machine.MachinePower;
import io.clusterwright.azure.internal.resource.ResourceNames;
import io.clusterwright.azure.internal.resource.Tags;
import io.clusterwright.core.MachineState;
import io.clusterwright.core.ResourceId;
import io.clusterwright.core.internal.arm.ArmId;
import io.clusterwright.core.internal.arm.ArmResource;
import io.clusterwright.core.internal.concurrent.Tasks;
import io.clusterwright.core.spi.Machine;
import io.clusterwright.core.type.ClusterId;
import io.clusterwright.core.type.Ipv4Address;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.core.type.OperationInterruptedException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiFunction;

/**
 * The scale sets of a provider: their creation, instances, power and deletion. A set takes one change at a time, so that changes of one set wait for each other, and deletions that
 * wait are carried out together.
 */
public final class ScaleSets {
    private static final Duration CREATE_LIMIT = Duration.ofMinutes(150);
    private static final Duration POWER_LIMIT = Duration.ofMinutes(30);

    /** Stands for all instances of a set that are no nodes: announced before a set grows, when the new instances have no names yet. */
    static final String UNASSIGNED = "unassigned";

    private final Clients clients;
    private final ArmClient arm;
    private final Map<String, Gate> gates = new ConcurrentHashMap<>();

    public ScaleSets(Clients clients) {
        this.clients = clients;
        this.arm = clients.arm();
    }

    /** A change of one set, with the instances to delete. */
    private static final class Gate {
        final ReentrantLock lock = new ReentrantLock();
        final Map<String, CompletableFuture<Void>> leaving = new LinkedHashMap<>();
    }

    /** Does something to a set while nothing else does. */
    void alone(ArmId set, Runnable change) {
        Gate gate = gate(set);
        lock(gate, set);
        try {
            change.run();
        } finally {
            gate.lock.unlock();
        }
    }

    /** Creates a scale set, or grows one to the capacity of the resource; returns when all new instances have started or failed. */
    void create(ArmId set, ArmResource resource, int instances) {
        clients.put("create " + instances + " instances of " + set.name(), CREATE_LIMIT, resource);
    }

    /** Records the assignment of nodes to instances in the set's tags. */
    void tag(ArmId set, Map<String, String> tags) {
        clients.act(
                "write down the nodes of " + set.name(),
                CREATE_LIMIT,
                set,
                () -> clients.compute()
                        .getVirtualMachineScaleSets()
                        .beginUpdate(set.group(), set.name(), new VirtualMachineScaleSetUpdate().withTags(tags)));
    }

    /** Deletes a set without nodes. */
    void delete(ArmId set) {
        clients.delete("delete scale set " + set.name(), set);
    }

    Optional<GenericResourceInner> find(ArmId set) {
        return clients.find("look for scale set " + set.name(), set);
    }

    /** The instances with their state, in the order of their making. */
    public List<VirtualMachineScaleSetVMInner> instances(ArmId set) {
        return arm
                .list(
                        "list the instances of " + set.name(),
                        () -> clients.compute()
                                .getVirtualMachineScaleSetVMs()
                                .list(set.group(), set.name(), null, null, "instanceView", NONE))
                .stream()
                .sorted(Comparator.comparing((VirtualMachineScaleSetVMInner each) ->
                                each.instanceId().length())
                        .thenComparing(VirtualMachineScaleSetVMInner::instanceId))
                .toList();
    }

    /** The private addresses by instance, read in one go. */
    Map<String, Ipv4Address> addresses(ArmId set) {
        Map<String, Ipv4Address> addresses = new HashMap<>();
        arm.list(
                        "list the interfaces of " + set.name(),
                        () -> clients.network()
                                .getNetworkInterfaces()
                                .listVirtualMachineScaleSetNetworkInterfaces(set.group(), set.name()))
                .forEach(nic -> InstanceId.find(nic.id())
                        .ifPresent(instance -> nic.ipConfigurations().stream()
                                .map(configuration -> configuration.privateIpAddress())
                                .filter(address -> address != null)
                                .findFirst()
                                .ifPresent(address -> addresses.put(instance.instance(), Ipv4Address.of(address)))));
        return addresses;
    }

    /** The nodes among these that are instances of a set of this cluster. */
    public List<Machine> find(ClusterId cluster, ArmId set, List<Machine> nodes) {
        Map<NodeName, String> claims = find(set)
                .filter(found -> Tags.areOf(found.tags(), cluster))
                .map(found -> InstanceAssignments.read(found.tags()))
                .orElse(Map.of());
        if (claims.isEmpty()) {
            return List.of();
        }
        Map<String, Ipv4Address> addresses = addresses(set);
        List<Machine> found = new ArrayList<>();
        for (Machine node : nodes) {
            String instance = claims.getOrDefault(node.name(), UNASSIGNED);
            Ipv4Address address = addresses.get(instance);
            if (address != null) {
                ResourceId resource = new ResourceId(ResourceNames.MACHINE, new InstanceId(set, instance).toString());
                found.add(new Machine(node.name(), address, resource, node.hostKey(), node.interconnect()));
            }
        }
        return found;
    }

    public MachineState state(InstanceId id) {
        return arm.find(
                        "read instance " + id.instance() + " of " + id.set().name(),
                        () -> clients.compute()
                                .getVirtualMachineScaleSetVMs()
                                .getInstanceView(id.set().group(), id.set().name(), id.instance()))
                .map(view -> MachinePower.state(view.statuses()))
                .orElse(MachineState.ABSENT);
    }

    /** Deletes an instance of a set that is this cluster's; does nothing when there is none. */
    public void delete(ClusterId cluster, InstanceId id) {
        if (id.instance().equals(UNASSIGNED)) {
            alone(id.set(), () -> removeUnassigned(cluster, id.set()));
            return;
        }
        Gate gate = gate(id.set());
        CompletableFuture<Void> done;
        synchronized (gate.leaving) {
            done = gate.leaving.computeIfAbsent(id.instance(), instance -> new CompletableFuture<>());
        }
        try {
            lock(gate, id.set());
        } catch (OperationInterruptedException e) {
            synchronized (gate.leaving) {
                gate.leaving.remove(id.instance(), done);
            }
            throw e;
        }
        try {
            synchronized (gate.leaving) {
                if (!done.isDone()) { // an interrupted deletion of the same instance may have taken it out
                    gate.leaving.putIfAbsent(id.instance(), done);
                }
            }
            deleteWaiting(cluster, id.set(), gate);
        } finally {
            gate.lock.unlock();
        }
        try {
            done.join();
        } catch (CompletionException e) {
            Throwable cause = e.getCause();
            throw Errors.of(
                    "delete instance " + id.instance() + " of " + id.set().name(), cause == null ? e : cause);
        }
    }

    private void removeUnassigned(ClusterId cluster, ArmId set) {
        find(set).filter(found -> Tags.areOf(found.tags(), cluster)).ifPresent(found -> {
            Set<String> nodes =
                    Set.copyOf(InstanceAssignments.read(found.tags()).values());
            remove(
                    set,
                    instances(set).stream()
                            .map(VirtualMachineScaleSetVMInner::instanceId)
                            .filter(instance -> !nodes.contains(instance))
                            .toList());
        });
    }

    private void deleteWaiting(ClusterId cluster, ArmId set, Gate gate) {
        Map<String, CompletableFuture<Void>> batch;
        synchronized (gate.leaving) {
            batch = new LinkedHashMap<>(gate.leaving);
            gate.leaving.clear();
        }
        if (batch.isEmpty()) {
            return;
        }
        try {
            boolean ours =
                    find(set).filter(found -> Tags.areOf(found.tags(), cluster)).isPresent();
            if (ours) {
                List<String> there = instances(set).stream()
                        .map(VirtualMachineScaleSetVMInner::instanceId)
                        .filter(batch::containsKey)
                        .toList();
                remove(set, there);
            }
            batch.values().forEach(done -> done.complete(null));
        } catch (RuntimeException e) {
            batch.values().forEach(done -> done.completeExceptionally(e));
        }
    }

    /** Deletes these instances in one call; the caller has the set for itself. */
    public void remove(ArmId set, Collection<String> instances) {
        if (instances.isEmpty()) {
            return;
        }
        try {
            deleteInstances(set, instances);
        } catch (AzureException e) {
            // Azure refuses all where one is gone: by itself, or by the same call, whose answer was lost.
            if (!e.code().equals("InvalidParameter")) {
                throw e;
            }
            List<String> remaining = instances(set).stream()
                    .map(VirtualMachineScaleSetVMInner::instanceId)
                    .filter(Set.copyOf(instances)::contains)
                    .toList();
            if (!remaining.isEmpty()) {
                deleteInstances(set, remaining);
            }
        }
    }

    private void deleteInstances(ArmId set, Collection<String> instances) {
        clients.act(
                "delete " + instances.size() + " instances of " + set.name(),
                CREATE_LIMIT,
                set,
                () -> clients.compute()
                        .getVirtualMachineScaleSets()
                        .beginDeleteInstances(
                                set.group(),
                                set.name(),
                                new VirtualMachineScaleSetVMInstanceRequiredIDs()
                                        .withInstanceIds(List.copyOf(instances))));
    }

    public void restart(ArmId set, Collection<String> instances) {
        if (!instances.isEmpty()) {
            power("restart", set, instances, (sets, ids) -> sets.beginRestart(set.group(), set.name(), ids, NONE));
        }
    }

    public void start(ArmId set, Collection<String> instances) {
        power("start", set, instances, (sets, ids) -> sets.beginStart(set.group(), set.name(), ids, NONE));
    }

    /** Deallocates instances, which then cost nothing but their disks. */
    public void stop(ArmId set, Collection<String> instances) {
        power("stop", set, instances, (sets, ids) -> sets.beginDeallocate(set.group(), set.name(), null, ids, NONE));
    }

    private void power(
            String verb,
            ArmId set,
            Collection<String> instances,
            BiFunction<
                            VirtualMachineScaleSetsClient,
                            VirtualMachineScaleSetVMInstanceIDs,
                            SyncPoller<PollResult<Void>, Void>>
                    call) {
        var ids = new VirtualMachineScaleSetVMInstanceIDs().withInstanceIds(List.copyOf(instances));
        clients.act(
                verb + " " + instances.size() + " instances of " + set.name(),
                POWER_LIMIT,
                set,
                () -> call.apply(clients.compute().getVirtualMachineScaleSets(), ids));
    }

    private Gate gate(ArmId set) {
        return gates.computeIfAbsent(set.plain(), name -> new Gate());
    }

    private static void lock(Gate gate, ArmId set) {
        Tasks.interruptibly("wait for scale set " + set.name() + ": interrupted", () -> gate.lock.lockInterruptibly());
    }
}
