package io.clusterwright.azure.internal.template;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.clusterwright.azure.internal.template.TemplateBodies.Body;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.ExtensionSpec;
import java.util.List;

/** Nodes as one scale set with a single placement group: its profile is that of one machine and its interface. */
public final class ScaleSetResources {
    private static final String TYPE = "Microsoft.Compute/virtualMachineScaleSets";
    private static final String POOL = "nodes";
    private static final List<String> OF_PROFILE =
            List.of("priority", "evictionPolicy", "billingProfile", "storageProfile", "osProfile");
    private static final List<String> OF_ADDRESS = List.of("primary", "subnet");

    private final ClusterSpec spec;
    private final Resources resources;
    private final NodeSample sample;
    private final TemplateBodies bodies;

    /** @param reachable whether nodes answer SSH from outside */
    ScaleSetResources(ClusterSpec spec, Resources resources, boolean reachable) {
        this.spec = spec;
        this.resources = resources;
        this.sample = NodeSample.compute(spec, reachable);
        this.bodies = sample.bodies();
    }

    /**
     * The load balancer: a range of ports with one for each instance, the first being that of the first node, and one for the head
     * node of its own.
     *
     * @param head gives the head node; of {@link NodeSet#NONE} where it is not reached from outside
     * @param instances whether the instances are reached from outside
     */
    void ports(NodeSet head, boolean instances) {
        TemplateBodies open = NodeSample.compute(spec, true).alone().bodies();
        resources.add(open.sharedAddress().orElseThrow(), properties -> {});
        Body balancer = open.loadBalancer().orElseThrow();
        ObjectNode properties = (ObjectNode) balancer.json().path("properties");
        ArrayNode rules = (ArrayNode) properties.path("inboundNatRules");
        ObjectNode one = (ObjectNode) rules.get(0);
        rules.removeAll();
        if (instances) {
            properties.putArray("backendAddressPools").addObject().put("name", POOL);
            rules.add(range(one.deepCopy(), balancer));
            properties.putArray("outboundRules").add(outbound(one, balancer));
        }
        boolean withHead = !head.standIns().isEmpty();
        if (withHead) {
            rules.add(one);
        }
        resources.add(balancer, head, List.of(), turned -> {
            if (withHead) {
                ((ObjectNode) turned.at("/inboundNatRules/" + (rules.size() - 1) + "/properties"))
                        .put("frontendPort", "[" + head.element() + ".sshPort]");
            }
        });
    }

    /** Machines in a pool of a Standard balancer open connections to the outside by its rules only. */
    private ObjectNode outbound(ObjectNode rule, Body balancer) {
        ObjectNode outbound = JsonNodeFactory.instance.objectNode().put("name", "outbound");
        ObjectNode details = outbound.putObject("properties");
        details.putArray("frontendIPConfigurations").add(rule.at("/properties/frontendIPConfiguration"));
        details.put("protocol", "All").put("allocatedOutboundPorts", 0).put("enableTcpReset", true);
        details.set("backendAddressPool", pool(balancer));
        return outbound;
    }

    private ObjectNode range(ObjectNode rule, Body balancer) {
        int first = bodies.port(sample.name()).orElseThrow();
        ObjectNode details = (ObjectNode) rule.put("name", "ssh").path("properties");
        details.remove("frontendPort");
        details.put("frontendPortRangeStart", first)
                .put("frontendPortRangeEnd", first + spec.nodes().count() - 1)
                .set("backendAddressPool", pool(balancer));
        return rule;
    }

