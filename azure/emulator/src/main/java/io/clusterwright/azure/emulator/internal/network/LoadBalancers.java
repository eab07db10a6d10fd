package io.clusterwright.azure.emulator.internal.network;

import static io.clusterwright.azure.emulator.internal.arm.ArmException.refuse;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.clusterwright.azure.emulator.internal.arm.ArmException;
import io.clusterwright.azure.emulator.internal.arm.ArmId;
import io.clusterwright.azure.emulator.internal.arm.Bodies;
import io.clusterwright.azure.emulator.internal.arm.Cloud;
import io.clusterwright.azure.emulator.internal.arm.Draft;
import io.clusterwright.azure.emulator.internal.arm.Resource;
import io.clusterwright.azure.emulator.internal.arm.ResourceType;
import io.clusterwright.azure.emulator.internal.arm.Row;
import io.clusterwright.azure.emulator.internal.arm.Work;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Load balancers: frontends, pools and inbound NAT rules. */
final class LoadBalancers {
    private static final int LAST_PORT = 65_535;
    private static final Row UNUSED_AT_FIRST =
            Row.readOnly("properties", "backendIPConfiguration", "backendIPConfigurations");

    private final Cloud cloud;
    private final Subnets subnets;
    private final NatPorts ports;

    LoadBalancers(Cloud cloud, Subnets subnets) {
        this.cloud = cloud;
        this.subnets = subnets;
        this.ports = new NatPorts(cloud);
    }

    ResourceType type() {
        return NetworkTypes.of(ResourceType.LOAD_BALANCERS)
                .takes(Work.LOAD_BALANCER, Work.LOAD_BALANCER, Work.NETWORK_DELETE)
                .rows(
                        Row.standard("sku.name", "Basic"),
                        Row.standard("sku.tier", "Regional"),
                        LoadBalancers::requireStandard,
                        Row.fixed("sku.name"))
                .children("inboundNatRules", UNUSED_AT_FIRST)
                .children("backendAddressPools", UNUSED_AT_FIRST)
                .entries("loadBalancingRules")
                .entries("probes")
                .entries("inboundNatPools")
                .entries("outboundRules")
                .children("frontendIPConfigurations", this::address)
                .rows(LoadBalancers::requireFrontend, LoadBalancers::checkNatRules)
                .partAction("backendAddressPools", "queryInboundNatRulePortMapping", ports::query)
                .deleteCheck(this::requireUnused)
                .removed(this::forget)
                .view((call, balancer, body) -> showUsers(body));
    }

    /** Basic load balancers, which a request without a sku means, cannot be had since 30 September 2025. */
    private static void requireStandard(Draft balancer) {
        refuse(
                !balancer.text("sku.name").equals("Standard"),
                "BasicSkuLoadBalancerNotSupported",
                balancer.id(),
                balancer.text("sku.name"));
    }

    private static void requireFrontend(Draft balancer) {
        List<ObjectNode> frontends = balancer.objects("properties.frontendIPConfigurations");
        Map<String, String> addresses = new HashMap<>();
        for (ObjectNode frontend : frontends) {
            String address = Bodies.text(frontend, "properties.publicIPAddress.id");
            refuse(
                    !address.isEmpty() && frontend.path("zones").size() > 0,
                    "InvalidRequestFormat.frontendZones",
                    Bodies.text(frontend, "name"));
            String other = address.isEmpty()
                    ? null
                    : addresses.put(address.toLowerCase(Locale.ROOT), Bodies.text(frontend, "id"));
            refuse(other != null, "PublicIPAddressInUse", Bodies.text(frontend, "id"), address, other);
        }
        long internal = frontends.stream()
                .filter(each -> !Bodies.text(each, "properties.subnet.id").isEmpty())
                .count();
        refuse(internal > 0 && internal < frontends.size(), "InvalidRequestFormat.frontends", balancer.id());
        for (String array : List.of("loadBalancingRules", "inboundNatPools")) {
            for (ObjectNode rule : balancer.objects("properties." + array)) {
                String frontend = Bodies.text(rule, "properties.frontendIPConfiguration.id");
                if (Bodies.withId(balancer.body(), "properties.frontendIPConfigurations", frontend)
                                .isEmpty()
                        && !frontends.isEmpty()) {
                    throw ArmException.badReference(frontend, balancer.id());
                }
            }
        }
        refuse(
                balancer.objects("properties.frontendIPConfigurations").isEmpty()
                        && !(balancer.objects("properties.inboundNatRules").isEmpty()
                                && balancer.objects("properties.loadBalancingRules")
                                        .isEmpty()
                                && balancer.objects("properties.outboundRules").isEmpty()),
                "LoadBalancerWithoutFrontendIPCantHaveChildResources",
                balancer.id());
        BalancingRules.check(balancer);
    }

