package io.clusterwright.azure.emulator.internal.batch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.clusterwright.azure.emulator.internal.arm.ArmException;
import io.clusterwright.azure.emulator.internal.arm.Bodies;
import io.clusterwright.core.internal.json.Json;
import io.clusterwright.emulator.internal.http.Call;
import io.clusterwright.emulator.internal.http.Reply;
import java.math.BigDecimal;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Lists of Batch, as {@code $filter}, {@code $select} and {@code maxresults} ask for them. */
final class BatchLists {
    private static final int MOST_RESULTS = 1000;
    private static final int DEEPEST = 50;
    private static final Pattern TOKEN =
            Pattern.compile("\\s*(\\(|\\)|,|(?:DateTime|datetime)?'(?:[^']|'')*'|[A-Za-z0-9_:.+/-]+)");
    private static final Pattern SELECTED = Pattern.compile("\\s*[A-Za-z]+(/[A-Za-z]+)*\\s*");
    private static final Set<String> OF_ALL = Set.of("id", "state", "stateTransitionTime", "url");

    /** What each list is filtered by, beside what all are. */
    private static final Map<String, Set<String>> FILTERED = Map.of(
            "pools",
            Set.of(
                    "displayName",
                    "creationTime",
                    "lastModified",
                    "vmSize",
                    "allocationState",
                    "allocationStateTransitionTime",
                    "enableAutoScale",
                    "enableInterNodeCommunication"),
            "nodes",
            Set.of("schedulingState", "lastBootTime", "ipAddress", "vmSize", "isDedicated"),
            "jobs",
            Set.of(
                    "displayName",
                    "creationTime",
                    "lastModified",
                    "previousState",
                    "previousStateTransitionTime",
                    "priority",
                    "executionInfo/poolId",
                    "executionInfo/startTime",
                    "executionInfo/endTime"),
            "tasks",
            Set.of(
                    "displayName",
                    "creationTime",
                    "lastModified",
                    "previousState",
                    "previousStateTransitionTime",
                    "executionInfo/exitCode",
                    "executionInfo/result",
                    "executionInfo/startTime",
                    "executionInfo/endTime",
                    "executionInfo/retryCount"),
            "supportedimages",
            Set.of("nodeAgentSKUId", "osType", "verificationType"));

    private final String text;
    private final Set<String> properties;
    private final List<String> tokens = new ArrayList<>();
    private int at;

    private BatchLists(String text, String kind) {
        this.text = text;
        this.properties = FILTERED.getOrDefault(kind, Set.of());
        Matcher token = TOKEN.matcher(text);
        int end = 0;
        while (end < text.stripTrailing().length()) {
            if (!token.find(end) || token.start() != end) {
                throw wrong("it is not valid at position " + end);
            }
            tokens.add(token.group(1));
            end = token.end();
        }
    }

    /**
     * One page of a list.
     *
     * @param kind the kind of its items: pools, nodes, jobs, tasks or supportedimages
     */
    static Reply page(Call call, Collection<? extends ObjectNode> items, String kind) {
        String filter = call.query("filter");
        Predicate<JsonNode> lets = filter.isBlank() ? item -> true : new BatchLists(filter, kind).whole();
        List<? extends ObjectNode> all = items.stream().filter(lets).toList();
        String most = call.query("maxresults");
        String token = call.query("skiptoken");
        if (!token.isEmpty() && !token.matches("\\d{1,9}")) {
            throw BatchRules.query("$skiptoken", token, "It is not a token of this list");
        }
        int from = token.isEmpty() ? 0 : Math.min(Integer.parseInt(token), all.size());
        int to = Math.min(all.size(), from + (most.isEmpty() ? MOST_RESULTS : Integer.parseInt(most)));
        ObjectNode body = Json.object();
        ArrayNode value = body.putArray("value");
        all.subList(from, to).forEach(item -> value.add(selected(call, item)));
        if (to < all.size()) {
            StringBuilder next =
                    new StringBuilder(call.base()).append(call.path()).append('?');
            call.query().forEach((name, given) -> {
                if (!name.equals("skiptoken")) {
                    next.append(name.equals("filter") || name.equals("select") ? "$" + name : name)
                            .append('=')
                            .append(URLEncoder.encode(given, StandardCharsets.UTF_8)
                                    .replace("+", "%20"))
                            .append('&');
                }
            });
            body.put("odata.nextLink", next.append("$skiptoken=").append(to).toString());
        }
        return Reply.ok(body);
    }

