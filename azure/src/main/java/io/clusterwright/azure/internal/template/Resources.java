package io.clusterwright.azure.internal.template;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.clusterwright.azure.internal.template.TemplateBodies.Body;
import io.clusterwright.core.spec.ClusterSpec;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/** The resources of a template, each after those that it refers to. */
public final class Resources {
    private static final String COMPUTE = "2024-07-01";
    private static final String NETWORK = "2024-05-01";
    private static final Set<String> MOVED = Set.of("id", "name", "type", "location", "tags", "properties");

    private final String group;
    private final ArrayNode all = JsonNodeFactory.instance.arrayNode();
    private final Set<String> types = new LinkedHashSet<>();

    Resources(ClusterSpec spec) {
        this.group = "/subscriptions/" + TemplateBodies.SUBSCRIPTION + "/resourceGroups/" + spec.resourceGroup();
    }

    public ArrayNode all() {
        return all;
    }

    Expressions expressions(Map<String, String> standIns) {
        return new Expressions(group, standIns);
    }

    static String apiVersion(String type) {
        return type.startsWith("Microsoft.Network/") ? NETWORK : COMPUTE;
    }

    /** Adds one that exists once. */
    ObjectNode add(Body body, Consumer<ObjectNode> change) {
        return add(body, NodeSet.NONE, List.of(), change);
    }

    /**
     * Adds one for each node of a set.
     *
     * @param after expressions (with brackets) of what it needs beside what it refers to
     * @param change is given the turned properties
     * @return the resource, which may still be changed
     */
    ObjectNode add(Body body, NodeSet nodes, List<String> after, Consumer<ObjectNode> change) {
        Expressions expressions = expressions(nodes.standIns());
        ObjectNode resource = JsonNodeFactory.instance
                .objectNode()
                .put("type", body.type())
                .put("apiVersion", apiVersion(body.type()))
                .put("name", expressions.text(body.name()));
        ObjectNode properties = expressions.of((ObjectNode) body.json().path("properties"));
        change.accept(properties);
        if (!nodes.list().isEmpty()) {
            resource.putObject("copy").put("name", nodes.loop(body)).put("count", "[length(" + nodes.list() + ")]");
        }
        resource.put("location", Parameters.use("location"));
        resource.put("tags", tags(body.json().path("tags"), nodes));
        body.json().properties().forEach(entry -> {
            if (!MOVED.contains(entry.getKey())) {
                resource.set(
                        entry.getKey(),
                        entry.getValue() instanceof ObjectNode object ? expressions.of(object) : entry.getValue());
            }
        });
        Set<String> needs = new LinkedHashSet<>(after);
        expressions.references().stream()
                .filter(reference -> types.contains(reference.type()))
                .forEach(reference -> needs.add(reference.expression()));
        if (!needs.isEmpty()) {
            ArrayNode dependencies = resource.putArray("dependsOn");
            needs.forEach(dependencies::add);
        }
        resource.set("properties", properties);
        types.add(body.type());
        all.add(resource);
        return resource;
    }

    /** A reference to a resource, as bodies have it. */
    ObjectNode id(Body body) {
        return JsonNodeFactory.instance.objectNode().put("id", group + "/providers/" + body.type() + "/" + body.name());
    }

    /** These tags without that of a node. */
    static ObjectNode own(JsonNode tags) {
        ObjectNode own = tags.deepCopy();
        own.remove(TemplateBodies.NODE_TAG);
        return own;
    }

    private static String tags(JsonNode tags, NodeSet nodes) {
        String name = nodes.standIns().isEmpty() ? "" : nodes.element() + ".name";
        return tags.has(TemplateBodies.NODE_TAG)
                ? "[union(variables('tags'), createObject('" + TemplateBodies.NODE_TAG + "', " + name + "))]"
                : "[variables('tags')]";
    }
}