    /** @param plan publisher, product and name of the image's purchase plan; empty where it has none */
    void scaleSet(List<String> plan) {
        Body machine = bodies.machine(sample.name(), sample.address(), plan);
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.set("tags", Resources.own(machine.json().path("tags")));
        json.putObject("sku");
        if (machine.json().has("plan")) {
            json.set("plan", machine.json().get("plan"));
        }
        ObjectNode properties =
                json.putObject("properties").put("overprovision", false).put("singlePlacementGroup", true);
        properties.putObject("upgradePolicy").put("mode", "Manual");
        ObjectNode one = (ObjectNode) machine.json().path("properties");
        if (bodies.proximityGroup().isPresent()) {
            properties.set(
                    "proximityPlacementGroup",
                    resources.id(bodies.proximityGroup().get()));
        }
        ObjectNode profile = properties.putObject("virtualMachineProfile");
        OF_PROFILE.stream().filter(one::has).forEach(name -> profile.set(name, one.get(name)));
        ((ObjectNode) profile.at("/storageProfile/osDisk")).remove(List.of("name", "deleteOption"));
        ObjectNode identity = (ObjectNode) profile.path("osProfile");
        identity.remove("computerName");
        identity.put("computerNamePrefix", spec.nodes().prefix());
        profile.putObject("networkProfile")
                .putArray("networkInterfaceConfigurations")
                .add(networkInterface());
        extensions(profile);
        ObjectNode resource = resources.add(new Body(TYPE, spec.name() + "-vmss", json), this::turn);
        ((ObjectNode) resource.path("sku"))
                .put("name", Parameters.use(TemplateMaker.SIZE))
                .put("tier", "Standard")
                .put("capacity", Parameters.use(TemplateMaker.COUNT));
    }

    private void turn(ObjectNode properties) {
        ObjectNode profile = (ObjectNode) properties.path("virtualMachineProfile");
        MachineResources.image((ObjectNode) profile.path("storageProfile"));
        MachineResources.identity((ObjectNode) profile.path("osProfile"));
        MachineResources.whole(profile);
        ((ObjectNode) profile.at("/networkProfile/networkInterfaceConfigurations/0/properties"))
                .put("enableAcceleratedNetworking", Parameters.use(TemplateMaker.ACCELERATED));
        for (int i = 0; i < spec.extensions().size(); i++) {
            ObjectNode extension = (ObjectNode) profile.at("/extensionProfile/extensions/" + i);
            MachineResources.secretSettings(
                    spec.extensions().get(i), extension.path("name").asText(), (ObjectNode)
                            extension.path("properties"));
        }
    }

    private ObjectNode networkInterface() {
        ObjectNode nic =
                (ObjectNode) bodies.nic(sample.name(), sample.address()).json().path("properties");
        ObjectNode made = JsonNodeFactory.instance.objectNode().put("name", "nic");
        ObjectNode properties = made.putObject("properties").put("primary", true);
        properties.set("enableAcceleratedNetworking", nic.path("enableAcceleratedNetworking"));
        properties.set("networkSecurityGroup", nic.path("networkSecurityGroup"));
        ObjectNode address = properties.putArray("ipConfigurations").addObject().put("name", "primary");
        JsonNode same = nic.at("/ipConfigurations/0/properties");
        ObjectNode details = address.putObject("properties");
        OF_ADDRESS.forEach(name -> details.set(name, same.path(name)));
        if (bodies.address(sample.name()).isPresent()) {
            details.putObject("publicIPAddressConfiguration").put("name", "ip");
        }
        bodies.loadBalancer()
                .filter(balancer -> same.has("loadBalancerInboundNatRules"))
                .ifPresent(balancer ->
                        details.putArray("loadBalancerBackendAddressPools").add(pool(balancer)));
        return made;
    }

    /** Installed one after the other on each instance. */
    private void extensions(ObjectNode profile) {
        String before = "";
        for (ExtensionSpec extension : spec.extensions()) {
            Body body = bodies.extension(sample.name(), extension);
            String name = body.name().substring(body.name().indexOf('/') + 1);
            ObjectNode entry = profile.withObject("/extensionProfile")
                    .withArray("/extensions")
                    .addObject()
                    .put("name", name);
            ObjectNode properties = (ObjectNode) body.json().path("properties");
            if (!before.isEmpty()) {
                properties.putArray("provisionAfterExtensions").add(before);
            }
            entry.set("properties", properties);
            before = name;
        }
    }

    private ObjectNode pool(Body balancer) {
        ObjectNode pool = resources.id(balancer);
        return pool.put("id", pool.path("id").asText() + "/backendAddressPools/" + POOL);
    }
}
