package io.clusterwright.azure.emulator.internal.deployments;

import com.fasterxml.jackson.databind.JsonNode;
import io.clusterwright.core.internal.json.Json;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** The values of a template's parameters, each checked against its definition. */
final class TemplateParameters {
    private TemplateParameters() {}

    /**
     * The value of each, by name.
     *
     * @param standards evaluates what stands for a value that is not given
     */
    static Map<String, JsonNode> of(JsonNode definitions, JsonNode given, ExpressionEvaluator standards) {
        List<String> foreign = new ArrayList<>();
        given.fieldNames().forEachRemaining(name -> {
            if (!definitions.has(name)) {
                foreign.add(name);
            }
        });
        TemplateException.refuse(!foreign.isEmpty(), "foreign", String.join(", ", foreign));
        Map<String, JsonNode> values = new LinkedHashMap<>();
        Set<String> names = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
        definitions.properties().forEach(entry -> {
            String name = entry.getKey();
            JsonNode definition = entry.getValue();
            TemplateException.refuse(!names.add(name), "parameterTwice", name);
            TemplateException.refuse(
                    given.path(name).has("value") && given.path(name).has("reference"), "valueAndReference", name);
            JsonNode value = given.path(name).path("value");
            if (value.isMissingNode() && definition.has("defaultValue")) {
                value = standards.value(definition.get("defaultValue"));
            }
            TemplateException.refuse(value.isMissingNode(), "missing", name);
            check(name, definition, value);
            values.put(name, value);
        });
        return values;
    }

    static boolean isSecret(JsonNode definition) {
        return type(definition).startsWith("secure");
    }

    private static String type(JsonNode definition) {
        return definition.path("type").asText().toLowerCase(Locale.ROOT);
    }

    /**
     * Refuses a value that is not of the type that its definition names.
     *
     * @param what the word for it, {@code parameter} or {@code output}
     */
    static void requireType(String what, String name, JsonNode definition, JsonNode value) {
        boolean fits = switch (type(definition)) {
            case "string", "securestring" -> value.isTextual();
            case "int" -> value.isInt();
            case "bool" -> value.isBoolean();
            case "array" -> value.isArray();
            case "object", "secureobject" -> value.isObject();
            default ->
                throw TemplateException.of("type", definition.path("type").asText(), what, name);
        };
        TemplateException.refuse(
                !fits, "value", what, name, definition.path("type").asText(), value.getNodeType());
    }

    private static void check(String name, JsonNode definition, JsonNode value) {
        requireType("parameter", name, definition, value);
        List<JsonNode> allowed = new ArrayList<>();
        definition.path("allowedValues").forEach(allowed::add);
        TemplateException.refuse(
                !allowed.isEmpty() && !allowed.contains(value),
                "allowed",
                name,
                Functions.string(value),
                definition.path("allowedValues"));
        int length = value.isTextual() ? value.textValue().length() : value.size();
        bound(name, definition, "minLength", length, true);
        bound(name, definition, "maxLength", length, false);
        bound(name, definition, "minValue", value.asInt(), true);
        bound(name, definition, "maxValue", value.asInt(), false);
    }

    private static void bound(String name, JsonNode definition, String bound, int value, boolean lowest) {
        if (definition.has(bound)) {
            int limit = definition.path(bound).asInt();
            TemplateException.refuse(lowest ? value < limit : value > limit, "bound", name, bound, limit, value);
        }
    }

    /** The parameters as a deployment shows them: no secret among them. */
    static JsonNode shown(JsonNode definitions, Map<String, JsonNode> values) {
        var shown = Json.object();
        definitions.properties().forEach(entry -> {
            var one = shown.putObject(entry.getKey())
                    .put("type", entry.getValue().path("type").asText());
            if (!isSecret(entry.getValue())) {
                one.set("value", values.get(entry.getKey()));
            }
        });
        return shown;
    }
}
