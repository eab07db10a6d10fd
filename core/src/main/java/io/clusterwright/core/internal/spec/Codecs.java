package io.clusterwright.core.internal.spec;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The codecs of single values, and of lists and maps of them. */
public final class Codecs {
    private static final Pattern WHOLE = Pattern.compile("-?(0|[1-9]\\d{0,17})");

    private static final List<String> NUMBERS_AND_TRUTHS = List.of("8", "4.1", "2012", "true");
    private static final long LARGEST_WHOLE = 999_999_999_999_999_999L;

    private Codecs() {}

    /** A value with a textual form of its own; a number in its place is taken as it was written. */
    public static <V> Codec<V> parsed(String what, String example, Function<String, V> parse) {
        return new ScalarCodec<>(what, example, "", parse, value -> SourceNode.Scalar.text(value.toString()));
    }

    /**
     * A value with a textual form of its own that one expression tells.
     *
     * @param form what all of the text must match
     */
    public static <V> Codec<V> parsed(String what, String example, Function<String, V> parse, String form) {
        return new ScalarCodec<>(what, example, form, parse, value -> SourceNode.Scalar.text(value.toString()));
    }

    /** A text. */
    public static Codec<String> text(String what, String example) {
        return parsed(what, example, UnaryOperator.identity());
    }

    /** A duration with its unit. */
    public static Codec<Duration> duration(String example) {
        return new ScalarCodec<>(
                "a duration",
                example,
                "(?=.)" + Durations.FORM.pattern(),
                Durations::parse,
                value -> SourceNode.Scalar.text(Durations.print(value)));
    }

    /** One of the names of an enumeration. */
    public static <E extends Enum<E>> Codec<E> oneOf(Class<E> type) {
        return new EnumCodec<>(type);
    }

    /** A whole number of 32 bits. */
    public static Codec<Integer> integer(String example) {
        return new NumberCodec<>("a whole number", example, true, text -> {
            long value = WHOLE.matcher(text).matches() ? Long.parseLong(text) : Long.MAX_VALUE;
            return value == (int) value ? (Integer) (int) value : null;
        });
    }

    /** A whole number of 64 bits. */
    public static Codec<Long> whole(String example) {
        return new NumberCodec<>(
                "a whole number", example, true, text -> WHOLE.matcher(text).matches() ? Long.valueOf(text) : null);
    }

    /** A number with decimals, kept exactly. */
    public static Codec<BigDecimal> decimal(String example) {
        return new NumberCodec<>(
                "a number", example, false, text -> PlainValues.isNumber(text) ? new BigDecimal(text) : null);
    }

    /** A number with decimals. */
    public static Codec<Double> real(String example) {
        return new NumberCodec<>(
                "a number", example, false, text -> PlainValues.isNumber(text) ? Double.valueOf(text) : null);
    }

    /** True or false. */
    public static Codec<Boolean> bool() {
        return new BooleanCodec();
    }

    /** Values one after another. */
    public static <V> Codec<List<V>> listOf(Codec<V> item) {
        return new ListCodec<>(item);
    }

    /** Values by names that the user chooses. */
    public static <V> Codec<Map<String, V>> mapOf(String what, Codec<V> value) {
        return new MapCodec<>(what, value);
    }

    /** Values without a type of ours. */
    public static Codec<Object> plain() {
        return new PlainCodec();
    }

