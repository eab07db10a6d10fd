package io.clusterwright.core.internal.spec;

import io.clusterwright.core.type.InvalidValueException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.DumperOptions.FlowStyle;
import org.yaml.snakeyaml.DumperOptions.ScalarStyle;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;
import org.yaml.snakeyaml.nodes.Tag;

/** Texts, numbers, truth values, and lists and maps of these, as unmodifiable Java values. */
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
     * @throws InvalidValueException when the value holds null or anything else
     */
    public static Object copy(Object value) {
        Object copy = copy(value, false, 0);
        if (copy == null) {
            throw refused("nothing");
        }
        return copy;
    }

    /**
     * An unmodifiable copy that may hold null.
     *
     * @throws InvalidValueException when the values hold anything else
     */
    @SuppressWarnings("unchecked")
    public static Map<String, @Nullable Object> copyOf(Map<String, ?> values) {
        return (Map<String, @Nullable Object>) Objects.requireNonNull(copy(values, true, 0));
    }

    /** The values of a tree, in which a number that readers do not agree on is a text. */
    @SuppressWarnings("unchecked")
    public static Map<String, @Nullable Object> lenient(MappingNode tree) {
        return (Map<String, @Nullable Object>) Objects.requireNonNull(value(tree, true));
    }

    /**
     * The values of a tree.
     *
     * @throws InvalidValueException when the tree holds nothing, or a number that readers do not agree on
     */
    static Object strict(Node node) {
        return Objects.requireNonNull(value(node, false));
    }

    /** Whether the values have a value, or nothing, at a path such as {@code nodes.count}. */
    public static boolean has(Map<?, ?> values, String path) {
        Object at = values;
        Matcher step = YamlTree.STEP.matcher(path);
        while (step.find()) {
            if (step.group(1) != null && at instanceof Map<?, ?> map && map.containsKey(step.group(1))) {
                at = map.get(step.group(1));
            } else if (step.group(2) != null
                    && at instanceof List<?> list
                    && Integer.parseInt(step.group(2)) < list.size()) {
                at = list.get(Integer.parseInt(step.group(2)));
            } else {
                return false;
            }
        }
        return true;
    }

    /** The values as a tree without places. */
    public static Node tree(@Nullable Object value) {
        if (value instanceof Map<?, ?> map) {
            List<NodeTuple> entries = new ArrayList<>();
            map.forEach((name, item) -> entries.add(new NodeTuple(tree(String.valueOf(name)), tree(item))));
            return new MappingNode(Tag.MAP, entries, FlowStyle.BLOCK);
        }
        if (value instanceof Collection<?> list) {
            return new SequenceNode(
                    Tag.SEQ, list.stream().map(PlainValues::tree).toList(), FlowStyle.BLOCK);
        }
        if (value instanceof BigDecimal decimal) {
            return scalar(Tag.FLOAT, decimal.toPlainString());
        }
        if (value instanceof Number number) {
            return scalar(Tag.INT, number.toString());
        }
        if (value instanceof Boolean bool) {
            return scalar(Tag.BOOL, bool.toString());
        }
        return value == null ? scalar(Tag.NULL, "null") : scalar(Tag.STR, value.toString());
    }

    private static ScalarNode scalar(Tag tag, String text) {
        return new ScalarNode(tag, text, null, null, ScalarStyle.PLAIN);
    }

    private static @Nullable Object value(Node node, boolean lenient) {
        if (node instanceof MappingNode mapping) {
            Map<String, @Nullable Object> values = new LinkedHashMap<>();
            YamlTree.entries(mapping).forEach((name, entry) -> values.put(name, value(entry.getValueNode(), lenient)));
            return Collections.unmodifiableMap(values);
        }
        if (node instanceof SequenceNode sequence) {
            List<@Nullable Object> items = new ArrayList<>();
            sequence.getValue().forEach(item -> items.add(value(item, lenient)));
            return Collections.unmodifiableList(items);
        }
        String text = ((ScalarNode) node).getValue();
        return switch (YamlTree.kind(node)) {
            case TEXT -> text;
            case BOOLEAN -> Boolean.valueOf(text);
            case NUMBER -> isNumber(text) ? number(text) : orRefused(lenient, text, text);
            case NULL -> orRefused(lenient, null, "nothing");
        };
    }

    private static @Nullable Object orRefused(boolean lenient, @Nullable Object value, String given) {
        if (!lenient) {
            throw refused(given);
        }
        return value;
    }

    private static Object number(String text) {
        return text.indexOf('.') < 0 ? (Object) Long.valueOf(text) : new BigDecimal(text);
    }

    private static @Nullable Object copy(@Nullable Object value, boolean nulls, int depth) {
        if (depth > DEEPEST) {
            throw refused("a value of more than " + DEEPEST + " levels");
        }
        if (value == null && !nulls) {
            throw refused("nothing");
        }
        if (value instanceof Map<?, ?> map) {
            Map<String, @Nullable Object> copy = new LinkedHashMap<>();
            map.forEach((name, item) -> copy.put(String.valueOf(name), copy(item, nulls, depth + 1)));
            return Collections.unmodifiableMap(copy);
        }
        if (value instanceof Collection<?> list) {
            List<@Nullable Object> copy = new ArrayList<>();
            list.forEach(item -> copy.add(copy(item, nulls, depth + 1)));
            return Collections.unmodifiableList(copy);
        }
        if (value instanceof Number number && isNumber(text(number))) {
            return number(text(number));
        }
        if (value == null || value instanceof Boolean) {
            return value;
        }
        if (value instanceof CharSequence || value instanceof Enum<?>) {
            return value.toString();
        }
        throw refused(value.toString());
    }

    private static String text(Number number) {
        boolean plain = number instanceof BigDecimal decimal && Math.abs(decimal.scale()) <= 25;
        return plain ? ((BigDecimal) number).toPlainString() : number.toString();
    }

    private static InvalidValueException refused(String given) {
        return new InvalidValueException(
                "setting", given, "text, a number, true or false, or a list or map of these", "8");
    }
}
