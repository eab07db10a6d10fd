package io.clusterwright.azure.emulator.internal.deployments;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.clusterwright.azure.emulator.internal.arm.Bodies;
import io.clusterwright.core.internal.json.Json;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiPredicate;
import java.util.function.Function;
import java.util.function.IntBinaryOperator;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The functions of the template language that need nothing but their arguments. */
final class Functions {
    private static final Map<String, Function<List<JsonNode>, JsonNode>> ALL =
            new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    private static final Pattern HOLE = Pattern.compile("\\{(\\d+)}|\\{\\{|}}");
    private static final int UNIQUE_LENGTH = 13;
    private static final int BASE = 32;
    private static final int MOST_SHOWN = 1000;
    private static final int LONGEST_RANGE = 10_000;

    static {
        texts();
        collections();
        logic();
        numbers();
    }

    private Functions() {}

    static boolean has(String name) {
        return ALL.containsKey(name);
    }

    static JsonNode call(String name, List<JsonNode> arguments) {
        try {
            return Objects.requireNonNull(ALL.get(name), name).apply(arguments);
        } catch (IndexOutOfBoundsException | ArithmeticException | IllegalArgumentException | ClassCastException e) {
            String shown = arguments.toString();
            throw TemplateException.of("arguments", name, shown.substring(0, Math.min(MOST_SHOWN, shown.length())));
        }
    }

    private static void texts() {
        ALL.put("concat", Functions::concat);
        ALL.put("format", Functions::format);
        text("toLower", value -> value.toLowerCase(Locale.ROOT));
        text("toUpper", value -> value.toUpperCase(Locale.ROOT));
        text("trim", String::trim);
        text("base64", value -> Base64.getEncoder().encodeToString(value.getBytes(StandardCharsets.UTF_8)));
        text("base64ToString", value -> new String(Base64.getDecoder().decode(value), StandardCharsets.UTF_8));
        ALL.put("string", all -> TextNode.valueOf(string(all.get(0))));
        ALL.put("replace", all -> {
            String value = string(all.get(0));
            String part = string(all.get(1));
            String other = string(all.get(2));
            long most = (long) value.length() / Math.max(1, part.length()) + 1;
            Budget.requireText(value.length() + most * Math.max(0, other.length() - part.length()));
            return TextNode.valueOf(value.replace(part, other));
        });
        ALL.put("substring", all -> {
            String value = string(all.get(0));
            int from = all.get(1).asInt();
            return TextNode.valueOf(
                    value.substring(from, all.size() > 2 ? from + all.get(2).asInt() : value.length()));
        });
        ALL.put("padLeft", all -> {
            String value = string(all.get(0));
            String pad = all.size() > 2 ? string(all.get(2)) : " ";
            Budget.requireText((long) pad.length() * all.get(1).asInt());
            return TextNode.valueOf(pad.repeat(Math.max(0, all.get(1).asInt() - value.length())) + value);
        });
        ALL.put(
                "split",
                all -> array(List.of(string(all.get(0)).split(Pattern.quote(string(all.get(1))), -1)).stream()
                        .map(TextNode::valueOf)
                        .toList()));
        ALL.put("join", all -> {
            String between = string(all.get(1));
            Budget.requireText((long) all.get(0).size() * between.length());
            return TextNode.valueOf(
                    elements(all.get(0)).stream().map(Functions::string).collect(Collectors.joining(between)));
        });
        ALL.put("dateTimeAdd", Dates::add);
        test("startsWith", (value, part) -> lower(value).startsWith(lower(part)));
        test("endsWith", (value, part) -> lower(value).endsWith(lower(part)));
        ALL.put("uniqueString", all -> TextNode.valueOf(unique(all)));
        ALL.put("json", all -> {
            try {
                return Json.MAPPER.readTree(string(all.get(0)));
            } catch (JsonProcessingException e) {
                throw TemplateException.of("json", string(all.get(0)));
            }
        });
    }

    private static void collections() {
        ALL.put("createArray", Functions::array);
        ALL.put("array", all -> all.get(0).isArray() ? all.get(0) : array(all));
        ALL.put("createObject", all -> {
            ObjectNode made = Json.object();
            for (int i = 0; i < all.size(); i += 2) {
                made.set(string(all.get(i)), all.get(i + 1));
            }
            return made;
        });
        ALL.put("union", Functions::union);
        ALL.put(
                "length",
                all -> IntNode.valueOf(
                        all.get(0).isTextual()
                                ? all.get(0).textValue().length()
                                : all.get(0).size()));
        ALL.put(
                "empty",
                all -> BooleanNode.valueOf(all.get(0).isNull()
                        || (all.get(0).isTextual()
                                ? string(all.get(0)).isEmpty()
                                : all.get(0).isEmpty())));
        ALL.put(
                "first",
                all -> all.get(0).isTextual()
                        ? TextNode.valueOf(string(all.get(0)).substring(0, 1))
                        : elements(all.get(0)).get(0));
        ALL.put("last", all -> {
            List<JsonNode> elements = elements(all.get(0));
            return elements.get(elements.size() - 1);
        });
        test(
                "contains",
                (container, value) -> container.isObject()
                        ? container.properties().stream()
                                .anyMatch(entry -> entry.getKey().equalsIgnoreCase(string(value)))
                        : container.isArray()
                                ? elements(container).contains(value)
                                : string(container).contains(string(value)));
        ALL.put("range", all -> {
            ArrayNode numbers = Json.array();
            int count = all.get(1).asInt();
            TemplateException.refuse(count > LONGEST_RANGE, "range", count, LONGEST_RANGE);
            for (int i = 0; i < count; i++) {
                numbers.add(all.get(0).asInt() + i);
            }
            return numbers;
        });
        ALL.put(
                "coalesce",
                all -> all.stream().filter(value -> !value.isNull()).findFirst().orElse(NullNode.getInstance()));
    }

