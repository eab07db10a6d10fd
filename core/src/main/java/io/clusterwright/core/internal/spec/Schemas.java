package io.clusterwright.core.internal.spec;

import io.clusterwright.core.type.InvalidValueException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** Pieces of JSON Schema (2020-12) that codecs share. A schema is a map with the keywords in the order to write them. */
public final class Schemas {
    /** The place of the schema of an overlay. */
    public static final String OVERLAY = "#/$defs/overlay";

    private Schemas() {}

    /** A schema of the given keywords, each followed by its value. */
    public static Map<String, Object> of(Object... pairs) {
        Map<String, Object> schema = new LinkedHashMap<>();
        for (int i = 0; i < pairs.length; i += 2) {
            schema.put((String) pairs[i], pairs[i + 1]);
        }
        return schema;
    }

    /** A group of names that has no others than these. */
    public static Map<String, Object> group(Map<String, Object> properties, List<String> required) {
        Map<String, Object> schema = of("type", "object");
        if (!required.isEmpty()) {
            schema.put("required", required);
        }
        schema.put("properties", properties);
        schema.put("additionalProperties", false);
        return schema;
    }

    /** A Java expression that must match all of a text, as JSON Schema writes it. */
    public static String pattern(String java) {
        return "^(?:" + java.replace("\\p{Cntrl}", "\\u0000-\\u001f\\u007f") + ")$";
    }

    /** The schema that takes nothing ({@code null}), too, which stands for the default. */
    public static Map<String, Object> orNothing(Map<String, Object> schema) {
        Map<String, Object> wider = new LinkedHashMap<>(schema);
        if (schema.get("enum") instanceof List<?> values) {
            List<Object> more = new ArrayList<>(values);
            more.add(null);
            wider.put("enum", more);
        } else if (schema.get("anyOf") instanceof List<?> choices) {
            List<Object> more = new ArrayList<>(choices);
            more.add(of("type", "null"));
            wider.put("anyOf", more);
        } else if (schema.get("type") instanceof List<?> types) {
            List<Object> more = new ArrayList<>(types);
            more.add("null");
            wider.put("type", more);
        } else if (schema.get("type") instanceof String type) {
            wider.put("type", List.of(type, "null"));
        } else {
            return of("anyOf", List.of(schema, of("type", "null")));
        }
        return wider;
    }

    /** The allowed form, from the refusal of a text that no value has; empty when the text is taken. */
    static String allowed(Function<String, ?> parse) {
        try {
            Object value = parse.apply("\u0000");
            return value.equals("\u0000") ? "" : value.toString();
        } catch (InvalidValueException e) {
            return e.remedy().replaceFirst("^use (.*) \\(example: (.*)\\)$", "$1, for example $2");
        }
    }
}
