package io.clusterwright.azure.emulator.internal.network;

import static io.clusterwright.azure.emulator.internal.arm.ArmException.refuse;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.clusterwright.azure.emulator.internal.arm.ArmException;
import io.clusterwright.azure.emulator.internal.arm.Bodies;
import io.clusterwright.azure.emulator.internal.arm.Draft;
import io.clusterwright.azure.emulator.internal.arm.ResourceType;
import io.clusterwright.azure.emulator.internal.arm.Row;
import io.clusterwright.core.type.InvalidValueException;
import io.clusterwright.core.type.Ipv4Address;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Route tables with their routes. */
final class RouteTables {
    private static final String APPLIANCE = "VirtualAppliance";
    private static final Set<String> NEXT_HOPS =
            Set.of("VirtualNetworkGateway", "VnetLocal", "Internet", APPLIANCE, "None");

    private RouteTables() {}

    static ResourceType type(Subnets subnets) {
        return NetworkTypes.of(ResourceType.ROUTE_TABLES)
                .rows(Row.readOnly("properties", "subnets"))
                .children("routes", RouteTables::checkRoute)
                .rows(RouteTables::requireDistinct, Row.standard("properties.disableBgpRoutePropagation", false))
                .deleteCheck(table -> {
                    refuse(
                            !subnets.users("routeTable", table).isEmpty(),
                            "InUseRouteTableCannotBeDeleted",
                            table.name());
                })
                .view((call, table, body) -> NatGateways.show(body, subnets.users("routeTable", table)));
    }

    private static void checkRoute(Draft route) {
        String prefix = route.text("properties.addressPrefix");
        refuse(
                prefix.isEmpty() || (Character.isDigit(prefix.charAt(0)) && !prefix.contains("/")),
                "InvalidAddressPrefixFormat",
                prefix,
                route.text("id"));
        if (Character.isDigit(prefix.charAt(0))) {
            VirtualNetworks.range(route.id(), prefix);
        }
        String hop = route.text("properties.nextHopType");
        refuse(!NEXT_HOPS.contains(hop), "InvalidRequestFormat.nextHop", hop);
        String address = route.text("properties.nextHopIpAddress");
        refuse(
                hop.equals(APPLIANCE) == address.isEmpty(),
                address.isEmpty() ? "RouteNextHopIpAddressMissing" : "RouteNextHopIpAddressNotAllowed",
                route.text("name"),
                hop);
        if (!address.isEmpty()) {
            try {
                Ipv4Address.of(address);
            } catch (InvalidValueException e) {
                throw ArmException.of("InvalidIPAddressFormat", address, route.text("id"));
            }
        }
    }

    private static void requireDistinct(Draft table) {
        Map<String, String> byPrefix = new HashMap<>();
        List<ObjectNode> routes = table.objects("properties.routes");
        for (ObjectNode route : routes) {
            String name = Bodies.text(route, "name");
            String other = byPrefix.put(Bodies.text(route, "properties.addressPrefix"), name);
            refuse(other != null, "RouteConflictsWithOtherRoute", name, other);
        }
    }
}