    private static void logic() {
        ALL.put("true", all -> BooleanNode.TRUE);
        ALL.put("false", all -> BooleanNode.FALSE);
        ALL.put("null", all -> NullNode.getInstance());
        ALL.put(
                "bool",
                all -> BooleanNode.valueOf(string(all.get(0)).equalsIgnoreCase("true")
                        || string(all.get(0)).equals("1")));
        ALL.put("not", all -> BooleanNode.valueOf(!all.get(0).asBoolean()));
        ALL.put("and", all -> BooleanNode.valueOf(all.stream().allMatch(JsonNode::asBoolean)));
        ALL.put("or", all -> BooleanNode.valueOf(all.stream().anyMatch(JsonNode::asBoolean)));
        test("equals", JsonNode::equals);
        test("less", (one, other) -> compare(one, other) < 0);
        test("lessOrEquals", (one, other) -> compare(one, other) <= 0);
        test("greater", (one, other) -> compare(one, other) > 0);
        test("greaterOrEquals", (one, other) -> compare(one, other) >= 0);
    }

    private static void numbers() {
        ALL.put("int", all -> IntNode.valueOf(Integer.parseInt(string(all.get(0)))));
        number("add", Math::addExact);
        number("sub", Math::subtractExact);
        number("mul", Math::multiplyExact);
        number("div", (one, other) -> one / other);
        number("mod", (one, other) -> one % other);
        number("min", Math::min);
        number("max", Math::max);
    }

    private static void text(String name, UnaryOperator<String> function) {
        ALL.put(name, all -> TextNode.valueOf(function.apply(string(all.get(0)))));
    }

    private static void test(String name, BiPredicate<JsonNode, JsonNode> test) {
        ALL.put(name, all -> BooleanNode.valueOf(test.test(all.get(0), all.get(1))));
    }

    private static void number(String name, IntBinaryOperator operator) {
        ALL.put(
                name,
                all -> IntNode.valueOf(
                        operator.applyAsInt(all.get(0).asInt(), all.get(1).asInt())));
    }

    static String string(JsonNode value) {
        return value.isContainerNode() ? value.toString() : value.asText();
    }

    private static String lower(JsonNode value) {
        return string(value).toLowerCase(Locale.ROOT);
    }

    private static int compare(JsonNode one, JsonNode other) {
        return one.isNumber() && other.isNumber()
                ? Integer.compare(one.asInt(), other.asInt())
                : string(one).compareTo(string(other));
    }

    private static List<JsonNode> elements(JsonNode array) {
        List<JsonNode> elements = new ArrayList<>();
        array.forEach(elements::add);
        return elements;
    }

    private static ArrayNode array(List<? extends JsonNode> elements) {
        ArrayNode array = Json.array();
        elements.forEach(array::add);
        return array;
    }

    private static JsonNode concat(List<JsonNode> all) {
        if (all.get(0).isArray()) {
            ArrayNode joined = Json.array();
            all.forEach(each -> each.forEach(joined::add));
            return joined;
        }
        return TextNode.valueOf(all.stream().map(Functions::string).collect(Collectors.joining()));
    }

    private static JsonNode union(List<JsonNode> all) {
        if (all.get(0).isArray()) {
            Set<JsonNode> different = new LinkedHashSet<>();
            all.forEach(each -> each.forEach(different::add));
            return array(List.copyOf(different));
        }
        ObjectNode joined = Json.object();
        all.forEach(each -> Bodies.merge(joined, (ObjectNode) each.deepCopy()));
        return joined;
    }

    private static JsonNode format(List<JsonNode> all) {
        String pattern = string(all.get(0));
        long longest =
                all.stream().mapToLong(each -> string(each).length()).max().orElse(0);
        Budget.requireText(pattern.length() + HOLE.matcher(pattern).results().count() * longest);
        Matcher holes = HOLE.matcher(pattern);
        String text = holes.replaceAll(hole -> Matcher.quoteReplacement(
                hole.group(1) == null
                        ? hole.group().substring(1)
                        : string(all.get(1 + Integer.parseInt(hole.group(1))))));
        return TextNode.valueOf(text);
    }

    /** 13 letters and digits that depend on the arguments; Azure makes others, by a function that is not published. */
    private static String unique(List<JsonNode> all) {
        try {
            String key = all.stream().map(Functions::string).collect(Collectors.joining("\n"));
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(key.getBytes(StandardCharsets.UTF_8));
            return new BigInteger(1, hash).toString(BASE).substring(0, UNIQUE_LENGTH);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
