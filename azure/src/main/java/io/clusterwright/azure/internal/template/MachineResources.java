package io.clusterwright.azure.internal.template;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.clusterwright.azure.ArmTemplate;
import io.clusterwright.azure.internal.template.TemplateBodies.Body;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.ExtensionSpec;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The parts of nodes that are machines of their own: address, interface, machine, extensions. */
public final class MachineResources {
    private static final String KEYS = "publicKeys";

    private final ClusterSpec spec;
    private final Resources resources;
    private final List<String> plan;

    /** @param plan publisher, product and name of the image's purchase plan; empty where it has none */
    MachineResources(ClusterSpec spec, Resources resources, List<String> plan) {
        this.spec = spec;
        this.resources = resources;
        this.plan = plan;
    }

    void interfaces(NodeSet nodes, NodeSample sample, String accelerated) {
        TemplateBodies bodies = sample.bodies();
        Optional<Body> address = bodies.address(sample.name());
        address.ifPresent(body -> resources.add(body, nodes, List.of(), properties -> {}));
        resources.add(
                bodies.nic(sample.name(), sample.address()),
                nodes,
                List.of(),
                properties -> properties.put("enableAcceleratedNetworking", Parameters.use(accelerated)));
    }

    void machines(NodeSet nodes, NodeSample sample, String size) {
        resources.add(sample.bodies().machine(sample.name(), sample.address(), plan), nodes, List.of(), properties -> {
            ((ObjectNode) properties.path("hardwareProfile")).put("vmSize", Parameters.use(size));
            image((ObjectNode) properties.path("storageProfile"));
            identity((ObjectNode) properties.path("osProfile"));
            whole(properties);
        });
    }

    /** Extensions are installed one after the other, as they share the package manager's lock. */
    void extensions(NodeSet nodes, NodeSample sample) {
        String before = "";
        for (ExtensionSpec extension : spec.extensions()) {
            Body body = sample.bodies().extension(sample.name(), extension);
            String name = body.name().substring(body.name().indexOf('/') + 1);
            String node = nodes.element() + ".name";
            String machine = Expressions.resourceId("Microsoft.Compute/virtualMachines", node);
            resources.add(
                    body,
                    nodes,
                    List.of(before.isEmpty() ? machine : before),
                    properties -> secretSettings(extension, name, properties));
            before = Expressions.resourceId(body.type(), node + ", '" + name + "'");
        }
    }

    static void secretSettings(ExtensionSpec extension, String name, ObjectNode properties) {
        if (extension.protectedSettings().isPresent()) {
            properties.put("protectedSettings", Parameters.use(secretSettings(name)));
        }
    }

    /** The parameter that holds the protected settings of an extension. */
    static String secretSettings(String extension) {
        String plain = extension.replaceAll("[^A-Za-z0-9]", "");
        return plain.substring(0, 1).toLowerCase(Locale.ROOT) + plain.substring(1) + "ProtectedSettings";
    }

    static void image(ObjectNode storage) {
        storage.put("imageReference", Parameters.use(ArmTemplate.IMAGE));
    }

    static void identity(ObjectNode profile) {
        profile.put("adminUsername", Parameters.use(ArmTemplate.USER))
                .put("customData", "[base64(" + Parameters.bare(ArmTemplate.CUSTOM_DATA) + ")]");
        ObjectNode ssh = (ObjectNode) profile.path("linuxConfiguration").path("ssh");
        ssh.removeAll();
        ObjectNode copy = ssh.putArray("copy")
                .addObject()
                .put("name", KEYS)
                .put("count", "[length(" + Parameters.bare(ArmTemplate.KEYS) + ")]");
        copy.putObject("input")
                .put("path", "[concat('/home/', " + Parameters.bare(ArmTemplate.USER) + ", '/.ssh/authorized_keys')]")
                .put("keyData", "[" + Parameters.bare(ArmTemplate.KEYS) + "[copyIndex('" + KEYS + "')]]");
    }

    /** Templates have no fractions: the JSON of one is read from a text. */
    static void whole(ObjectNode properties) {
        JsonNode price = properties.path("billingProfile").path("maxPrice");
        if (price.isNumber()) {
            ObjectNode billing = (ObjectNode) properties.path("billingProfile");
            if (price.doubleValue() == Math.rint(price.doubleValue())) {
                billing.put("maxPrice", price.intValue());
            } else {
                billing.put("maxPrice", "[json('" + price.asText() + "')]");
            }
        }
    }
}