    private void address(Draft frontend) {
        boolean internal = !frontend.text("properties.subnet.id").isEmpty();
        boolean open = !frontend.text("properties.publicIPAddress.id").isEmpty()
                || !frontend.text("properties.publicIPPrefix.id").isEmpty();
        refuse(internal && open, "FrontendIPConfigHasBothSubnetAndPublicIP", frontend.text("id"));
        refuse(!internal && !open, "FrontendIPConfigHasNoSubnetOrPublicIP", frontend.text("id"));
        Optional<Resource> address =
                frontend.referenced("properties.publicIPAddress.id", ResourceType.PUBLIC_ADDRESSES);
        if (address.isPresent()) {
            new PublicAddresses(cloud).requireFree(frontend.id(), address.get(), frontend.text("id"));
            frontend.standard("properties.privateIPAllocationMethod", "Dynamic");
        } else {
            subnets.allocate(frontend.id(), frontend.body());
        }
    }

    private static void checkNatRules(Draft balancer) {
        Map<String, String> ports = BalancingRules.frontends(balancer);
        for (ObjectNode rule : balancer.objects("properties.inboundNatRules")) {
            String name = Bodies.text(rule, "name");
            String frontend = Bodies.text(rule, "properties.frontendIPConfiguration.id");
            if (Bodies.withId(balancer.body(), "properties.frontendIPConfigurations", frontend)
                    .isEmpty()) {
                throw ArmException.badReference(frontend, balancer.id());
            }
            requirePort(rule, "backendPort");
            if (NatPorts.isRange(rule)) {
                NatPorts.check(balancer, rule);
            } else {
                requirePort(rule, "frontendPort");
            }
            Bodies.standard(rule, "properties.protocol", "Tcp");
            Bodies.standard(rule, "properties.idleTimeoutInMinutes", 4);
            Bodies.standard(rule, "properties.enableFloatingIP", false);
            String protocol = Bodies.text(rule, "properties.protocol");
            NatPorts.frontend(rule).forEach(port -> {
                String other = ports.put(BalancingRules.frontend(frontend, protocol, port), name);
                refuse(other != null, "RulesUseSameFrontendPortProtocolAndIPConfig", other, name, protocol, port);
            });
        }
    }

    static void requirePort(ObjectNode rule, String field) {
        int port = rule.path("properties").path(field).asInt();
        refuse(port < 1 || port > LAST_PORT, "LoadBalancerInvalidPort", Bodies.text(rule, "name"), field, port);
    }

    private void requireUnused(Resource balancer) {
        String child = "\"" + balancer.id().key() + "/";
        cloud.store()
                .ofType(ResourceType.SCALE_SETS)
                .filter(set -> set.body().toString().toLowerCase(Locale.ROOT).contains(child))
                .findFirst()
                .ifPresent(set -> {
                    throw ArmException.of("LoadBalancerInUseByVirtualMachineScaleSet", balancer.id(), set.id());
                });
    }

    /** Takes the balancer's parts out of the interfaces. */
    private void forget(Resource balancer) {
        cloud.store()
                .parts(ResourceType.INTERFACES, "properties.ipConfigurations")
                .forEach(configuration -> {
                    for (String array : new String[] {NatPorts.POOLS, NatPorts.RULES}) {
                        if (configuration.path("properties").get(array) instanceof ArrayNode parts) {
                            parts.removeIf(part -> {
                                String id = Bodies.text(part, "id");
                                return ArmId.isResource(id) && ArmId.of(id).isInside(balancer.id());
                            });
                        }
                    }
                });
    }

    private void showUsers(ObjectNode body) {
        ports.interfaces()
                .flatMap(each -> each.objects("properties.ipConfigurations").stream())
                .forEach(configuration -> {
                    ObjectNode user = Bodies.reference(Bodies.text(configuration, "id"));
                    for (ObjectNode part : Bodies.objects(configuration, "properties." + NatPorts.POOLS)) {
                        Bodies.withId(body, "properties.backendAddressPools", Bodies.text(part, "id"))
                                .ifPresent(pool -> Bodies.array(pool, "properties.backendIPConfigurations")
                                        .add(user.deepCopy()));
                    }
                    for (ObjectNode part : Bodies.objects(configuration, "properties." + NatPorts.RULES)) {
                        Bodies.withId(body, "properties.inboundNatRules", Bodies.text(part, "id"))
                                .ifPresent(rule -> Bodies.properties(rule).set("backendIPConfiguration", user));
                    }
                });
        ports.show(body);
    }
}
