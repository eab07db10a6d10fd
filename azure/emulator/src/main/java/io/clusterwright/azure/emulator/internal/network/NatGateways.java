package io.clusterwright.azure.emulator.internal.network;

import static io.clusterwright.azure.emulator.internal.arm.ArmException.refuse;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.clusterwright.azure.emulator.internal.arm.Bodies;
import io.clusterwright.azure.emulator.internal.arm.Draft;
import io.clusterwright.azure.emulator.internal.arm.Resource;
import io.clusterwright.azure.emulator.internal.arm.ResourceType;
import io.clusterwright.azure.emulator.internal.arm.Row;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;

/** NAT gateways, which give subnets a way out. */
final class NatGateways {
    private static final int SHORTEST_IDLE = 4;
    private static final int LONGEST_IDLE = 120;
    private static final int MOST_ADDRESSES = 16;

    private NatGateways() {}

    static ResourceType type(Subnets subnets) {
        return NetworkTypes.of(ResourceType.NAT_GATEWAYS)
                .rows(
                        Row.readOnly("properties", "subnets"),
                        NatGateways::check,
                        Row.standard("properties.idleTimeoutInMinutes", SHORTEST_IDLE),
                        NetworkRows::zones,
                        Row::zone,
                        Row.fixed("sku.name"))
                .deleteCheck(gateway -> {
                    List<String> users = subnets.users("natGateway", gateway);
                    refuse(!users.isEmpty(), "InUseNatGatewayCannotBeDeleted", gateway.id(), String.join(", ", users));
                })
                .view((call, gateway, body) -> show(body, subnets.users("natGateway", gateway)));
    }

    private static void check(Draft gateway) {
        refuse(
                !gateway.text("sku.name").startsWith("Standard"),
                "NatGatewaySkuNotSupported",
                gateway.id(),
                gateway.text("sku.name"));
        NetworkRows.idle(gateway, gateway.properties(), LONGEST_IDLE);
        PublicAddresses addresses = new PublicAddresses(gateway.cloud());
        List<String> ids = gateway.objects("properties.publicIpAddresses").stream()
                .map(each -> Bodies.text(each, "id").toLowerCase(Locale.ROOT))
                .toList();
        refuse(
                ids.size() > MOST_ADDRESSES || new HashSet<>(ids).size() < ids.size(),
                "InvalidRequestFormat.addresses",
                gateway.name(),
                MOST_ADDRESSES);
        for (ObjectNode address : gateway.objects("properties.publicIpAddresses")) {
            Resource found = gateway.require(Bodies.text(address, "id"), ResourceType.PUBLIC_ADDRESSES);
            addresses.requireFree(gateway.id(), found, gateway.id().toString());
            JsonNode zones = found.at("zones");
            refuse(
                    zones.size() == 1 && gateway.at("zones").size() == 1 && !zones.equals(gateway.at("zones")),
                    "InvalidRequestFormat.zones",
                    found.id(),
                    gateway.id());
        }
    }

    /** Adds the subnets that use something to the view of it. */
    static void show(ObjectNode body, List<String> users) {
        if (!users.isEmpty()) {
            ArrayNode subnets = Bodies.array(body, "properties.subnets");
            users.forEach(user -> subnets.add(Bodies.reference(user)));
        }
    }
}
