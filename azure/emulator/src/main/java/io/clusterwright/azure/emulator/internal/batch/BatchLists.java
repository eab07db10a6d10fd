package io.clusterwright.azure.emulator.internal.batch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.clusterwright.azure.emulator.internal.arm.Bodies;
import io.clusterwright.azure.emulator.internal.arm.Pages;
import io.clusterwright.azure.emulator.internal.expression.ODataFilter;
import io.clusterwright.core.internal.json.Json;
import io.clusterwright.emulator.internal.http.Call;
import io.clusterwright.emulator.internal.http.Reply;
import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/** Lists of Batch, as {@code $filter}, {@code $select} and {@code maxresults} ask for them. */
final class BatchLists {
    private static final int MOST_RESULTS = 1000;
    private static final Pattern SELECTED = Pattern.compile("\\s*[A-Za-z]+(/[A-Za-z]+)*\\s*");
    private static final Set<String> OF_ALL = Set.of("id", "state", "stateTransitionTime", "url");

    /** What each list is filtered by, beside what all are. */
    private static final Map<String, Set<String>> FILTERED = Map.of(
            "pools",
            names(
                    "displayName creationTime lastModified vmSize allocationState allocationStateTransitionTime enableAutoScale"
                            + " enableInterNodeCommunication"),
            "nodes",
            names("schedulingState lastBootTime ipAddress vmSize isDedicated"),
            "jobs",
            names("displayName creationTime lastModified previousState previousStateTransitionTime priority"
                    + " executionInfo/poolId executionInfo/startTime executionInfo/endTime"),
            "tasks",
            names(
                    "displayName creationTime lastModified previousState previousStateTransitionTime executionInfo/exitCode"
                            + " executionInfo/result executionInfo/startTime executionInfo/endTime executionInfo/retryCount"),
            "supportedimages",
            names("nodeAgentSKUId osType verificationType"));

    private BatchLists() {}

    private static Set<String> names(String names) {
        return Set.of(names.split(" "));
    }

    private static Predicate<JsonNode> filter(String text, String kind) {
        return new ODataFilter<JsonNode>(
                        Set.of("and", "or", "not", "eq", "ne", "gt", "ge", "lt", "le", "startswith"),
                        false,
                        name -> OF_ALL.contains(name)
                                        || FILTERED.getOrDefault(kind, Set.of()).contains(name)
                                ? Optional.of(item ->
                                        Bodies.at(item, name.replace('/', '.')).asText(null))
                                : Optional.empty(),
                        name -> true,
                        (name, value, literal) -> order(value, literal),
                        reason -> BatchRefusals.query("$filter", text, reason))
                .read(text);
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

    /**
     * One page of a list.
     *
     * @param kind the kind of its items: pools, nodes, jobs, tasks or supportedimages
     */
    static Reply page(Call call, Collection<? extends ObjectNode> items, String kind) {
        String filter = call.query("filter");
        Predicate<JsonNode> lets = filter.isBlank() ? item -> true : filter(filter, kind);
        List<? extends ObjectNode> all = items.stream().filter(lets).toList();
        String most = call.query("maxresults");
        String token = call.query("skiptoken");
        if (!token.isEmpty() && !token.matches("\\d{1,9}")) {
            throw BatchRefusals.query("$skiptoken", token, "It is not a token of this list");
        }
        int from = token.isEmpty() ? 0 : Math.min(Integer.parseInt(token), all.size());
        int to = Math.min(all.size(), from + (most.isEmpty() ? MOST_RESULTS : Integer.parseInt(most)));
        ObjectNode body = Json.object();
        ArrayNode value = body.putArray("value");
        all.subList(from, to).forEach(item -> value.add(selected(call, item)));
        if (to < all.size()) {
            body.put("odata.nextLink", Pages.next(call, Set.of("filter", "select"), Integer.toString(to)));
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
                throw BatchRefusals.query("$select", select, "'" + name + "' is not the name of a property");
            }
            String first = name.trim().replaceFirst("/.*", "");
            if (item.has(first)) {
                copy.set(first, item.get(first).deepCopy());
            }
        }
        return copy;
    }
}
