package io.clusterwright.azure.emulator.internal.http;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.clusterwright.azure.emulator.internal.arm.ArmException;
import io.clusterwright.azure.emulator.internal.arm.ArmId;
import io.clusterwright.azure.emulator.internal.arm.Cloud;
import io.clusterwright.azure.emulator.internal.arm.EmbeddedKind;
import io.clusterwright.azure.emulator.internal.arm.Handler;
import io.clusterwright.azure.emulator.internal.arm.Machines;
import io.clusterwright.azure.emulator.internal.arm.ResourceKind;
import io.clusterwright.azure.emulator.internal.compute.ComputeOperations;
import io.clusterwright.azure.emulator.internal.compute.Disks;
import io.clusterwright.azure.emulator.internal.compute.Extensions;
import io.clusterwright.azure.emulator.internal.compute.Galleries;
import io.clusterwright.azure.emulator.internal.compute.InstanceKind;
import io.clusterwright.azure.emulator.internal.compute.ManagedImages;
import io.clusterwright.azure.emulator.internal.compute.Placement;
import io.clusterwright.azure.emulator.internal.compute.Quota;
import io.clusterwright.azure.emulator.internal.compute.ScaleSets;
import io.clusterwright.azure.emulator.internal.compute.Sizes;
import io.clusterwright.azure.emulator.internal.compute.VirtualMachines;
import io.clusterwright.azure.emulator.internal.deployments.Deployments;
import io.clusterwright.azure.emulator.internal.network.Interfaces;
import io.clusterwright.azure.emulator.internal.network.LoadBalancers;
import io.clusterwright.azure.emulator.internal.network.PublicAddresses;
import io.clusterwright.azure.emulator.internal.network.SecurityGroups;
import io.clusterwright.azure.emulator.internal.network.VirtualNetworks;
import io.clusterwright.azure.emulator.internal.resources.Groups;
import io.clusterwright.azure.emulator.internal.resources.Providers;
import io.clusterwright.core.internal.http.Call;
import io.clusterwright.core.internal.http.Reply;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;

/** Every type of resource with its handler. */
final class HandlerTable {
    private final Map<String, Handler> handlers = new LinkedHashMap<>();
    private final Map<String, String> spelling = new LinkedHashMap<>();
    private final Groups groups;
    private final Providers providers;
    private final ComputeOperations compute;

    /** @param observer gets the requests within deployments, which come over no connection */
    HandlerTable(Cloud cloud, Machines machines, BiConsumer<Call, Reply> observer) {
        network(cloud);
        Interfaces interfaces = new Interfaces(cloud);
        add(interfaces);
        Sizes sizes = new Sizes(cloud);
        Quota quota = new Quota(cloud, sizes);
        add(Placement.availabilitySets(cloud));
        add(Placement.proximityGroups(cloud));
        add(new Disks(cloud));
        add(new ManagedImages(cloud, machines));
        add(new VirtualMachines(cloud, sizes, quota, interfaces, machines));
        add(new Extensions(cloud, machines));
        add(new ScaleSets(cloud, sizes, quota, machines));
        add(InstanceKind.instances(cloud, machines));
        add(InstanceKind.interfaces(cloud, machines));
        Galleries.all(cloud, machines).forEach(this::add);
        this.compute = new ComputeOperations(cloud, sizes, quota);
        this.groups = new Groups(cloud, this::kind);
        put(Deployments.TYPE, new Deployments(cloud, this::require, this::subscription, observer));
        put(Deployments.Statuses.TYPE, new Deployments.Statuses(cloud));
        this.providers = new Providers(cloud, types());
    }

    private void network(Cloud cloud) {
        VirtualNetworks networks = new VirtualNetworks(cloud);
        add(networks);
        embed(cloud, networks, "subnets", networks::requireUnused);
        SecurityGroups security = new SecurityGroups(cloud);
        add(security);
        embed(cloud, security, "securityRules", rule -> {});
        add(new PublicAddresses(cloud));
        LoadBalancers balancers = new LoadBalancers(cloud);
        add(balancers);
        embed(cloud, balancers, "inboundNatRules", rule -> {});
        embed(cloud, balancers, "backendAddressPools", pool -> {});
        embed(cloud, balancers, "frontendIPConfigurations", frontend -> {});
    }

    private ObjectNode subscription() {
        return providers.subscription();
    }

    private void add(ResourceKind kind) {
        put(kind.type(), kind);
    }

    private void embed(Cloud cloud, ResourceKind parent, String array, EmbeddedKind.DeleteCheck check) {
        put(parent.type() + "/" + array, new EmbeddedKind(cloud, parent, array, check));
    }

    private void put(String type, Handler handler) {
        handlers.put(type.toLowerCase(Locale.ROOT), handler);
        spelling.put(type.toLowerCase(Locale.ROOT), type);
    }

    private List<String> types() {
        List<String> types = new ArrayList<>(spelling.values());
        types.add("Microsoft.Resources/resourceGroups");
        return types;
    }

    Groups groups() {
        return groups;
    }

    Providers providers() {
        return providers;
    }

    ComputeOperations compute() {
        return compute;
    }

    Optional<Handler> find(String type) {
        return Optional.ofNullable(handlers.get(type.toLowerCase(Locale.ROOT)));
    }

    Handler require(String type) {
        return find(type).orElseThrow(() -> unknown(type));
    }

    private Optional<ResourceKind> kind(ArmId id) {
        return find(id.type()).filter(ResourceKind.class::isInstance).map(ResourceKind.class::cast);
    }

    ArmException unknown(String type) {
        int slash = type.indexOf('/');
        String namespace = slash < 0 ? type : type.substring(0, slash);
        boolean known =
                spelling.keySet().stream().anyMatch(each -> each.startsWith(namespace.toLowerCase(Locale.ROOT) + "/"));
        return known
                ? ArmException.badRequest(
                        "InvalidResourceType",
                        "The resource type '" + type.substring(slash + 1) + "' could not be found in the namespace '"
                                + namespace + "': it is not emulated.")
                : ArmException.of(
                        404, "InvalidResourceNamespace", "The resource namespace '" + namespace + "' is invalid.");
    }

    /**
     * An id in the spelling that answers use.
     *
     * @param words the namespace, then pairs of type and name
     */
    ArmId canonical(ArmId group, List<String> words) {
        StringBuilder type = new StringBuilder(words.get(0));
        for (int i = 1; i < words.size(); i += 2) {
            type.append('/').append(words.get(i));
        }
        String known = spelling.getOrDefault(type.toString().toLowerCase(Locale.ROOT), type.toString());
        String[] parts = known.split("/");
        List<String> segments = new ArrayList<>(group.segments());
        segments.add("providers");
        segments.add(parts[0]);
        for (int i = 1; i < words.size(); i += 2) {
            segments.add(parts[(i + 1) / 2]);
            segments.add(words.get(i + 1));
        }
        return new ArmId(segments);
    }
}
