package io.clusterwright.core.internal.spec;

import io.clusterwright.core.type.InvalidValueException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Values without a type of ours: texts, numbers, truth values, lists and maps of these. */
public final class PlainValues {
    private static final Pattern NUMBER = Pattern.compile("-?(0|[1-9]\\d{0,17})(\\.\\d{1,25})?");
    private static final int DEEPEST = 40;

    private PlainValues() {}

    /** Whether the text is a number that every reader of JSON and YAML takes for the same number. */
    static boolean isNumber(String text) {
        return NUMBER.matcher(text).matches();
    }

    /**
     * An unmodifiable copy, in which a whole number is a {@link Long} and any other a {@link BigDecimal}.
     *
     * @throws InvalidValueException when it holds something else
     */
    public static Object copy(Object value) {
        return toValue(toNode(value, 0));
    }

    /**
     * The values as a tree.
     *
     * @throws InvalidValueException when they hold something else
     */
    public static SourceNode.Mapping mapping(Map<String, ?> values) {
        return (SourceNode.Mapping) toNode(values, 0);
    }

    /** The value as a tree. */
    public static SourceNode toNode(Object value) {
        return toNode(value, 0);
    }

    /**
     * A tree as plain values; nothing is not one of them.
     *
     * @throws InvalidValueException when the tree holds nothing, or a number that readers do not agree on
     */
    public static Object toValue(SourceNode node) {
        if (node instanceof SourceNode.Mapping mapping) {
            Map<String, Object> values = new LinkedHashMap<>();
            mapping.entries().forEach((name, entry) -> values.put(name, toValue(entry.value())));
            return Collections.unmodifiableMap(values);
        }
        if (node instanceof SourceNode.Sequence sequence) {
            return sequence.items().stream().map(PlainValues::toValue).toList();
        }
        SourceNode.Scalar scalar = (SourceNode.Scalar) node;
        return switch (scalar.kind()) {
            case TEXT -> scalar.text();
            case BOOLEAN -> Boolean.valueOf(scalar.text());
            case NUMBER -> number(scalar.text());
            case NULL -> throw refused("nothing");
        };
    }

    /** The same tree, in which a number that readers do not agree on is a text. */
    public static SourceNode.Mapping canonical(SourceNode.Mapping tree) {
        return (SourceNode.Mapping) canonical((SourceNode) tree);
    }

    private static SourceNode canonical(SourceNode node) {
        if (node instanceof SourceNode.Mapping mapping) {
            Map<String, SourceNode.Entry> entries = new LinkedHashMap<>();
            mapping.entries()
                    .forEach((name, entry) ->
                            entries.put(name, new SourceNode.Entry(entry.key(), canonical(entry.value()))));
            return new SourceNode.Mapping(entries, mapping.at());
        }
        if (node instanceof SourceNode.Sequence sequence) {
            List<SourceNode> items = new ArrayList<>();
            sequence.items().forEach(item -> items.add(canonical(item)));
            return new SourceNode.Sequence(items, sequence.at());
        }
        SourceNode.Scalar scalar = (SourceNode.Scalar) node;
        if (scalar.kind() == SourceNode.Kind.BOOLEAN) {
            String text = scalar.text().toLowerCase(Locale.ROOT);
            return new SourceNode.Scalar(SourceNode.Kind.BOOLEAN, text, scalar.at());
        }
        return scalar.kind() == SourceNode.Kind.NUMBER && !isNumber(scalar.text())
                ? new SourceNode.Scalar(SourceNode.Kind.TEXT, scalar.text(), scalar.at())
                : scalar;
    }

    private static Object number(String text) {
        if (!isNumber(text)) {
            throw refused(text);
        }
        return text.indexOf('.') < 0 ? (Object) Long.valueOf(text) : new BigDecimal(text);
    }

    private static SourceNode toNode(@Nullable Object value, int depth) {
        if (depth > DEEPEST) {
            throw refused("a value of more than " + DEEPEST + " levels");
        }
        if (value == null) {
            return new SourceNode.Scalar(SourceNode.Kind.NULL, "null", Location.NONE);
        }
        if (value instanceof Map<?, ?> map) {
            Map<String, SourceNode.Entry> entries = new LinkedHashMap<>();
            map.forEach(
                    (name, item) -> entries.put(String.valueOf(name), SourceNode.Entry.of(toNode(item, depth + 1))));
            return new SourceNode.Mapping(entries, Location.NONE);
        }
        if (value instanceof Collection<?> list) {
            List<SourceNode> items = new ArrayList<>();
            list.forEach(item -> items.add(toNode(item, depth + 1)));
            return new SourceNode.Sequence(items, Location.NONE);
        }
        if (value instanceof Boolean bool) {
            return SourceNode.Scalar.bool(bool);
        }
        if (value instanceof Number number && isNumber(text(number))) {
            return SourceNode.Scalar.number(text(number));
        }
        if (value instanceof CharSequence || value instanceof Enum<?>) {
            return SourceNode.Scalar.text(value.toString());
        }
        throw refused(value.toString());
    }

    private static String text(Number number) {
        boolean plain = number instanceof BigDecimal decimal && Math.abs(decimal.scale()) <= 25;
        return plain ? ((BigDecimal) number).toPlainString() : number.toString();
    }

    private static InvalidValueException refused(String given) {
        return new InvalidValueException(
                "setting", given, "a text, a plain number, true or false, or lists and maps of these", "8");
    }
}
