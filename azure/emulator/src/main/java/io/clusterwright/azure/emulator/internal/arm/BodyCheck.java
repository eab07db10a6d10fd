package io.clusterwright.azure.emulator.internal.arm;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.LongNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.clusterwright.core.internal.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Holds the body of a request against the description of its type and version: refuses unknown properties, values of another type or outside
 * their limits, and missing ones. Names and values get the spelling of the description, as the service reads them without regard to case.
 */
public final class BodyCheck {
    /** Fields of every resource, which a body may repeat from its path. */
    private static final Set<String> OF_THE_PATH = Set.of("id", "name", "type", "apiversion", "etag");

    /** What the service of Microsoft.Compute calls the resource in a refusal. */
    private static final Map<String, String> TARGETS = Map.of(
            "virtualmachines", "vm",
            "virtualmachinescalesets", "vmss",
            "disks", "disk",
            "images", "image",
            "galleries", "gallery",
            "galleries/images", "galleryImage",
            "galleries/images/versions", "galleryImageVersion",
            "availabilitysets", "availabilitySet");

    private final Descriptions descriptions;
    private final String type;
    private final String version;
    private final ObjectNode body;
    private final boolean whole;

    private BodyCheck(Descriptions descriptions, String type, String version, ObjectNode body, boolean whole) {
        this.descriptions = descriptions;
        this.type = type;
        this.version = version;
        this.body = body;
        this.whole = whole;
    }

    /**
     * Checks a body, which gets the spelling of the description.
     *
     * @param whole whether it must have what is required
     */
    public static void run(String type, String version, ObjectNode body, boolean whole) {
        Optional<Descriptions> descriptions = Descriptions.of(type.substring(0, type.indexOf('/')));
        descriptions
                .flatMap(all -> all.body(type))
                .ifPresent(name -> new BodyCheck(
                                descriptions.get(),
                                name,
                                Versions.acting(descriptions.get().versions(name), version.toLowerCase(Locale.ROOT)),
                                body,
                                whole)
                        .object(name, body, ""));
    }

    private void object(String name, ObjectNode object, String path) {
        Map<String, List<Descriptions.Stretch>> properties = descriptions.properties(name);
        List<String> keys = new ArrayList<>();
        object.fieldNames().forEachRemaining(keys::add);
        for (String key : keys) {
            String here = path.isEmpty() ? key : path + "." + key;
            List<Descriptions.Stretch> stretches = properties.getOrDefault(key, List.of());
            Optional<Descriptions.Stretch> now =
                    stretches.stream().filter(each -> each.holds(version)).findFirst();
            boolean ignored = path.isEmpty() && OF_THE_PATH.contains(key.toLowerCase(Locale.ROOT)) && !isBatch()
                    || stretches.stream().anyMatch(Descriptions.Stretch::readOnly);
            boolean misspelt =
                    isBatch() && now.map(each -> !each.name().equals(key)).orElse(false);
            if (now.isEmpty() && !ignored || misspelt) {
                throw unknown(key, name, here);
            }
            if (now.isPresent() && !now.get().readOnly()) {
                JsonNode given = object.get(key);
                boolean tags = here.equalsIgnoreCase("tags");
                JsonNode value = tags ? given : value(now.get().word(), given, here);
                if (!now.get().name().equals(key)) {
                    object.remove(key);
                }
                object.set(now.get().name(), value);
            }
        }
        if (whole && isStrict()) {
            properties.values().stream()
                    .flatMap(List::stream)
                    .filter(each -> each.required() && each.holds(version) && !object.hasNonNull(each.name()))
                    .filter(each -> !each.name().equals("location"))
                    .findFirst()
                    .ifPresent(missing -> {
                        throw missing(path, missing.name());
                    });
        }
    }

    /** The value as it is read. */
    private JsonNode value(String word, JsonNode value, String path) {
        if (value.isNull()) {
            return value;
        }
        String inner = word.substring(1);
        if (isBatch() && !isKind(word.charAt(0), value)) {
            throw refusal("Cannot convert the literal '" + shown(value) + "' to the expected type", path);
        }
        switch (word.charAt(0)) {
            case '@':
                if (value instanceof ObjectNode object) {
                    object(inner, object, path);
                } else if (!value.asText("?").isEmpty()) {
                    throw unreadable(value, inner, path);
                }
                return value;
            case '[':
                if (value instanceof ArrayNode array) {
                    for (int i = 0; i < array.size(); i++) {
                        array.set(i, value(inner, array.get(i), path + "[" + i + "]"));
                    }
                    return array;
                }
                throw unreadable(value, "List`1", path);
            case '{':
                if (value instanceof ObjectNode map) {
                    map.properties()
                            .forEach(entry ->
                                    entry.setValue(value(inner, entry.getValue(), path + "." + entry.getKey())));
                    return map;
                }
                throw unreadable(value, "Dictionary`2", path);
            case 's':
                return length(inner, text(value, path), path);
            case '=':
                return choice(inner, text(value, path), path);
            case 'i':
                return number(inner, value, path);
            case 'n':
                if (!value.isNumber() && !value.asText("").matches("-?\\d{1,9}([.]\\d{1,9})?")) {
                    throw refusal("Could not convert " + kind(value) + " to decimal: " + shown(value), path);
                }
                return value;
            case 'b':
                return bool(value, path);
            default:
                return value;
        }
    }

    /** Whether a literal is of the kind of a property, which Batch does not convert. */
    private static boolean isKind(char word, JsonNode value) {
        return switch (word) {
            case 's', '=' -> value.isTextual();
            case 'i' -> value.isIntegralNumber();
            case 'b' -> value.isBoolean();
            default -> true;
        };
    }

