package io.clusterwright.core.internal.spec;

import io.clusterwright.core.type.InvalidValueException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.LongPredicate;
import java.util.function.LongSupplier;
import java.util.function.Predicate;

/** Pieces of JSON Schema (2020-12) that codecs share. A schema is a map with the keywords in the order to write them. */
public final class Schemas {
    /** Where the schema of a part of the whole description stands. */
    public static final String OVERLAY = "#/$defs/overlay";

    private static final BigDecimal UNIT = new BigDecimal("0.0001");

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
    static Map<String, Object> orNothing(Map<String, Object> schema) {
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

    /** An example as a value: as a number where it is one, and without the quotes that YAML needs. */
    static Object example(String text, boolean number) {
        return number ? new BigDecimal(text) : text.replaceAll("^\"(.*)\"$", "$1");
    }

    /** What is allowed, as the refusal of a text that no value has says it; empty when there is no refusal. */
    static String allowed(Function<String, ?> parse) {
        try {
            Object value = parse.apply("\u0000");
            return value.equals("\u0000") ? "" : value.toString();
        } catch (InvalidValueException e) {
            return e.remedy().replaceFirst("^use ", "");
        }
    }

    /** Adds the least and the most whole number that the field takes, found by asking it. */
    static void wholeRange(Map<String, Object> schema, LongPredicate accepts, long example, long least, long most) {
        if (accepts.test(example)) {
            add(schema, "minimum", accepts.test(least), () -> bound(accepts, example, least));
            add(schema, "maximum", accepts.test(most), () -> bound(accepts, example, most));
        }
    }

    /** Adds the least and the most number, in steps of 0.0001, that the field takes, found by asking it. */
    static void decimalRange(Map<String, Object> schema, Predicate<BigDecimal> accepts, BigDecimal example) {
        Map<String, Object> steps = new LinkedHashMap<>();
        long most = 1_000_000_000_000_000L;
        wholeRange(
                steps, step -> accepts.test(scaled(step)), example.divide(UNIT).longValueExact(), -most, most);
        steps.forEach((name, step) -> schema.put(name, scaled((Long) step)));
    }

    private static BigDecimal scaled(long step) {
        BigDecimal plain = BigDecimal.valueOf(step).multiply(UNIT).stripTrailingZeros();
        return plain.scale() < 0 ? plain.setScale(0) : plain;
    }

    private static void add(Map<String, Object> schema, String name, boolean open, LongSupplier bound) {
        if (!open) {
            schema.put(name, bound.getAsLong());
        }
    }

    private static long bound(LongPredicate accepts, long inside, long outside) {
        long in = inside;
        long out = outside;
        while (Math.abs(out - in) > 1) {
            long middle = in + (out - in) / 2;
            if (accepts.test(middle)) {
                in = middle;
            } else {
                out = middle;
            }
        }
        return in;
    }
}
