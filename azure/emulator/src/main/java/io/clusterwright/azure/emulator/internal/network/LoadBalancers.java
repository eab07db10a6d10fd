package io.clusterwright.azure.emulator.internal.network;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.clusterwright.azure.emulator.internal.arm.ArmException;
import io.clusterwright.azure.emulator.internal.arm.ArmId;
import io.clusterwright.azure.emulator.internal.arm.Bodies;
import io.clusterwright.azure.emulator.internal.arm.Cloud;
import io.clusterwright.azure.emulator.internal.arm.Resource;
import io.clusterwright.azure.emulator.internal.arm.Work;
import io.clusterwright.core.internal.http.Call;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Load balancers: frontends, pools and inbound NAT rules. */
public final class LoadBalancers extends NetworkKind {
    private static final List<String> ARRAYS = List.of(
            "frontendIPConfigurations",
            "backendAddressPools",
            "loadBalancingRules",
            "probes",
            "inboundNatRules",
            "inboundNatPools",
            "outboundRules");
    private static final int LAST_PORT = 65_535;

    private final Subnets subnets;

    public LoadBalancers(Cloud cloud) {
        super(cloud, BALANCERS);
        this.subnets = new Subnets(cloud);
    }

    @Override
    void fillProperties(ArmId id, ObjectNode properties, ObjectNode body) {
        Bodies.putDefault(Bodies.make(body, "sku"), "name", "Standard");
        Bodies.putDefault(Bodies.make(body, "sku"), "tier", "Regional");
        for (String array : ARRAYS) {
            if (!properties.has(array)) {
                properties.putArray(array);
            }
            stamp(id, properties, array, body);
            for (ObjectNode entry : Bodies.objects(properties.path(array))) {
                Bodies.properties(entry).remove(List.of("backendIPConfiguration", "backendIPConfigurations"));
            }
        }
        for (ObjectNode frontend : Bodies.objects(properties.path("frontendIPConfigurations"))) {
            ObjectNode details = Bodies.properties(frontend);
            String address = Bodies.text(details, "publicIPAddress", "id");
            if (!address.isEmpty()) {
                referenced(id, address, ADDRESSES);
                Bodies.putDefault(details, "privateIPAllocationMethod", "Dynamic");
            } else {
                subnets.allocate(id, frontend);
            }
        }
        checkNatRules(id, properties);
    }

    private static void checkNatRules(ArmId id, ObjectNode properties) {
        Map<String, String> ports = new HashMap<>();
        for (ObjectNode rule : Bodies.objects(properties.path("inboundNatRules"))) {
            ObjectNode details = Bodies.properties(rule);
            String name = Bodies.text(rule, "name");
            String frontend = Bodies.text(details, "frontendIPConfiguration", "id");
            if (Bodies.objects(properties.path("frontendIPConfigurations")).stream()
                    .noneMatch(each -> Bodies.text(each, "id").equalsIgnoreCase(frontend))) {
                throw ArmException.badReference(frontend, id);
            }
            requirePort(name, "backendPort", details);
            if (NatPorts.isRange(rule)) {
                NatPorts.check(id, properties, rule);
            } else {
                requirePort(name, "frontendPort", details);
            }
            Bodies.putDefault(details, "protocol", "Tcp");
            Bodies.putDefault(details, "idleTimeoutInMinutes", 4);
            Bodies.putDefault(details, "enableFloatingIP", false);
            NatPorts.frontend(rule).forEach(port -> {
                String other = ports.put(frontend + Bodies.text(details, "protocol") + port, name);
                if (other != null) {
                    throw ArmException.badRequest(
                            "RulesUseSameFrontendPortProtocolAndIPConfig",
                            "Load balancer rules " + other + " and " + name
                                    + " with protocol " + Bodies.text(details, "protocol")
                                    + " and frontend port " + port
                                    + " use the same frontend IP configuration and cannot be used together.");
                }
            });
        }
    }

    private static void requirePort(String rule, String field, ObjectNode details) {
        int port = details.path(field).asInt();
        if (port < 1 || port > LAST_PORT) {
            throw ArmException.badRequest(
                    "LoadBalancerInvalidPort",
                    "Rule " + rule + " has the " + field + " " + port + ", which is not between 1 and 65535.");
        }
    }

    @Override
    protected Work work(ObjectNode body, @Nullable Resource before) {
        return Work.LOAD_BALANCER;
    }

    @Override
    protected void checkDelete(Call call, Resource resource) {
        cloud.store()
                .ofType("Microsoft.Compute/virtualMachineScaleSets")
                .filter(set -> set.body()
                        .toString()
                        .toLowerCase(Locale.ROOT)
                        .contains("\"" + resource.id().key() + "/"))
                .findFirst()
                .ifPresent(set -> {
                    throw ArmException.badRequest(
                            "LoadBalancerInUseByVirtualMachineScaleSet",
                            "Cannot delete load balancer " + resource.id() + " since its child resources are in use by"
                                    + " virtual machine scale set " + set.id() + ".");
                });
    }

    @Override
    protected void removed(Resource resource) {
        cloud.store()
                .ofType(INTERFACES)
                .forEach(each -> Bodies.objects(each.properties().path("ipConfigurations"))
                        .forEach(configuration -> {
                            forget(configuration, "loadBalancerBackendAddressPools", resource);
                            forget(configuration, "loadBalancerInboundNatRules", resource);
                        }));
    }

    private static void forget(ObjectNode configuration, String array, Resource balancer) {
        if (Bodies.properties(configuration).get(array) instanceof ArrayNode references) {
            for (int i = references.size() - 1; i >= 0; i--) {
                String id = Bodies.text(references.get(i), "id");
                if (ArmId.isResource(id) && ArmId.parse(id).isInside(balancer.id())) {
                    references.remove(i);
                }
            }
        }
    }

    @Override
    public ObjectNode view(Call call, Resource resource) {
        ObjectNode view = super.view(call, resource);
        NatPorts.interfaces(cloud)
                .forEach(each -> Bodies.objects(each.properties().path("ipConfigurations"))
                        .forEach(configuration -> {
                            refer(view, "backendAddressPools", "backendIPConfigurations", configuration);
                            refer(view, "inboundNatRules", "backendIPConfiguration", configuration);
                        }));
        new NatPorts(cloud).show(view);
        return view;
    }

    private static void refer(ObjectNode view, String array, String property, ObjectNode configuration) {
        boolean many = property.endsWith("s");
        String references = many ? "loadBalancerBackendAddressPools" : "loadBalancerInboundNatRules";
        for (ObjectNode reference :
                Bodies.objects(configuration.path("properties").path(references))) {
            for (ObjectNode entry : Bodies.objects(view.path("properties").path(array))) {
                if (Bodies.text(entry, "id").equalsIgnoreCase(Bodies.text(reference, "id"))) {
                    ObjectNode back = Bodies.reference(Bodies.text(configuration, "id"));
                    if (many) {
                        Bodies.properties(entry).withArray("/" + property).add(back);
                    } else {
                        Bodies.properties(entry).set(property, back);
                    }
                }
            }
        }
    }
}
