package io.clusterwright.core.internal.spec;

import io.clusterwright.core.internal.spec.YamlTree.Kind;
import io.clusterwright.core.internal.text.NearestName;
import io.clusterwright.core.type.InvalidValueException;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;

/** The codecs of single values, and of lists and maps of them. */
public final class Codecs {
    private static final Pattern WHOLE = Pattern.compile("-?(0|[1-9]\\d{0,17})");
    private static final List<String> NUMBERS_AND_TRUTHS = List.of("8", "4.1", "2012", "true");

    private Codecs() {}

    /** A value with a textual form; a number in its place is taken as it was written. */
    public static <V> Codec<V> parsed(String what, String example, Function<String, V> parse) {
        return new ScalarCodec<>(what, example, "", parse, UnaryOperator.identity(), Object::toString);
    }

    /** A text that one expression describes; its check also applies to values that are set by a program. */
    public static Codec<String> form(String what, String example, UnaryOperator<String> check, String form) {
        return new ScalarCodec<>(what, example, form, check::apply, check, UnaryOperator.identity());
    }

    /** A text that is checked where it is set. */
    public static Codec<String> text(String what, String example, UnaryOperator<String> check) {
        return new ScalarCodec<>(what, example, "", UnaryOperator.identity(), check, UnaryOperator.identity());
    }

    /** A duration with its unit. */
    public static Codec<Duration> duration(String example, UnaryOperator<Duration> check) {
        String form = "(?=.)" + Durations.FORM.pattern();
        return new ScalarCodec<>("a duration", example, form, Durations::parse, check, Durations::print);
    }

    /** One of the names of an enumeration. */
    public static <E extends Enum<E>> Codec<E> oneOf(Class<E> type) {
        return new EnumCodec<>(type);
    }

    /** A whole number of 32 bits within bounds. */
    public static Codec<Integer> integer(String what, int least, int most, int example) {
        return new NumberCodec<>("a whole number", example + "", true, least, most, Codecs::integer, value -> {
            if (value < least || value > most) {
                throw new InvalidValueException(what, value, least + " to " + most, example);
            }
            return value;
        });
    }

    /** A whole number of 64 bits that is not negative. */
    public static Codec<Long> notNegative(String example, UnaryOperator<Long> check) {
        return new NumberCodec<>(
                "a whole number",
                example,
                true,
                0L,
                null,
                text -> WHOLE.matcher(text).matches() ? Long.valueOf(text) : null,
                check);
    }

    /** A number with decimals, kept exactly. */
    public static Codec<BigDecimal> decimal(
            String example, BigDecimal least, BigDecimal most, UnaryOperator<BigDecimal> check) {
        return new NumberCodec<>(
                "a number",
                example,
                false,
                least,
                most,
                text -> PlainValues.isNumber(text) ? new BigDecimal(text) : null,
                check);
    }

    /** A number with decimals. */
    public static Codec<Double> real(String example, BigDecimal least, BigDecimal most, UnaryOperator<Double> check) {
        return new NumberCodec<>(
                "a number",
                example,
                false,
                least,
                most,
                text -> PlainValues.isNumber(text) ? Double.valueOf(text) : null,
                check);
    }

    /** True or false. */
    public static Codec<Boolean> bool() {
        return new BooleanCodec();
    }

    /** A list of values. */
    public static <V> Codec<List<V>> listOf(Codec<V> item) {
        return new ListCodec<>(item);
    }

    /**
     * Values by names that the user chooses.
     *
     * @param name refuses a name
     * @param check refuses the value of a name
     */
    public static <V> Codec<Map<String, V>> mapOf(
            String what, Codec<V> value, Consumer<String> name, BiConsumer<String, V> check) {
        return new MapCodec<>(what, value, name, check);
    }

    /** Plain values by names, such as the settings of an extension. */
    public static Codec<Map<String, Object>> plainValues(String what) {
        return new MapCodec<>(what, new PlainCodec(), name -> {}, (name, value) -> {});
    }