    /** A copy of an item with the properties that the request asks for. */
    static ObjectNode selected(Call call, ObjectNode item) {
        String select = call.query("select");
        if (select.isBlank()) {
            return item.deepCopy();
        }
        ObjectNode copy = Json.object();
        for (String name : select.split(",", -1)) {
            if (!SELECTED.matcher(name).matches()) {
                throw BatchRules.query("$select", select, "'" + name + "' is not the name of a property");
            }
            String first = name.trim().replaceFirst("/.*", "");
            if (item.has(first)) {
                copy.set(first, item.get(first).deepCopy());
            }
        }
        return copy;
    }

    private ArmException wrong(String why) {
        return BatchRules.query("$filter", text, why);
    }

    private Predicate<JsonNode> whole() {
        Predicate<JsonNode> all = either(0);
        if (at < tokens.size()) {
            throw wrong("'" + tokens.get(at) + "' is not expected");
        }
        return all;
    }

    private boolean takes(String word) {
        boolean there = at < tokens.size() && tokens.get(at).equals(word);
        at += there ? 1 : 0;
        return there;
    }

    private void expect(String word) {
        if (!takes(word)) {
            throw wrong("'" + word + "' is expected");
        }
    }

    private String next() {
        if (at == tokens.size()) {
            throw wrong("it ends too early");
        }
        return tokens.get(at++);
    }

    private Predicate<JsonNode> either(int depth) {
        if (depth > DEEPEST) {
            throw wrong("it is nested too deeply");
        }
        Predicate<JsonNode> left = both(depth);
        while (takes("or")) {
            left = left.or(both(depth));
        }
        return left;
    }

    private Predicate<JsonNode> both(int depth) {
        Predicate<JsonNode> left = one(depth);
        while (takes("and")) {
            left = left.and(one(depth));
        }
        return left;
    }

    private Predicate<JsonNode> one(int depth) {
        if (takes("not")) {
            return (depth < DEEPEST ? one(depth + 1) : either(depth + 1)).negate();
        }
        if (takes("(")) {
            Predicate<JsonNode> inner = either(depth + 1);
            expect(")");
            return inner;
        }
        if (takes("startswith")) {
            expect("(");
            String name = property();
            expect(",");
            String start = literal();
            expect(")");
            return item -> value(item, name).asText().startsWith(start);
        }
        String name = property();
        String operator = next();
        if (!List.of("eq", "ne", "gt", "ge", "lt", "le").contains(operator)) {
            throw wrong("'" + operator + "' is not an operator");
        }
        String literal = literal();
        return item -> {
            JsonNode value = value(item, name);
            if (value.isMissingNode()) {
                return operator.equals("ne");
            }
            int order = order(value.asText(), literal);
            return switch (operator) {
                case "eq" -> order == 0;
                case "ne" -> order != 0;
                case "gt" -> order > 0;
                case "ge" -> order >= 0;
                case "lt" -> order < 0;
                default -> order <= 0;
            };
        };
    }

    private String property() {
        String name = next();
        if (!OF_ALL.contains(name) && !properties.contains(name)) {
            throw wrong("the property '" + name + "' cannot be filtered by");
        }
        return name;
    }

    private String literal() {
        String word = next();
        int quote = word.indexOf('\'');
        return quote < 0 ? word : word.substring(quote + 1, word.length() - 1).replace("''", "'");
    }

    private static JsonNode value(JsonNode item, String path) {
        return Bodies.at(item, path.replace('/', '.'));
    }

    /** The order of two numbers, times or texts. */
    private static int order(String left, String right) {
        try {
            return new BigDecimal(left).compareTo(new BigDecimal(right));
        } catch (NumberFormatException notNumbers) {
            try {
                return Instant.parse(left).compareTo(Instant.parse(right));
            } catch (DateTimeException notTimes) {
                return left.compareTo(right);
            }
        }
    }
}