    private JsonNode text(JsonNode value, String path) {
        if (value.isContainerNode()) {
            throw refusal(
                    "Unexpected character encountered while parsing value: " + (value.isArray() ? "[" : "{"), path);
        }
        return value.isTextual() ? value : TextNode.valueOf(value.asText());
    }

    private JsonNode length(String limits, JsonNode value, String path) {
        int length = value.asText().length();
        if (!limits.isEmpty() && !isWithin(limits, length)) {
            throw refusal(
                    "The value '" + value.asText() + "' of parameter '" + path + "' must have a length of " + limits
                            + " characters",
                    path);
        }
        return value;
    }

    private JsonNode choice(String values, JsonNode value, String path) {
        String plain = value.asText().replace(" ", "");
        for (String each : values.split("\\|")) {
            if (each.replace(" ", "").equalsIgnoreCase(plain)) {
                return TextNode.valueOf(each);
            }
        }
        if (plain.isEmpty()) {
            return value;
        }
        throw unreadable(value, path.replaceFirst(".*\\.", ""), path);
    }

    private JsonNode number(String limits, JsonNode value, String path) {
        if (!value.isIntegralNumber() && !value.asText("").matches("-?\\d{1,18}") || value.isBoolean()) {
            throw refusal("Could not convert " + kind(value) + " to integer: " + shown(value), path);
        }
        long number = value.asLong();
        if (!limits.isEmpty() && !isWithin(limits, number)) {
            String[] both = limits.split("\\.\\.", 2);
            throw ArmException.of("InvalidParameter.range", number, path.replaceFirst(".*\\.", ""), both[0], both[1]);
        }
        return number == (int) number ? IntNode.valueOf((int) number) : LongNode.valueOf(number);
    }

    private JsonNode bool(JsonNode value, String path) {
        String text = value.asText("?").toLowerCase(Locale.ROOT);
        if (!text.equals("true") && !text.equals("false")) {
            throw refusal("Could not convert " + kind(value) + " to boolean: " + shown(value), path);
        }
        return BooleanNode.valueOf(text.equals("true"));
    }

    private static boolean isWithin(String limits, long number) {
        String[] both = limits.split("\\.\\.", 2);
        return (both[0].isEmpty() || number >= Long.parseLong(both[0]))
                && (both[1].isEmpty() || number <= Long.parseLong(both[1]));
    }

    private static String kind(JsonNode value) {
        return value.isTextual() ? "string" : value.getNodeType().toString().toLowerCase(Locale.ROOT);
    }

    private static String shown(JsonNode value) {
        return value.isTextual() ? value.asText() : value.toString();
    }

    private boolean isBatch() {
        return type.startsWith(Descriptions.BATCH + "/");
    }

    private boolean isCompute() {
        return type.startsWith("Microsoft.Compute/");
    }

    /** Whether the service itself refuses a body without what the description requires. */
    private boolean isStrict() {
        return isCompute()
                || isBatch()
                || type.startsWith("Microsoft.DevTestLab/")
                || type.startsWith("Microsoft.Insights/")
                || type.startsWith("Microsoft.Storage/")
                || type.startsWith("Microsoft.KeyVault/");
    }

    private ArmException unknown(String key, String object, String path) {
        if (isBatch()) {
            String entity = object.substring(object.indexOf('/') + 1).replaceFirst("(Add)?Parameter$", "");
            return refusal(
                    "The property '" + key + "' does not exist on type 'Microsoft.Azure.Batch.Protocol.Entities."
                            + entity + "'. Make sure to only use property names that are defined by the type.",
                    path);
        }
        String name =
                path.contains(".") ? path.equals("properties." + key) ? "Properties" : object : "ResourceDefinition";
        return refusal("Could not find member '" + key + "' on object of type '" + name + "'", path);
    }

    private ArmException unreadable(JsonNode value, String object, String path) {
        return refusal("Error converting value " + Json.write(value) + " to type '" + object + "'", path);
    }

    private ArmException missing(String path, String name) {
        if (isBatch()) {
            return ArmException.of("MissingRequiredProperty")
                    .because(List.of(ArmException.fact("PropertyName", path.isEmpty() ? name : path + "." + name)));
        }
        String holder = path.replaceFirst(".*\\.", "").replaceFirst("\\[\\d+]$", "");
        String parameter = holder.isEmpty()
                ? name
                : holder.equals("properties") ? target() + ".properties." + name : holder + "." + name;
        return ArmException.missing(parameter, parameter);
    }

    private String target() {
        String name = type.substring(type.indexOf('/') + 1).toLowerCase(Locale.ROOT);
        return TARGETS.getOrDefault(name, type.substring(type.lastIndexOf('/') + 1));
    }

    /** A refusal in the form of the provider. */
    private ArmException refusal(String what, String path) {
        if (isBatch()) {
            return ArmException.of("InvalidRequestBody")
                    .because(List.of(ArmException.fact("PropertyName", path), ArmException.fact("Reason", what)));
        }
        String key = "\"" + path.replaceFirst(".*\\.", "").replaceFirst("\\[\\d+]$", "") + "\"";
        int position = Math.max(0, Json.write(body).indexOf(key)) + key.length() + 1;
        String text = what + ". Path '" + path + "', line 1, position " + position + ".";
        if (!path.contains(".") || type.startsWith(Descriptions.RESOURCES)) {
            return ArmException.of("InvalidRequestContent", text);
        }
        if (isCompute()) {
            return ArmException.of(400, "BadRequest", text).at(target() + "." + path);
        }
        return ArmException.of("InvalidRequestFormat")
                .because(List.of(Json.object().put("code", "InvalidJson").put("message", text)));
    }
}
