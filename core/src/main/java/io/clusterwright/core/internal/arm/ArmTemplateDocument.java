package io.clusterwright.core.internal.arm;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.core.util.Separators;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.clusterwright.core.internal.json.Json;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** A template of Resource Manager and the file of its parameters. Each resource comes after those that it refers to. */
public final class ArmTemplateDocument {
    private static final String SCHEMAS = "https://schema.management.azure.com/schemas/2019-04-01/deployment";
    private static final DefaultIndenter LINES = new DefaultIndenter("  ", "\n");
    private static final ObjectWriter WRITER = Json.MAPPER.writer(new DefaultPrettyPrinter(new Separators()
                    .withObjectFieldValueSpacing(Separators.Spacing.AFTER)
                    .withObjectEmptySeparator("")
                    .withArrayEmptySeparator(""))
            .withObjectIndenter(LINES)
            .withArrayIndenter(LINES));

    private final ObjectNode metadata = Json.object();
    private final ObjectNode parameters = Json.object();
    private final ObjectNode values = Json.object();
    private final ObjectNode variables = Json.object();
    private final ArrayNode resources = Json.array();
    private final ObjectNode outputs = Json.object();
    private final Set<String> types = new LinkedHashSet<>();

    /**
     * A loop that deploys a resource several times.
     *
     * @param name distinct within the template
     * @param count a number, or an expression that gives one
     */
    public record Loop(String name, JsonNode count) {
        /** A loop over the elements of a list, named after the list and the resource. */
        public static Loop over(String list, String prefix, ArmResource resource) {
            return new Loop(
                    prefix + "-" + resource.kind(),
                    ArmText.expression("length(" + list + ")").json());
        }
    }

    /** Sets the template's description for people. */
    public void describe(String text) {
        metadata.put("description", text);
    }

    /** Defines a parameter; its value is in no file. */
    public ObjectNode parameter(String name, String type, String description) {
        ObjectNode parameter = parameters.putObject(name).put("type", type);
        parameter.putObject("metadata").put("description", description);
        return parameter;
    }

    /** Sets the value of a parameter in the file of parameters. */
    public void value(String name, JsonNode value) {
        values.putObject(name).set("value", value);
    }

    /** The variables. */
    public ObjectNode variables() {
        return variables;
    }

    /** The outputs. */
    public ObjectNode outputs() {
        return outputs;
    }

    /** Adds a resource that exists once. */
    public void add(ArmResource resource, ArmText... after) {
        add(resource, Optional.empty(), after);
    }

    /**
     * Adds a resource.
     *
     * @param after ids of resources that are deployed before it, beside those that it refers to
     */
    public void add(ArmResource resource, Optional<Loop> loop, ArmText... after) {
        ObjectNode entry = resources
                .addObject()
                .put("type", resource.type())
                .put("apiVersion", ApiVersions.of(resource.type()))
                .put("name", resource.name().toString());
        loop.ifPresent(each -> entry.putObject("copy").put("name", each.name()).set("count", each.count()));
        entry.put("location", resource.location().toString());
        if (!resource.tags().isEmpty() || resource.tags().isTextual()) {
            entry.set("tags", resource.tags());
        }
        entry.setAll(resource.top());
        Set<String> needs = new LinkedHashSet<>();
        List.of(after).forEach(id -> needs.add(id.toString()));
        resource.references().stream()
                .filter(reference -> types.contains(reference.type()))
                .forEach(reference -> needs.add(reference.id().toString()));
        if (!needs.isEmpty()) {
            needs.forEach(entry.putArray("dependsOn")::add);
        }
        entry.set("properties", resource.properties());
        types.add(resource.type());
    }

    /** The template. */
    public String template() {
        ObjectNode template =
                Json.object().put("$schema", SCHEMAS + "Template.json#").put("contentVersion", "1.0.0.0");
        setUnlessEmpty(template, "metadata", metadata);
        template.set("parameters", parameters);
        setUnlessEmpty(template, "variables", variables);
        template.set("resources", resources);
        setUnlessEmpty(template, "outputs", outputs);
        return text(template);
    }

    /** The file of parameters. */
    public String parameters() {
        ObjectNode file =
                Json.object().put("$schema", SCHEMAS + "Parameters.json#").put("contentVersion", "1.0.0.0");
        file.set("parameters", values);
        return text(file);
    }

    private static void setUnlessEmpty(ObjectNode template, String name, ObjectNode value) {
        if (!value.isEmpty()) {
            template.set(name, value);
        }
    }

    private static String text(JsonNode tree) {
        try {
            return WRITER.writeValueAsString(tree) + "\n";
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a JSON tree could not be written", e);
        }
    }
}