    private record ScalarCodec<V>(
            String what, String example, String form, Function<String, V> parse, Function<V, SourceNode> print)
            implements Codec<V> {
        @Override
        public @Nullable V read(SourceNode node, String path, Reading reading) {
            if (node instanceof SourceNode.Scalar scalar && scalar.kind() != SourceNode.Kind.NULL) {
                return reading.attempt(node, path, () -> parse.apply(scalar.text()));
            }
            reading.reportKind(node, path, what, "give " + expected());
            return null;
        }

        @Override
        public SourceNode write(V value, boolean full) {
            return print.apply(value);
        }

        @Override
        public String expected() {
            return what + ", for example " + example;
        }

        @Override
        public Map<String, Object> schema(boolean partial) {
            String allowed = Schemas.allowed(parse);
            Map<String, Object> schema = Schemas.of(
                    "description",
                    allowed.isEmpty() ? expected() : what + ": " + allowed,
                    "type",
                    isWord() ? "string" : List.of("string", "number", "boolean"));
            if (!form.isEmpty()) {
                schema.put("pattern", Schemas.pattern(form));
            }
            if (!example.contains("…")) {
                schema.put("examples", List.of(Schemas.example(example, false)));
            }
            return schema;
        }

        /** Whether no number and no truth value has the form. */
        private boolean isWord() {
            return !form.isEmpty() && NUMBERS_AND_TRUTHS.stream().noneMatch(text -> text.matches(form));
        }
    }

    private record NumberCodec<V extends Number>(
            String what, String example, boolean whole, Function<String, @Nullable V> parse) implements Codec<V> {
        @Override
        public @Nullable V read(SourceNode node, String path, Reading reading) {
            V value = node instanceof SourceNode.Scalar scalar && scalar.kind() == SourceNode.Kind.NUMBER
                    ? parse.apply(scalar.text())
                    : null;
            if (value == null) {
                reading.reportKind(node, path, what, "give " + expected() + ", as plain digits without quotes");
            }
            return value;
        }

        @Override
        public SourceNode write(V value, boolean full) {
            BigDecimal exact = new BigDecimal(value.toString());
            boolean fraction = exact.stripTrailingZeros().scale() > 0;
            return SourceNode.Scalar.number(
                    fraction
                            ? exact.stripTrailingZeros().toPlainString()
                            : exact.toBigInteger().toString());
        }

        @Override
        public String expected() {
            return what + ", for example " + example;
        }

        @Override
        public Map<String, Object> schema(boolean partial) {
            return Schemas.of(
                    "description",
                    expected(),
                    "type",
                    whole ? "integer" : "number",
                    "examples",
                    List.of(Schemas.example(example, true)));
        }

        @Override
        public Map<String, Object> schema(boolean partial, Predicate<V> accepts) {
            Map<String, Object> schema = schema(partial);
            Predicate<String> takes = text -> {
                V value = parse.apply(text);
                return value != null && accepts.test(value);
            };
            if (whole) {
                Schemas.wholeRange(
                        schema,
                        value -> takes.test(Long.toString(value)),
                        Long.parseLong(example),
                        -LARGEST_WHOLE,
                        LARGEST_WHOLE);
            } else {
                Schemas.decimalRange(schema, value -> takes.test(value.toPlainString()), new BigDecimal(example));
            }
            return schema;
        }
    }

    private record BooleanCodec() implements Codec<Boolean> {
        @Override
        public @Nullable Boolean read(SourceNode node, String path, Reading reading) {
            if (node instanceof SourceNode.Scalar scalar && scalar.kind() == SourceNode.Kind.BOOLEAN) {
                return Boolean.valueOf(scalar.text());
            }
            reading.reportKind(node, path, expected(), "write true or false, without quotes and not as yes or no");
            return null;
        }

        @Override
        public SourceNode write(Boolean value, boolean full) {
            return SourceNode.Scalar.bool(value);
        }

        @Override
        public String expected() {
            return "true or false";
        }

        @Override
        public Map<String, Object> schema(boolean partial) {
            return Schemas.of("type", "boolean");
        }
    }

    private record EnumCodec<E extends Enum<E>>(Class<E> type) implements Codec<E> {
        @Override
        public @Nullable E read(SourceNode node, String path, Reading reading) {
            if (!(node instanceof SourceNode.Scalar scalar)) {
                reading.reportKind(node, path, expected(), "give " + expected());
                return null;
            }
            for (E value : type.getEnumConstants()) {
                if (value.toString().equals(scalar.text())) {
                    return value;
                }
            }
            String remedy = Messages.nearest(scalar.text(), names())
                    .map(near -> "did you mean " + near + "? Allowed: " + String.join(", ", names()))
                    .orElse("give " + expected());
            reading.reportKind(node, path, expected(), remedy);
            return null;
        }

