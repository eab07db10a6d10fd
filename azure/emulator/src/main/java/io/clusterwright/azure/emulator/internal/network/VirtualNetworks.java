package io.clusterwright.azure.emulator.internal.network;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.clusterwright.azure.emulator.internal.arm.ArmException;
import io.clusterwright.azure.emulator.internal.arm.ArmId;
import io.clusterwright.azure.emulator.internal.arm.Bodies;
import io.clusterwright.azure.emulator.internal.arm.Cloud;
import io.clusterwright.azure.emulator.internal.arm.Pages;
import io.clusterwright.azure.emulator.internal.arm.Resource;
import io.clusterwright.core.internal.http.Call;
import io.clusterwright.core.internal.http.Reply;
import io.clusterwright.core.internal.json.Json;
import io.clusterwright.core.type.AddressRange;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Virtual networks with their subnets. */
public final class VirtualNetworks extends NetworkKind {
    /** Azure keeps the first four addresses and the last of every subnet. */
    private static final int RESERVED = 5;

    private final Subnets subnets;

    public VirtualNetworks(Cloud cloud) {
        super(cloud, NETWORKS);
        this.subnets = new Subnets(cloud);
    }

    @Override
    void fillProperties(ArmId id, ObjectNode properties, ObjectNode body) {
        List<AddressRange> space = ranges(id, properties);
        if (!properties.has("subnets")) {
            properties.putArray("subnets");
        }
        stamp(id, properties, "subnets", body);
        List<AddressRange> seen = new ArrayList<>();
        for (ObjectNode subnet : Bodies.objects(properties.path("subnets"))) {
            AddressRange range = range(id, Subnets.prefix(subnet));
            if (space.stream().noneMatch(part -> part.contains(range))) {
                throw ArmException.badRequest(
                        "NetcfgInvalidSubnet",
                        "Subnet '" + Bodies.text(subnet, "name") + "' is not valid in virtual network '" + id.name()
                                + "'.");
            }
            if (seen.stream().anyMatch(range::overlaps)) {
                throw ArmException.badRequest(
                        "NetcfgSubnetRangesOverlap",
                        "Subnet '" + Bodies.text(subnet, "name")
                                + "' is not valid because its IP address range overlaps with that of an existing subnet in"
                                + " virtual network '" + id.name() + "'.");
            }
            seen.add(range);
            Bodies.properties(subnet).remove("ipConfigurations");
            String group = Bodies.text(subnet, "properties", "networkSecurityGroup", "id");
            if (!group.isEmpty()) {
                referenced(id, group, GROUPS);
            }
            Bodies.putDefault(Bodies.properties(subnet), "privateEndpointNetworkPolicies", "Disabled");
            Bodies.putDefault(Bodies.properties(subnet), "privateLinkServiceNetworkPolicies", "Enabled");
            subnet.withArray("/properties/delegations");
        }
        Bodies.putDefault(properties, "enableDdosProtection", false);
        cloud.store().find(id).ifPresent(before -> requireNoLoss(before, properties));
    }

    private static List<AddressRange> ranges(ArmId id, ObjectNode properties) {
        List<AddressRange> ranges = new ArrayList<>();
        properties
                .path("addressSpace")
                .path("addressPrefixes")
                .forEach(prefix -> ranges.add(range(id, prefix.asText())));
        if (ranges.isEmpty()) {
            throw ArmException.badRequest(
                    "InvalidRequestFormat",
                    "Cannot parse the request. Virtual network '" + id.name() + "' has no address prefix.");
        }
        return ranges;
    }

    private static AddressRange range(ArmId id, String prefix) {
        try {
            return AddressRange.parse(prefix);
        } catch (RuntimeException e) {
            throw ArmException.badRequest(
                    "InvalidAddressPrefixFormat",
                    "Address prefix " + prefix + " of resource " + id
                            + " is not formatted correctly. It should follow CIDR"
                            + " notation, for example 10.0.0.0/24.");
        }
    }

    private void requireNoLoss(Resource before, ObjectNode after) {
        List<String> kept = Bodies.objects(after.path("subnets")).stream()
                .map(subnet -> Bodies.text(subnet, "id"))
                .toList();
        Bodies.objects(before.properties().path("subnets")).stream()
                .map(subnet -> Bodies.text(subnet, "id"))
                .filter(subnet -> kept.stream().noneMatch(subnet::equalsIgnoreCase))
                .forEach(subnet -> requireUnused(ArmId.parse(subnet)));
    }

    /** Refuses to delete a subnet in which something lives. */
    public void requireUnused(ArmId subnet) {
        Map<?, String> taken = subnets.taken(subnet.toString());
        if (!taken.isEmpty()) {
            throw ArmException.badRequest(
                    "InUseSubnetCannotBeDeleted",
                    "Subnet " + subnet.name() + " is in use by "
                            + taken.values().stream().limit(3).collect(Collectors.joining(", "))
                            + " and cannot be deleted. In order to delete the subnet, delete all the resources within the"
                            + " subnet. See aka.ms/deletesubnet.");
        }
    }

    @Override
    protected void checkDelete(Call call, Resource resource) {
        Bodies.objects(resource.properties().path("subnets"))
                .forEach(subnet -> requireUnused(ArmId.parse(Bodies.text(subnet, "id"))));
    }

    @Override
    public Reply act(Call call, ArmId id, String action) {
        return action.equals("usages") && call.method().equals("GET")
                ? usages(call, cloud.store().require(id))
                : super.act(call, id, action);
    }

    /** Used and usable addresses of each subnet. */
    private Reply usages(Call call, Resource network) {
        List<ObjectNode> usages = new ArrayList<>();
        for (ObjectNode subnet : Bodies.objects(network.properties().path("subnets"))) {
            AddressRange range = range(network.id(), Subnets.prefix(subnet));
            ObjectNode usage = Json.object()
                    .put("id", Bodies.text(subnet, "id"))
                    .put(
                            "currentValue",
                            subnets.taken(Bodies.text(subnet, "id")).size())
                    .put("limit", range.size() - RESERVED)
                    .put("unit", "Count");
            usage.putObject("name").put("value", "SubnetSpace").put("localizedValue", "Subnet size and usage");
            usages.add(usage);
        }
        return Pages.of(call, cloud, usages);
    }

    @Override
    public ObjectNode view(Call call, Resource resource) {
        ObjectNode view = super.view(call, resource);
        for (ObjectNode subnet : Bodies.objects(view.path("properties").path("subnets"))) {
            Map<?, String> taken = subnets.taken(Bodies.text(subnet, "id"));
            if (!taken.isEmpty()) {
                ArrayNode configurations = Bodies.properties(subnet).putArray("ipConfigurations");
                taken.values().forEach(id -> configurations.add(Bodies.reference(id)));
            }
        }
        return view;
    }
}
