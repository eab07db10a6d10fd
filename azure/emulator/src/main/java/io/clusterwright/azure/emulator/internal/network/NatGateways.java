package io.clusterwright.azure.emulator.internal.network;

import static io.clusterwright.azure.emulator.internal.arm.ArmException.refuse;

import com.fasterxml.jackson.databind.JsonNode;
import io.clusterwright.azure.emulator.internal.arm.ArmException;
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
    private static final String ADDRESSES = "properties.publicIpAddresses";
    private static final int LONGEST_IDLE = 120;
    private static final int MOST_ADDRESSES = 16;

    private NatGateways() {}

    static ResourceType type(Subnets subnets) {
        ResourceType type = NetworkTypes.of(ResourceType.NAT_GATEWAYS)
                .rows(
                        Row.readOnly("properties", "subnets"),
                        Row.refuse(
                                gateway -> !gateway.text("sku.name").startsWith("Standard"),
                                "NatGatewaySkuNotSupported",
                                Draft::id,
                                gateway -> gateway.text("sku.name")),
                        NetworkRows.idle(LONGEST_IDLE),
                        NatGateways::checkAddresses,
                        Row.standard("properties.idleTimeoutInMinutes", 4),
                        NetworkRows::zones,
                        Row::zone,
                        Row.fixed("sku.name"));
        return subnets.usedBySubnets(
                type,
                "natGateway",
                (gateway, users) -> ArmException.of("InUseNatGatewayCannotBeDeleted", gateway.id(), users));
    }

    private static void checkAddresses(Draft gateway) {
        PublicAddresses addresses = new PublicAddresses(gateway.cloud());
        List<String> ids = gateway.objects(ADDRESSES).stream()
                .map(each -> Bodies.text(each, "id").toLowerCase(Locale.ROOT))
                .toList();
        boolean twice = new HashSet<>(ids).size() < ids.size();
        refuse(twice || ids.size() > MOST_ADDRESSES, "InvalidRequestFormat.addresses", gateway.name(), MOST_ADDRESSES);
        JsonNode own = gateway.at("zones");
        for (Draft address : gateway.parts(ADDRESSES)) {
            Resource found = gateway.require(address.text("id"), ResourceType.PUBLIC_ADDRESSES);
            addresses.requireFree(gateway.id(), found, gateway.id().toString());
            JsonNode zones = found.at("zones");
            boolean apart = zones.size() == 1 && own.size() == 1 && !zones.equals(own);
            refuse(apart, "InvalidRequestFormat.zones", found.id(), gateway.id());
        }
    }
}
