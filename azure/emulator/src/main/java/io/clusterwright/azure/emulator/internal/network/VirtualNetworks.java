package io.clusterwright.azure.emulator.internal.network;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.clusterwright.azure.emulator.internal.arm.ArmException;
import io.clusterwright.azure.emulator.internal.arm.ArmId;
import io.clusterwright.azure.emulator.internal.arm.Bodies;
import io.clusterwright.azure.emulator.internal.arm.Draft;
import io.clusterwright.azure.emulator.internal.arm.Machines;
import io.clusterwright.azure.emulator.internal.arm.ResourceType;
import io.clusterwright.azure.emulator.internal.arm.Row;
import io.clusterwright.core.type.AddressRange;
import io.clusterwright.core.type.InvalidValueException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;

/** Virtual networks with their subnets. */
final class VirtualNetworks {
    private final Subnets subnets;
    private final Machines machines;

    VirtualNetworks(Subnets subnets, Machines machines) {
        this.subnets = subnets;
        this.machines = machines;
    }

    ResourceType type() {
        return NetworkTypes.of(ResourceType.VIRTUAL_NETWORKS)
                .rows(VirtualNetworks::requireSpace)
                .children(
                        "subnets",
                        Row.readOnly("properties", "ipConfigurations"),
                        Row.reference("properties.networkSecurityGroup.id", ResourceType.SECURITY_GROUPS),
                        Row.standard("properties.privateEndpointNetworkPolicies", "Disabled"),
                        Row.standard("properties.privateLinkServiceNetworkPolicies", "Enabled"),
                        Row.array("properties.delegations"))
                .childDeleteCheck("subnets", this::requireUnused)
                .rows(
                        VirtualNetworks::checkSubnets,
                        Row.standard("properties.enableDdosProtection", false),
                        Row.onUpdate(this::requireNoLoss))
                .deleteCheck(network -> ids(network.body()).forEach(subnet -> requireUnused(ArmId.parse(subnet))))
                .unmaking(network -> CompletableFuture.allOf(ids(network.body()).stream()
                        .map(subnet -> machines.deleteNetwork(ArmId.parse(subnet)))
                        .toArray(CompletableFuture[]::new)))
                .read("usages", (call, network) -> subnets.usages(call, network))
                .view((call, network, body) -> showUsers(body));
    }

    private static void requireSpace(Draft network) {
        if (space(network).isEmpty()) {
            throw ArmException.of(
                    "InvalidRequestFormat.addressSpace", network.id().name());
        }
    }

    private static List<AddressRange> space(Draft network) {
        List<AddressRange> ranges = new ArrayList<>();
        Bodies.at(network.body(), "properties.addressSpace.addressPrefixes")
                .forEach(prefix -> ranges.add(range(network.id(), prefix.asText())));
        return ranges;
    }

    private static AddressRange range(ArmId id, String prefix) {
        try {
            return AddressRange.parse(prefix);
        } catch (InvalidValueException e) {
            throw ArmException.of("InvalidAddressPrefixFormat", prefix, id);
        }
    }

    private static void checkSubnets(Draft network) {
        List<AddressRange> space = space(network);
        List<AddressRange> seen = new ArrayList<>();
        for (ObjectNode subnet : network.objects("properties.subnets")) {
            AddressRange range = range(network.id(), Subnets.prefix(subnet));
            String name = Bodies.text(subnet, "name");
            if (space.stream().noneMatch(part -> part.contains(range))) {
                throw ArmException.of("NetcfgInvalidSubnet", name, network.id().name());
            }
            if (seen.stream().anyMatch(range::overlaps)) {
                throw ArmException.of(
                        "NetcfgSubnetRangesOverlap", name, network.id().name());
            }
            seen.add(range);
        }
    }

    private void requireNoLoss(Draft network) {
        List<String> kept = ids(network.body());
        ids(network.resourceBefore().body()).stream()
                .filter(subnet -> kept.stream().noneMatch(subnet::equalsIgnoreCase))
                .forEach(subnet -> requireUnused(ArmId.parse(subnet)));
    }

    private static List<String> ids(ObjectNode network) {
        return Bodies.objects(network, "properties.subnets").stream()
                .map(subnet -> Bodies.text(subnet, "id"))
                .toList();
    }

    /** Refuses to delete a subnet in which something lives. */
    private void requireUnused(ArmId subnet) {
        Map<?, String> taken = subnets.taken(subnet.toString());
        if (!taken.isEmpty()) {
            throw ArmException.of(
                    "InUseSubnetCannotBeDeleted",
                    subnet.name(),
                    taken.values().stream().limit(3).collect(Collectors.joining(", ")));
        }
    }

    private void showUsers(ObjectNode network) {
        for (ObjectNode subnet : Bodies.objects(network, "properties.subnets")) {
            Map<?, String> taken = subnets.taken(Bodies.text(subnet, "id"));
            if (!taken.isEmpty()) {
                ArrayNode configurations = Bodies.array(subnet, "properties.ipConfigurations");
                taken.values().forEach(id -> configurations.add(Bodies.reference(id)));
            }
        }
    }
}