    private static @Nullable Integer integer(String text) {
        long value = WHOLE.matcher(text).matches() ? Long.parseLong(text) : Long.MAX_VALUE;
        return value == (int) value ? (Integer) (int) value : null;
    }

    private record ScalarCodec<V>(
            String what,
            String example,
            String form,
            Function<String, V> parser,
            UnaryOperator<V> check,
            Function<V, String> print)
            implements Codec<V> {
        @Override
        public @Nullable V read(Node node, String path, Reading reading) {
            if (node instanceof ScalarNode scalar && YamlTree.kind(node) != Kind.NULL) {
                return reading.attempt(node, path, () -> parser.apply(scalar.getValue()));
            }
            reading.reportKind(node, path, what, "give " + expected());
            return null;
        }

        @Override
        public V accept(V value) {
            return check.apply(value);
        }

        @Override
        public V parse(String text) {
            return parser.apply(text);
        }

        @Override
        public Object write(V value) {
            return print.apply(value);
        }

        @Override
        public String expected() {
            return what + ", for example " + example;
        }

        @Override
        public Map<String, Object> schema(boolean partial) {
            String allowed = Schemas.allowed(parser);
            Map<String, Object> schema = Schemas.of(
                    "description",
                    allowed.isEmpty() ? expected() : what + ": " + allowed,
                    "type",
                    isWord() ? "string" : List.of("string", "number", "boolean"));
            if (!form.isEmpty()) {
                schema.put("pattern", Schemas.pattern(form));
            }
            if (!example.contains("…")) {
                schema.put("examples", List.of(example.replaceAll("^\"(.*)\"$", "$1")));
            }
            return schema;
        }

        /** Whether the form excludes numbers and truth values. */
        private boolean isWord() {
            return !form.isEmpty() && NUMBERS_AND_TRUTHS.stream().noneMatch(text -> text.matches(form));
        }
    }

    private record NumberCodec<V extends Number>(
            String what,
            String example,
            boolean whole,
            @Nullable Number least,
            @Nullable Number most,
            Function<String, @Nullable V> parser,
            UnaryOperator<V> check)
            implements Codec<V> {
        @Override
        public @Nullable V read(Node node, String path, Reading reading) {
            V value = node instanceof ScalarNode scalar && YamlTree.kind(node) == Kind.NUMBER
                    ? parser.apply(scalar.getValue())
                    : null;
            if (value == null) {
                reading.reportKind(node, path, what, "give " + expected() + ", as plain digits without quotes");
            }
            return value;
        }

        @Override
        public V accept(V value) {
            return check.apply(value);
        }

        @Override
        public Object write(V value) {
            BigDecimal exact = new BigDecimal(value.toString());
            boolean fraction = exact.stripTrailingZeros().scale() > 0;
            return fraction
                    ? new BigDecimal(exact.stripTrailingZeros().toPlainString())
                    : (Object) exact.toBigInteger();
        }

        @Override
        public String expected() {
            return what + ", for example " + example;
        }

        @Override
        public Map<String, Object> schema(boolean partial) {
            Map<String, Object> schema = Schemas.of(
                    "description",
                    expected(),
                    "type",
                    whole ? "integer" : "number",
                    "examples",
                    List.of(new BigDecimal(example)));
            if (least != null) {
                schema.put("minimum", least);
            }
            if (most != null) {
                schema.put("maximum", most);
            }
            return schema;
        }
    }

