package io.clusterwright.azure.internal.cleanup;

import com.azure.core.management.Resource;
import com.azure.core.management.polling.PollResult;
import com.azure.core.util.Context;
import com.azure.core.util.polling.SyncPoller;
import io.clusterwright.azure.AzureException;
import io.clusterwright.azure.AzureException.Reason;
import io.clusterwright.azure.internal.arm.ArmClient;
import io.clusterwright.azure.internal.arm.Clients;
import io.clusterwright.azure.internal.arm.Errors;
import io.clusterwright.azure.internal.resource.Names;
import io.clusterwright.azure.internal.resource.Tags;
import io.clusterwright.core.ResourceId;
import io.clusterwright.core.internal.arm.ArmId;
import io.clusterwright.core.internal.concurrent.Deadline;
import io.clusterwright.core.type.OperationInterruptedException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Deletes what this library made: by recorded id, each only when it carries the cluster's tag. */
public final class Remover {
    /** For how long something may be in use by what is going away itself; an interface is reserved for 180 s after a failure. */
    private static final Duration IN_USE = Duration.ofMinutes(5);

    private static final Duration IN_USE_PAUSE = Duration.ofSeconds(5);

    /** What others refer to, each after what refers to it; machines, which nothing refers to, come before all of these. */
    private static final List<String> ORDER = List.of(
            Names.LOAD_BALANCER,
            Names.ADDRESS,
            Names.NETWORK,
            Names.SECURITY_GROUP,
            Names.AVAILABILITY_SET,
            Names.PROXIMITY_GROUP);

    private final Clients clients;
    private final ArmClient arm;

    public Remover(Clients clients) {
        this.clients = clients;
        this.arm = clients.arm();
    }

    public void delete(String cluster, ResourceId resource) {
        ArmId id = ArmId.parse(resource.name());
        if (id.type().isEmpty()) {
            group(cluster, id);
        } else if (id.isType(ArmId.VM)) {
            machine(cluster, id);
        } else {
            one(cluster, id);
        }
    }

    /** A machine with its parts, of which it takes most along. */
    public void machine(String cluster, ArmId id) {
        one(cluster, id);
        one(cluster, Names.nic(id));
        one(cluster, Names.disk(id));
        one(cluster, Names.address(id));
    }

    /**
     * What carries the cluster's tag, found by looking, in an order in which it can be deleted. What lies in a group of ours goes with the
     * group.
     */
    public List<ResourceId> remaining(String cluster) {
        String filter = "tagName eq '" + Tags.CLUSTER + "' and tagValue eq '" + cluster + "'";
        Set<String> groups = new LinkedHashSet<>();
        List<ResourceId> found = new ArrayList<>();
        arm.read("list resource groups of cluster " + cluster, () -> {
                    List<String> names = new ArrayList<>();
                    clients.resources()
                            .getResourceGroups()
                            .list(filter, null, Context.NONE)
                            .forEach(group -> names.add(group.name()));
                    return names;
                })
                .forEach(name -> {
                    groups.add(name.toLowerCase(Locale.ROOT));
                    found.add(new ResourceId(
                            Names.GROUP,
                            ArmId.group(clients.subscription(), name).toString()));
                });
        Map<String, ResourceId> others = new LinkedHashMap<>();
        for (Tagged resource : tagged(cluster, filter)) {
            if (groups.contains(resource.id.group().toLowerCase(Locale.ROOT))) {
                continue;
            }
            ArmId id = resource.node == null ? resource.id : resource.id.sibling(ArmId.VM, resource.node);
            others.putIfAbsent(id.plain(), new ResourceId(kind(id), id.toString()));
        }
        others.values().stream()
                .sorted(Comparator.comparingInt(resource -> ORDER.indexOf(resource.kind())))
                .forEach(found::add);
        return found;
    }

    private List<Tagged> tagged(String cluster, String filter) {
        return arm.read("list resources of cluster " + cluster, () -> {
            List<Tagged> found = new ArrayList<>();
            clients.resources()
                    .getResources()
                    .list(filter, null, null, Context.NONE)
                    .forEach(resource -> {
                        if (topLevel(resource.id())) {
                            found.add(new Tagged(
                                    ArmId.parse(resource.id()),
                                    resource.tags() == null
                                            ? null
                                            : resource.tags().get(Tags.NODE)));
                        }
                    });
            return found;
        });
    }

    /** An extension, for one, goes with its machine. */
    private static boolean topLevel(String id) {
        return id.split("/", -1).length == 9;
    }

    private static String kind(ArmId id) {
        return switch (id.type().toLowerCase(Locale.ROOT)) {
            case "microsoft.compute/virtualmachines" -> Names.MACHINE;
            case "microsoft.network/virtualnetworks" -> Names.NETWORK;
            case "microsoft.network/networksecuritygroups" -> Names.SECURITY_GROUP;
            case "microsoft.network/publicipaddresses" -> Names.ADDRESS;
            case "microsoft.network/loadbalancers" -> Names.LOAD_BALANCER;
            case "microsoft.compute/availabilitysets" -> Names.AVAILABILITY_SET;
            case "microsoft.compute/virtualmachinescalesets" -> Names.SCALE_SET;
            case "microsoft.compute/proximityplacementgroups" -> Names.PROXIMITY_GROUP;
            default -> id.type();
        };
    }

