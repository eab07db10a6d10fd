package io.clusterwright.azure.emulator.internal.resources;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.clusterwright.azure.emulator.internal.arm.ArmException;
import io.clusterwright.azure.emulator.internal.arm.Cloud;
import io.clusterwright.azure.emulator.internal.arm.Pages;
import io.clusterwright.azure.emulator.internal.arm.TagRules;
import io.clusterwright.core.internal.json.Json;
import io.clusterwright.emulator.internal.http.Call;
import io.clusterwright.emulator.internal.http.Reply;
import io.clusterwright.emulator.internal.http.RequestTable;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The names and values of tags of a subscription: those that were made beforehand, and those that something has. */
public final class TagNames {
    private final Cloud cloud;
    private final Map<String, Map<String, Integer>> made = named();

    public TagNames(Cloud cloud) {
        this.cloud = cloud;
    }

    private static <T> Map<String, T> named() {
        return new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    }

    /** Adds the requests about the names of tags, with the words of their paths. */
    public void addTo(RequestTable<List<String>> requests) {
        String names = " subscriptions/*/tagNames";
        requests.on("GET" + names, (call, words) -> list(call))
                .on("PUT" + names + "/*", (call, words) -> add(words.get(3)))
                .on("DELETE" + names + "/*", (call, words) -> Reply.empty(delete(words.get(3))))
                .on("PUT" + names + "/*/tagValues/*", (call, words) -> addValue(words.get(3), words.get(5)))
                .on(
                        "DELETE" + names + "/*/tagValues/*",
                        (call, words) -> Reply.empty(deleteValue(words.get(3), words.get(5))));
    }

    private Reply list(Call call) {
        return Pages.of(
                call,
                cloud,
                all().entrySet().stream()
                        .map(entry -> name(entry.getKey(), entry.getValue()))
                        .toList());
    }

    /** Each name with its values, and the number of resources that have each. */
    private Map<String, Map<String, Integer>> all() {
        Map<String, Map<String, Integer>> all = named();
        made.forEach((name, values) -> {
            Map<String, Integer> copy = named();
            copy.putAll(values);
            all.put(name, copy);
        });
        cloud.store().all().forEach(resource -> {
            for (Map.Entry<String, JsonNode> tag : resource.body().path("tags").properties()) {
                Map<String, Integer> values = all.computeIfAbsent(tag.getKey(), key -> named());
                values.merge(tag.getValue().asText(), 1, Integer::sum);
            }
        });
        return all;
    }

    private Reply add(String name) {
        TagRules.check(Json.object().put(name, ""));
        boolean known = all().containsKey(name);
        made.computeIfAbsent(name, key -> named());
        return Reply.of(known ? 200 : 201, name(name, all().getOrDefault(name, Map.of())));
    }

    private Reply addValue(String name, String value) {
        TagRules.check(Json.object().put(name, value));
        ArmException.refuse(!all().containsKey(name), "TagNameNotFound", name);
        boolean known = all().getOrDefault(name, Map.of()).containsKey(value);
        made.computeIfAbsent(name, key -> named()).putIfAbsent(value, 0);
        return Reply.of(
                known ? 200 : 201,
                value(name, value, all().getOrDefault(name, Map.of()).getOrDefault(value, 0)));
    }

    private int delete(String name) {
        Map<String, Integer> values = all().get(name);
        if (values == null) {
            return 204;
        }
        ArmException.refuse(!values.isEmpty(), "CannotDeleteTagName", name);
        made.remove(name);
        return 200;
    }

    private int deleteValue(String name, String value) {
        Integer users = all().getOrDefault(name, Map.of()).get(value);
        if (users == null) {
            return 204;
        }
        ArmException.refuse(users > 0, "CannotDeleteTagValue", value, name);
        made.getOrDefault(name, Map.of()).remove(value);
        return 200;
    }

    private String id(String name) {
        return "/subscriptions/" + cloud.settings().subscription() + "/tagNames/" + name;
    }

    private ObjectNode name(String name, Map<String, Integer> values) {
        ObjectNode shown = Json.object().put("id", id(name)).put("tagName", name);
        shown.putObject("count")
                .put("type", "Total")
                .put("value", values.values().stream().mapToInt(each -> each).sum());
        ArrayNode list = shown.putArray("values");
        values.forEach((value, users) -> list.add(value(name, value, users)));
        return shown;
    }

    private ObjectNode value(String name, String value, int users) {
        ObjectNode shown =
                Json.object().put("id", id(name) + "/tagValues/" + value).put("tagValue", value);
        shown.putObject("count").put("type", "Total").put("value", users);
        return shown;
    }
}
