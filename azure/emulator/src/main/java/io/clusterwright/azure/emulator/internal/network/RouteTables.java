package io.clusterwright.azure.emulator.internal.network;

import static io.clusterwright.azure.emulator.internal.arm.ArmException.refuse;

import io.clusterwright.azure.emulator.internal.arm.ArmException;
import io.clusterwright.azure.emulator.internal.arm.Bodies;
import io.clusterwright.azure.emulator.internal.arm.Draft;
import io.clusterwright.azure.emulator.internal.arm.ResourceType;
import io.clusterwright.azure.emulator.internal.arm.Row;
import java.util.Set;

/** Route tables with their routes. */
final class RouteTables {
    private static final String APPLIANCE = "VirtualAppliance";
    private static final Set<String> NEXT_HOPS =
            Set.of("VirtualNetworkGateway", "VnetLocal", "Internet", APPLIANCE, "None");

    private RouteTables() {}

    static ResourceType type(Subnets subnets) {
        ResourceType type = NetworkTypes.of(ResourceType.ROUTE_TABLES)
                .rows(Row.readOnly("properties", "subnets"))
                .children("routes", RouteTables::checkRoute)
                .rows(
                        Row.unique(
                                "properties.routes",
                                route -> Bodies.text(route, "properties.addressPrefix"),
                                (first, second) -> ArmException.of(
                                        "RouteConflictsWithOtherRoute",
                                        Bodies.text(second, "name"),
                                        Bodies.text(first, "name"))),
                        Row.standard("properties.disableBgpRoutePropagation", false));
        return subnets.usedBySubnets(
                type, "routeTable", (table, users) -> ArmException.of("InUseRouteTableCannotBeDeleted", table.name()));
    }

    private static void checkRoute(Draft route) {
        String prefix = route.text("properties.addressPrefix");
        String hop = route.text("properties.nextHopType");
        String address = route.text("properties.nextHopIpAddress");
        boolean range = !prefix.isEmpty() && Character.isDigit(prefix.charAt(0));
        boolean incomplete = prefix.isEmpty() || range && !prefix.contains("/");
        refuse(incomplete, "InvalidAddressPrefixFormat", prefix, route.text("id"));
        if (range) {
            VirtualNetworks.range(route.id(), prefix);
        }
        refuse(!NEXT_HOPS.contains(hop), "InvalidRequestFormat.nextHop", hop);
        boolean appliance = hop.equals(APPLIANCE);
        refuse(appliance && address.isEmpty(), "RouteNextHopIpAddressMissing", route.text("name"), hop);
        refuse(!appliance && !address.isEmpty(), "RouteNextHopIpAddressNotAllowed", route.text("name"), hop);
        if (appliance) {
            NetworkRows.parse(address, route.text("id"));
        }
    }
}
