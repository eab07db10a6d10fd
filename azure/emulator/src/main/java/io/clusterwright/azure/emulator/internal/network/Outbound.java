package io.clusterwright.azure.emulator.internal.network;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.clusterwright.azure.emulator.internal.arm.Bodies;
import io.clusterwright.azure.emulator.internal.arm.Cloud;
import io.clusterwright.azure.emulator.internal.arm.Resource;
import io.clusterwright.azure.emulator.internal.arm.ResourcePath;
import io.clusterwright.azure.emulator.internal.arm.ResourceType;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Finds the way out of a machine: a route to an appliance, a NAT gateway of its subnet, its own public address, an outbound or a load-balancing rule
 * for its pool, or else the default access of its subnet, which members of a pool of a Standard load balancer do not have.
 */
public final class Outbound {
    /** Hidden in the interface of an instance that has its own public address. */
    public static final String PUBLIC = "publicAddress";

    private static final String EVERYWHERE = "0.0.0.0/0";

    private final Cloud cloud;
    private final Subnets subnets;

    public Outbound(Cloud cloud) {
        this.cloud = cloud;
        this.subnets = new Subnets(cloud);
    }

    /** @param machine a virtual machine, or an instance of a scale set */
    public boolean isOpen(ResourcePath machine) {
        return cloud.store()
                .all()
                .filter(each -> each.id().isOfType(ResourceType.INTERFACES)
                        ? each.hidden(Interfaces.OWNER)
                                .filter(machine.toString()::equalsIgnoreCase)
                                .isPresent()
                        : each.id().isOfType(ResourceType.INSTANCE_INTERFACES)
                                && each.id().isInside(machine))
                .anyMatch(each -> each.objects("properties.ipConfigurations").stream()
                        .anyMatch(configuration -> leadsOut(each, configuration)));
    }

    private boolean leadsOut(Resource networkInterface, ObjectNode configuration) {
        Optional<ObjectNode> found = subnets.find(Bodies.text(configuration, "properties.subnet.id"));
        if (found.isEmpty()) {
            return false;
        }
        ObjectNode subnet = found.get();
        Optional<String> hop =
                cloud.store().find(Bodies.text(subnet, "properties.routeTable.id"), ResourceType.ROUTE_TABLES).stream()
                        .flatMap(table -> table.objects("properties.routes").stream())
                        .filter(route -> Bodies.is(route, "properties.addressPrefix", EVERYWHERE))
                        .map(route -> Bodies.text(route, "properties.nextHopType"))
                        .findFirst();
        if (hop.isPresent() && !hop.get().equals("Internet")) {
            return !hop.get().equals("None") && !hop.get().equals("VnetLocal");
        }
        boolean gateway = cloud.store()
                .find(Bodies.text(subnet, "properties.natGateway.id"), ResourceType.NAT_GATEWAYS)
                .filter(Outbound::hasAddress)
                .isPresent();
        boolean own = Bodies.has(configuration, "properties.publicIPAddress.id")
                || networkInterface.hidden(PUBLIC).isPresent();
        List<ObjectNode> pools = Bodies.objects(configuration, "properties." + NatPorts.POOLS);
        boolean open = pools.isEmpty()
                && Bodies.at(subnet, "properties.defaultOutboundAccess").asBoolean(true);
        return gateway || own || open || pools.stream().anyMatch(pool -> hasRule(Bodies.text(pool, "id")));
    }

    private static boolean hasAddress(Resource gateway) {
        return !gateway.at("properties.publicIpAddresses").isEmpty()
                || !gateway.at("properties.publicIpPrefixes").isEmpty();
    }

    private boolean hasRule(String pool) {
        return Stream.of("outboundRules", "loadBalancingRules")
                .flatMap(array -> cloud.store().parts(ResourceType.LOAD_BALANCERS, "properties." + array))
                .filter(rule -> !Bodies.isTrue(rule, "properties.disableOutboundSnat"))
                .anyMatch(rule -> Bodies.is(rule, "properties.backendAddressPool.id", pool));
    }
}
