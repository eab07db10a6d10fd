package io.clusterwright.azure.emulator.internal.expression;

import io.clusterwright.azure.emulator.internal.expression.ParsedExpression.Invocation;
import io.clusterwright.azure.emulator.internal.expression.ParsedExpression.Name;
import io.clusterwright.azure.emulator.internal.expression.ParsedExpression.Numeral;
import io.clusterwright.azure.emulator.internal.expression.ParsedExpression.Text;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiPredicate;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The {@code $filter} of a list.
 *
 * @param operators the operators and functions that filters of the list may have
 * @param quoted whether all literals stand in quotes, and operators have no case, as in Resource Manager
 * @param properties finds a property by its name
 * @param searched the names of the properties that functions take
 * @param order compares the value of a property with a literal
 * @param refusal the refusal of a filter, for a reason
 * @param <T> the items of the list
 */
public record ODataFilter<T>(
        Set<String> operators,
        boolean quoted,
        Function<String, Optional<Property<T>>> properties,
        Predicate<String> searched,
        Order order,
        Function<String, RuntimeException> refusal) {
    private static final Pattern TOKEN = Pattern.compile("([A-Za-z0-9_:.+/-]+)|[(),]");

    /** A property of an item. */
    @FunctionalInterface
    public interface Property<T> {
        /** Its value; null where the item has none. */
        @Nullable
        String of(T item);
    }

    /** Compares the value of a property with a literal. */
    @FunctionalInterface
    public interface Order {
        int compare(String property, String value, String literal);
    }

    /** Reads a filter. */
    public Predicate<T> read(String text) {
        Map<String, Integer> not = new TreeMap<>(quoted ? String.CASE_INSENSITIVE_ORDER : null);
        not.put("not", 2);
        return predicate(new ParsedExpression.Parser(
                        new ParsedExpression.Parser.Language(
                                TOKEN,
                                List.of(words("or"), words("and"), words("eq", "ne", "gt", "ge", "lt", "le")),
                                not,
                                true,
                                refusal),
                        text)
                .whole());
    }

    private Set<String> words(String... words) {
        Set<String> set = new TreeSet<>(quoted ? String.CASE_INSENSITIVE_ORDER : null);
        set.addAll(List.of(words));
        return set;
    }

    private Predicate<T> predicate(ParsedExpression expression) {
        if (!(expression instanceof Invocation call)
                || !words(operators.toArray(String[]::new)).contains(call.function())) {
            throw refusal.apply("it is built of " + String.join(", ", new TreeSet<>(operators)));
        }
        String operator = lower(call.function());
        List<ParsedExpression> all = call.arguments();
        return switch (operator) {
            case "and" -> predicate(all.get(0)).and(predicate(all.get(1)));
            case "or" -> predicate(all.get(0)).or(predicate(all.get(1)));
            case "not" -> predicate(all.get(0)).negate();
            case "startswith" -> function(all, 0, String::startsWith);
            case "substringof" -> function(all, 1, (value, part) -> lower(value).contains(lower(part)));
            default ->
                operator.equals("eq") && all.get(1).equals(new Name("true")) && all.get(0) instanceof Invocation
                        ? predicate(all.get(0))
                        : comparison(operator, all);
        };
    }

    /** A function of a property, which stands at this place, and a literal. */
    private Predicate<T> function(List<ParsedExpression> all, int place, BiPredicate<String, String> test) {
        if (all.size() != 2 || !searched.test(name(all.get(place)))) {
            throw refusal.apply("a function takes the name of a property and a literal");
        }
        Property<T> property = property(name(all.get(place)));
        String literal = literal(all.get(1 - place));
        return item -> {
            String value = property.of(item);
            return value != null && test.test(value, literal);
        };
    }

    private Predicate<T> comparison(String operator, List<ParsedExpression> all) {
        String name = name(all.get(0));
        Property<T> property = property(name);
        String literal = literal(all.get(1));
        return item -> {
            String value = property.of(item);
            if (value == null) {
                return operator.equals("ne");
            }
            int compared = order.compare(name, value, literal);
            return switch (operator) {
                case "eq" -> compared == 0;
                case "ne" -> compared != 0;
                case "gt" -> compared > 0;
                case "ge" -> compared >= 0;
                case "lt" -> compared < 0;
                default -> compared <= 0;
            };
        };
    }

    private Property<T> property(String name) {
        return properties
                .apply(name)
                .orElseThrow(() -> refusal.apply("the property '" + name + "' cannot be filtered by"));
    }

    private String name(ParsedExpression expression) {
        if (expression instanceof Name name) {
            return name.value();
        }
        throw refusal.apply("the name of a property is expected");
    }

    private String literal(ParsedExpression expression) {
        if (expression instanceof Text text) {
            return text.value();
        }
        if (quoted) {
            throw refusal.apply("a literal stands in quotes");
        }
        return expression instanceof Numeral number ? number.value() : name(expression);
    }

    private static String lower(String text) {
        return text.toLowerCase(Locale.ROOT);
    }
}
