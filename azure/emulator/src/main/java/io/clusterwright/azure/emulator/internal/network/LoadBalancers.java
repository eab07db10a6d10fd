package io.clusterwright.azure.emulator.internal.network;

import static io.clusterwright.azure.emulator.internal.arm.ArmException.refuse;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.clusterwright.azure.emulator.internal.arm.ArmException;
import io.clusterwright.azure.emulator.internal.arm.Bodies;
import io.clusterwright.azure.emulator.internal.arm.Cloud;
import io.clusterwright.azure.emulator.internal.arm.Draft;
import io.clusterwright.azure.emulator.internal.arm.Resource;
import io.clusterwright.azure.emulator.internal.arm.ResourcePath;
import io.clusterwright.azure.emulator.internal.arm.ResourceType;
import io.clusterwright.azure.emulator.internal.arm.Row;
import io.clusterwright.azure.emulator.internal.arm.Work;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Load balancers: frontends, pools and inbound NAT rules. */
final class LoadBalancers {
    private static final String FRONTENDS = "properties.frontendIPConfigurations";
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
                        // Basic load balancers, which a request without a sku means, cannot be had since 30 September
                        // 2025.
                        Row.refuse(
                                balancer -> !balancer.is("sku.name", "Standard"),
                                "BasicSkuLoadBalancerNotSupported",
                                Draft::id,
                                balancer -> balancer.text("sku.name")),
                        Row.fixed("sku.name"))
                .children("inboundNatRules", UNUSED_AT_FIRST)
                .children("backendAddressPools", UNUSED_AT_FIRST)
                .entries("loadBalancingRules")
                .entries("probes")
                .entries("inboundNatPools")
                .entries("outboundRules")
                .children("frontendIPConfigurations", this::address)
                .rows(LoadBalancers::requireFrontends, BalancingRules::check, LoadBalancers::checkNatRules)
                .partAction("backendAddressPools", "queryInboundNatRulePortMapping", ports::query)
                .deleteCheck(this::requireUnused)
                .removed(this::forget)
                .view((call, balancer, body) -> showUsers(body));
    }

    private static void requireFrontends(Draft balancer) {
        List<Draft> frontends = balancer.parts(FRONTENDS);
        for (Draft each : frontends) {
            refuse(
                    each.has("properties.publicIPAddress.id")
                            && !each.at("zones").isEmpty(),
                    "InvalidRequestFormat.frontendZones",
                    each.text("name"));
        }
        Bodies.requireUnique(
                balancer.objects(FRONTENDS),
                each -> Bodies.text(each, "properties.publicIPAddress.id"),
                (first, second) -> ArmException.of(
                        "PublicIPAddressInUse",
                        Bodies.text(second, "id"),
                        Bodies.text(second, "properties.publicIPAddress.id"),
                        Bodies.text(first, "id")));
        long internal = frontends.stream()
                .filter(each -> each.has("properties.subnet.id"))
                .count();
        refuse(internal > 0 && internal < frontends.size(), "InvalidRequestFormat.frontends", balancer.id());
        for (String array : List.of("loadBalancingRules", "inboundNatPools")) {
            if (!frontends.isEmpty()) {
                balancer.parts("properties." + array).forEach(rule -> requireFrontend(balancer, rule));
            }
        }
        boolean children = Stream.of("inboundNatRules", "loadBalancingRules", "outboundRules")
                .anyMatch(array -> !balancer.at("properties." + array).isEmpty());
        refuse(frontends.isEmpty() && children, "LoadBalancerWithoutFrontendIPCantHaveChildResources", balancer.id());
    }

    private static String requireFrontend(Draft balancer, Draft rule) {
        String frontend = rule.text("properties.frontendIPConfiguration.id");
        if (Bodies.withId(balancer.body(), FRONTENDS, frontend).isEmpty()) {
            throw ArmException.badReference(frontend, balancer.id());
        }
        return frontend;
    }

    private void address(Draft frontend) {
        boolean internal = frontend.has("properties.subnet.id");
        boolean open = frontend.has("properties.publicIPAddress.id") || frontend.has("properties.publicIPPrefix.id");
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
        for (Draft rule : balancer.parts("properties.inboundNatRules")) {
            String frontend = requireFrontend(balancer, rule);
            requirePort(rule, "backendPort");
            if (NatPorts.isRange(rule.body())) {
                NatPorts.check(balancer, rule);
            } else {
                requirePort(rule, "frontendPort");
            }
            rule.standard("properties.protocol", "Tcp");
            rule.standard("properties.idleTimeoutInMinutes", 4);
            rule.standard("properties.enableFloatingIP", false);
            NatPorts.frontend(rule.body()).forEach(port -> BalancingRules.take(ports, frontend, rule, port));
        }
    }

    static void requirePort(Draft rule, String field) {
        int port = rule.number("properties." + field, 0);
        refuse(port < 1 || port > LAST_PORT, "LoadBalancerInvalidPort", rule.text("name"), field, port);
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
                                return ResourcePath.isResource(id)
                                        && ResourcePath.of(id).isInside(balancer.id());
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
