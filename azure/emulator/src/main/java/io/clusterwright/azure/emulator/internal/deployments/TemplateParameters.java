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
    static Map<String, JsonNode> of(JsonNode definitions, JsonNode given, Scope standards) {
        List<String> foreign = new ArrayList<>();
        given.fieldNames().forEachRemaining(name -> {
            if (!definitions.has(name)) {
                foreign.add(name);
            }
        });
        if (!foreign.isEmpty()) {
            throw new TemplateException(
                    "The following parameters were supplied, but do not correspond to any parameters"
                            + " defined in the template: '" + String.join(", ", foreign) + "'");
        }
        Map<String, JsonNode> values = new LinkedHashMap<>();
        Set<String> names = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
        definitions.properties().forEach(entry -> {
            String name = entry.getKey();
            JsonNode definition = entry.getValue();
            if (!names.add(name)) {
                throw new TemplateException("The template parameter '" + name + "' is defined twice");
            }
            if (given.path(name).has("value") && given.path(name).has("reference")) {
                throw new TemplateException(
                        "The template parameter '" + name + "' has a value and a reference; only one can be given");
            }
            JsonNode value = given.path(name).path("value");
            if (value.isMissingNode() && definition.has("defaultValue")) {
                value = standards.value(definition.get("defaultValue"));
            }
            if (value.isMissingNode()) {
                throw new TemplateException("The value for the template parameter '" + name
                        + "' is not provided. Please see https://aka.ms/arm-create-parameter-file for usage details.");
            }
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
                throw new TemplateException(
                        "The type '" + definition.path("type").asText() + "' of the template " + what + " '" + name
                                + "' is not valid.");
        };
        if (!fits) {
            throw new TemplateException("The provided value for the template " + what + " '" + name
                    + "' is not valid. Expected a value of type '"
                    + definition.path("type").asText() + "', but received '"
                    + value.getNodeType() + "'");
        }
    }

    private static void check(String name, JsonNode definition, JsonNode value) {
        requireType("parameter", name, definition, value);
        List<JsonNode> allowed = new ArrayList<>();
        definition.path("allowedValues").forEach(allowed::add);
        if (!allowed.isEmpty() && !allowed.contains(value)) {
            throw new TemplateException("The provided value for the template parameter '" + name
                    + "' is not valid. The value '" + Functions.string(value)
                    + "' is not part of the allowed value(s): '"
                    + definition.path("allowedValues") + "'");
        }
        int length = value.isTextual() ? value.textValue().length() : value.size();
        bound(name, definition, "minLength", length, true);
        bound(name, definition, "maxLength", length, false);
        bound(name, definition, "minValue", value.asInt(), true);
        bound(name, definition, "maxValue", value.asInt(), false);
    }

    private static void bound(String name, JsonNode definition, String bound, int value, boolean lowest) {
        if (definition.has(bound)) {
            int limit = definition.path(bound).asInt();
            if (lowest ? value < limit : value > limit) {
                throw new TemplateException("The provided value for the template parameter '" + name
                        + "' is not valid: its " + bound + " is " + limit + ", and it is " + value);
            }
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