    private void group(String cluster, ArmId id) {
        var groups = clients.resources().getResourceGroups();
        boolean ours = arm.find("look for resource group " + id.name(), () -> groups.get(id.name()))
                .filter(found -> Tags.areOf(found.tags(), cluster))
                .isPresent();
        if (ours) {
            arm.delete("delete resource group " + id.name(), () -> groups.beginDelete(id.name()));
        }
    }

    private void one(String cluster, ArmId id) {
        Kind kind = kinds(id);
        boolean ours = arm.<Resource>find("look for " + id.name(), kind.get::get)
                .filter(found -> Tags.areOf(found.tags(), cluster))
                .isPresent();
        if (!ours) {
            return;
        }
        Deadline deadline = Deadline.in("wait for its last user", IN_USE);
        while (true) {
            try {
                kind.delete.accept("delete " + id.name());
                return;
            } catch (AzureException e) {
                if (!inUse(e) || deadline.passed()) {
                    throw e;
                }
                pause(e);
            }
        }
    }

    private static boolean inUse(AzureException e) {
        String code = e.code().toLowerCase(Locale.ROOT);
        return code.contains("inuse")
                || code.contains("nicreserved")
                || code.contains("cannotbedeleted")
                || code.equals("anotheroperationinprogress")
                || code.equals("retryableerror");
    }

    private static void pause(AzureException cause) {
        try {
            Thread.sleep(IN_USE_PAUSE.toMillis());
        } catch (InterruptedException e) {
            throw new OperationInterruptedException("interrupted while something used it: " + cause.getMessage(), e);
        }
    }

    private Kind kinds(ArmId id) {
        var compute = clients.compute();
        var network = clients.network();
        String group = id.group();
        String name = id.name();
        return switch (id.type().toLowerCase(Locale.ROOT)) {
            case "microsoft.compute/virtualmachines" ->
                kind(
                        () -> compute.getVirtualMachines().getByResourceGroup(group, name),
                        () -> compute.getVirtualMachines().beginDelete(group, name));
            case "microsoft.compute/virtualmachinescalesets" ->
                kind(
                        () -> compute.getVirtualMachineScaleSets().getByResourceGroup(group, name),
                        () -> compute.getVirtualMachineScaleSets().beginDelete(group, name));
            case "microsoft.compute/disks" ->
                kind(
                        () -> compute.getDisks().getByResourceGroup(group, name),
                        () -> compute.getDisks().beginDelete(group, name));
            case "microsoft.network/networkinterfaces" ->
                kind(
                        () -> network.getNetworkInterfaces().getByResourceGroup(group, name),
                        () -> network.getNetworkInterfaces().beginDelete(group, name));
            case "microsoft.network/publicipaddresses" ->
                kind(
                        () -> network.getPublicIpAddresses().getByResourceGroup(group, name),
                        () -> network.getPublicIpAddresses().beginDelete(group, name));
            case "microsoft.network/loadbalancers" ->
                kind(
                        () -> network.getLoadBalancers().getByResourceGroup(group, name),
                        () -> network.getLoadBalancers().beginDelete(group, name));
            case "microsoft.network/virtualnetworks" ->
                kind(
                        () -> network.getVirtualNetworks().getByResourceGroup(group, name),
                        () -> network.getVirtualNetworks().beginDelete(group, name));
            case "microsoft.network/networksecuritygroups" ->
                kind(
                        () -> network.getNetworkSecurityGroups().getByResourceGroup(group, name),
                        () -> network.getNetworkSecurityGroups().beginDelete(group, name));
            case "microsoft.compute/availabilitysets" ->
                new Kind(
                        () -> compute.getAvailabilitySets().getByResourceGroup(group, name),
                        what -> arm.deleteNow(
                                what, () -> compute.getAvailabilitySets().delete(group, name)));
            case "microsoft.compute/proximityplacementgroups" ->
                new Kind(
                        () -> compute.getProximityPlacementGroups().getByResourceGroup(group, name),
                        what -> arm.deleteNow(
                                what,
                                () -> compute.getProximityPlacementGroups().delete(group, name)));
            default ->
                throw Errors.of(
                        Reason.OTHER, "", "delete " + id, "this provider makes no such thing; delete it by hand", null);
        };
    }

    private Kind kind(Supplier<? extends Resource> get, Supplier<SyncPoller<PollResult<Void>, Void>> delete) {
        return new Kind(get, what -> arm.delete(what, delete));
    }

    /** Reads and deletes the resources of one type. */
    private record Kind(Supplier<? extends Resource> get, Consumer<String> delete) {}

    /** A resource that was found, and the node it is a part of. */
    private record Tagged(ArmId id, @Nullable String node) {}
}
