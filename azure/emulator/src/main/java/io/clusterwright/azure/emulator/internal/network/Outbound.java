package io.clusterwright.azure.emulator.internal.network;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.clusterwright.azure.emulator.internal.arm.ArmId;
import io.clusterwright.azure.emulator.internal.arm.Bodies;
import io.clusterwright.azure.emulator.internal.arm.Cloud;
import io.clusterwright.azure.emulator.internal.arm.Resource;
import io.clusterwright.azure.emulator.internal.arm.ResourceType;
import java.util.List;
import java.util.Optional;

/**
 * Finds the way out of a machine: a route to an appliance, a NAT gateway of its subnet, its own public address, an outbound or a load-balancing rule
 * for its pool, or else the default access of its subnet, which those in a pool of a Standard load balancer do not have.
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
    public boolean isOpen(ArmId machine) {
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
        ObjectNode subnet =
                subnets.find(Bodies.text(configuration, "properties.subnet.id")).orElse(null);
        if (subnet == null) {
            return false;
        }
        Optional<String> hop =
                cloud.store().find(Bodies.text(subnet, "properties.routeTable.id"), ResourceType.ROUTE_TABLES).stream()
                        .flatMap(table -> table.objects("properties.routes").stream())
                        .filter(route ->
                                Bodies.text(route, "properties.addressPrefix").equals(EVERYWHERE))
                        .map(route -> Bodies.text(route, "properties.nextHopType"))
                        .findFirst();
        if (hop.isPresent() && !hop.get().equals("Internet")) {
            return !hop.get().equals("None") && !hop.get().equals("VnetLocal");
        }
        Optional<Resource> gateway =
                cloud.store().find(Bodies.text(subnet, "properties.natGateway.id"), ResourceType.NAT_GATEWAYS);
        if (gateway.isPresent() && hasAddress(gateway.get())) {
            return true;
        }
        if (!Bodies.text(configuration, "properties.publicIPAddress.id").isEmpty()
                || networkInterface.hidden(PUBLIC).isPresent()) {
            return true;
        }
        List<ObjectNode> pools = Bodies.objects(configuration, "properties." + NatPorts.POOLS);
        if (pools.stream().anyMatch(pool -> hasRule(Bodies.text(pool, "id")))) {
            return true;
        }
        return pools.isEmpty()
                && Bodies.at(subnet, "properties.defaultOutboundAccess").asBoolean(true);
    }

    private static boolean hasAddress(Resource gateway) {
        return !gateway.objects("properties.publicIpAddresses").isEmpty()
                || !gateway.objects("properties.publicIpPrefixes").isEmpty();
    }

    private boolean hasRule(String pool) {
        return cloud.store()
                .ofType(ResourceType.LOAD_BALANCERS)
                .filter(balancer -> ArmId.isResource(pool) && ArmId.of(pool).isInside(balancer.id()))
                .anyMatch(balancer -> rules(balancer, "outboundRules", pool)
                        || balancer.objects("properties.loadBalancingRules").stream()
                                .filter(rule -> !Bodies.isTrue(rule, "properties.disableOutboundSnat"))
                                .anyMatch(rule -> Bodies.text(rule, "properties.backendAddressPool.id")
                                        .equalsIgnoreCase(pool)));
    }

    private static boolean rules(Resource balancer, String array, String pool) {
        return balancer.objects("properties." + array).stream()
                .anyMatch(rule ->
                        Bodies.text(rule, "properties.backendAddressPool.id").equalsIgnoreCase(pool));
    }
}