        @Override
        public SourceNode write(E value, boolean full) {
            return SourceNode.Scalar.text(value.toString());
        }

        @Override
        public String expected() {
            return "one of " + String.join(", ", names());
        }

        @Override
        public Map<String, Object> schema(boolean partial) {
            List<Object> values = new ArrayList<>(names());
            names().stream().filter(PlainValues::isNumber).map(BigDecimal::new).forEach(values::add);
            return Schemas.of("description", expected(), "enum", values);
        }

        private List<String> names() {
            return Arrays.stream(type.getEnumConstants()).map(Enum::toString).collect(Collectors.toList());
        }
    }

    private record ListCodec<V>(Codec<V> item) implements Codec<List<V>> {
        @Override
        public @Nullable List<V> read(SourceNode node, String path, Reading reading) {
            if (!(node instanceof SourceNode.Sequence sequence)) {
                reading.reportKind(node, path, "a list", "write a list in brackets: [" + item.expected() + "]");
                return null;
            }
            int before = reading.count();
            List<V> values = new ArrayList<>();
            for (int i = 0; i < sequence.items().size() && !reading.isFull(); i++) {
                V value = item.read(sequence.items().get(i), path + "[" + i + "]", reading);
                if (value != null) {
                    values.add(value);
                }
            }
            return reading.count() > before ? null : values;
        }

        @Override
        public SourceNode write(List<V> value, boolean full) {
            return new SourceNode.Sequence(
                    value.stream().map(one -> item.write(one, full)).toList(), Location.NONE);
        }

        @Override
        public String expected() {
            return "a list of " + item.expected();
        }

        @Override
        public Map<String, Object> schema(boolean partial) {
            return Schemas.of("type", "array", "items", item.schema(false));
        }
    }

    private record MapCodec<V>(String what, Codec<V> value) implements Codec<Map<String, V>> {
        @Override
        public @Nullable Map<String, V> read(SourceNode node, String path, Reading reading) {
            if (!(node instanceof SourceNode.Mapping mapping)) {
                reading.reportKind(node, path, what, "give " + expected());
                return null;
            }
            int before = reading.count();
            Map<String, V> values = new LinkedHashMap<>();
            mapping.entries().forEach((name, entry) -> {
                V read = value.read(entry.value(), path + "." + Messages.shorten(name), reading);
                if (read != null) {
                    values.put(name, read);
                }
            });
            return reading.count() > before ? null : values;
        }

        @Override
        public SourceNode write(Map<String, V> map, boolean full) {
            Map<String, SourceNode.Entry> entries = new LinkedHashMap<>();
            map.forEach((name, one) -> entries.put(name, SourceNode.Entry.of(value.write(one, full))));
            return new SourceNode.Mapping(entries, Location.NONE);
        }

        @Override
        public String expected() {
            return what + ", each name with " + value.expected();
        }

        @Override
        public Map<String, Object> schema(boolean partial) {
            return Schemas.of(
                    "description", expected(), "type", "object", "additionalProperties", value.schema(partial));
        }
    }

    private record PlainCodec() implements Codec<Object> {
        @Override
        public @Nullable Object read(SourceNode node, String path, Reading reading) {
            return reading.attempt(node, path, () -> PlainValues.toValue(node));
        }

        @Override
        public SourceNode write(Object value, boolean full) {
            return PlainValues.toNode(value);
        }

        @Override
        public String expected() {
            return "a value, for example 8";
        }

        @Override
        public Map<String, Object> schema(boolean partial) {
            return Schemas.of("type", List.of("string", "number", "boolean", "array", "object"));
        }
    }
}
