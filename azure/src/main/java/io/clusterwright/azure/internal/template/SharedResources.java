package io.clusterwright.azure.internal.template;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.clusterwright.azure.ArmTemplate;
import io.clusterwright.azure.internal.template.TemplateBodies.Body;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.type.AddressRange;
import java.util.List;

/** What all nodes have in common: security group, network, placement, and the way in through ports of one address. */
public final class SharedResources {
    private static final List<AddressRange> CALLERS = List.of(AddressRange.parse("192.0.2.0/24"));
    private static final String RULES = "inboundNatRules";

    private final TemplateBodies bodies;
    private final Resources resources;

    SharedResources(ClusterSpec spec, Resources resources) {
        this.bodies = new TemplateBodies(spec);
        this.resources = resources;
    }

    /** The tags of everything. */
    ObjectNode tags() {
        ObjectNode tags = (ObjectNode) bodies.securityGroup(CALLERS).json().path("tags");
        return resources.expressions(NodeSet.NONE.standIns()).of(tags);
    }

    void network() {
        resources.add(
                bodies.securityGroup(CALLERS),
                properties -> properties
                        .path("securityRules")
                        .forEach(rule -> ((ObjectNode) rule.path("properties"))
                                .put("sourceAddressPrefixes", Parameters.use(ArmTemplate.ALLOWED))));
        bodies.network().ifPresent(body -> resources.add(body, properties -> {}));
    }

    void placement() {
        bodies.proximityGroup().ifPresent(body -> resources.add(body, properties -> {}));
        bodies.availabilitySet().ifPresent(body -> resources.add(body, properties -> {}));
    }

    /**
     * The load balancer, with a rule for each node of a list.
     *
     * @param list an expression that gives the nodes that are reached through it
     * @param sample one of them
     */
    void ports(String list, NodeSample sample) {
        Body address = bodies.sharedAddress().orElseThrow();
        resources.add(address, properties -> {});
        Body balancer = sample.bodies().loadBalancer().orElseThrow();
        NodeSet each = NodeSet.of(list, RULES, sample);
        NodeSet inside = new NodeSet("", "", "", sample.standIns(each.list() + "[copyIndex('" + RULES + "')]"));
        resources.add(balancer, inside, List.of(), properties -> loop(properties, list, sample));
    }

    /** An expression that gives the shared address once it is there. */
    String addressOutput() {
        Body address = bodies.sharedAddress().orElseThrow();
        String id = Expressions.resourceId(address.type(), "'" + address.name() + "'");
        return "[reference(" + id.substring(1, id.length() - 1) + ").ipAddress]";
    }

    private static void loop(ObjectNode properties, String list, NodeSample sample) {
        String port = list + "[copyIndex('" + RULES + "')].sshPort";
        int own = sample.bodies().port(sample.name()).orElseThrow();
        ObjectNode rule = JsonNodeFactory.instance.objectNode();
        for (JsonNode each : properties.path(RULES)) {
            if (each.path("properties").path("frontendPort").asInt() == own) {
                rule.setAll((ObjectNode) each);
            }
        }
        ((ObjectNode) rule.path("properties")).put("frontendPort", "[" + port + "]");
        properties.remove(RULES);
        ArrayNode copy = properties.putArray("copy");
        copy.addObject()
                .put("name", RULES)
                .put("count", "[length(" + list + ")]")
                .set("input", rule);
    }
}