    private record BooleanCodec() implements Codec<Boolean> {
        @Override
        public @Nullable Boolean read(Node node, String path, Reading reading) {
            if (node instanceof ScalarNode scalar && YamlTree.kind(node) == Kind.BOOLEAN) {
                return Boolean.valueOf(scalar.getValue());
            }
            reading.reportKind(node, path, expected(), "write true or false, without quotes and not as yes or no");
            return null;
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
        public @Nullable E read(Node node, String path, Reading reading) {
            if (!(node instanceof ScalarNode scalar)) {
                reading.reportKind(node, path, expected(), "give " + expected());
                return null;
            }
            for (E value : type.getEnumConstants()) {
                if (value.toString().equals(scalar.getValue())) {
                    return value;
                }
            }
            String remedy = NearestName.of(scalar.getValue(), names())
                    .map(near -> "did you mean " + near + "? Allowed: " + String.join(", ", names()))
                    .orElse("give " + expected());
            reading.reportKind(node, path, expected(), remedy);
            return null;
        }

        @Override
        public Object write(E value) {
            return value.toString();
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
            return Arrays.stream(type.getEnumConstants()).map(Enum::toString).toList();
        }
    }

    private record ListCodec<V>(Codec<V> item) implements Codec<List<V>> {
        @Override
        public @Nullable List<V> read(Node node, String path, Reading reading) {
            if (!(node instanceof SequenceNode sequence)) {
                reading.reportKind(node, path, "a list", "write a list in brackets: [" + item.expected() + "]");
                return null;
            }
            int before = reading.count();
            List<V> values = new ArrayList<>();
            for (int i = 0; i < sequence.getValue().size() && !reading.isFull(); i++) {
                Node part = sequence.getValue().get(i);
                String name = path + "[" + i + "]";
                V value = item.read(part, name, reading);
                V accepted = value == null ? null : reading.attempt(part, name, () -> item.accept(value));
                if (accepted != null) {
                    values.add(accepted);
                }
            }
            return reading.count() > before ? null : values;
        }

        @Override
        public List<V> accept(List<V> values) {
            return values.stream()
                    .map(value -> item.accept(Objects.requireNonNull(value, "item")))
                    .toList();
        }

        @Override
        public Object write(List<V> value) {
            return value.stream().map(one -> item.write(one)).toList();
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

    private record MapCodec<V>(String what, Codec<V> value, Consumer<String> name, BiConsumer<String, V> check)
            implements Codec<Map<String, V>> {
        @Override
        public @Nullable Map<String, V> read(Node node, String path, Reading reading) {
            if (!(node instanceof MappingNode mapping)) {
                reading.reportKind(node, path, what, "give " + expected());
                return null;
            }
            int before = reading.count();
            Map<String, V> values = new LinkedHashMap<>();
            YamlTree.entries(mapping).forEach((key, entry) -> {
                String inner = path + "." + YamlTree.shorten(key);
                reading.attempt(entry.getKeyNode(), inner, () -> accepted(key));
                V read = value.read(entry.getValueNode(), inner, reading);
                V accepted =
                        read == null ? null : reading.attempt(entry.getValueNode(), inner, () -> accepted(key, read));
                if (accepted != null) {
                    values.put(key, accepted);
                }
            });
            return reading.count() > before ? null : values;
        }

        @Override
        public Map<String, V> accept(Map<String, V> values) {
            Map<String, V> copy = new LinkedHashMap<>();
            values.forEach((key, one) -> copy.put(
                    accepted(Objects.requireNonNull(key, "name")),
                    accepted(key, Objects.requireNonNull(one, "value"))));
            return Collections.unmodifiableMap(copy);
        }

        private String accepted(String key) {
            name.accept(key);
            return key;
        }

        private V accepted(String key, V one) {
            check.accept(key, one);
            return value.accept(one);
        }

        @Override
        public Object write(Map<String, V> map) {
            Map<String, Object> entries = new LinkedHashMap<>();
            map.forEach((key, one) -> entries.put(key, value.write(one)));
            return entries;
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
        public @Nullable Object read(Node node, String path, Reading reading) {
            return reading.attempt(node, path, () -> PlainValues.strict(node));
        }

        @Override
        public Object accept(Object value) {
            return PlainValues.copy(value);
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
