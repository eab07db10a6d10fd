package io.clusterwright.windows.emulator.internal.api;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.clusterwright.core.internal.json.Json;
import io.clusterwright.emulator.internal.http.Call;
import io.clusterwright.emulator.internal.http.HttpRefusalException;
import io.clusterwright.emulator.internal.http.Reply;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The bodies of {@code /hpc}. */
final class HpcJson {
    private HpcJson() {}

    static Reply text(String value) {
        return Reply.ok(TextNode.valueOf(value));
    }

    static Reply number(int value) {
        return Reply.ok(IntNode.valueOf(value));
    }

    static Reply texts(List<String> values) {
        ArrayNode all = Json.array();
        values.forEach(all::add);
        return Reply.ok(all);
    }

    /** A part of a list of rows, with the properties that are asked for. */
    static Reply rows(Call call, List<Map<String, String>> all, String asked) {
        Rows.Page page = Rows.page(call, all, asked);
        ArrayNode rows = Json.array();
        page.rows().forEach(row -> rows.addObject().set("Properties", properties(row)));
        Reply reply = Reply.ok(rows);
        if (page.total() >= 0) {
            reply = reply.with("x-ms-row-count", Integer.toString(page.total()));
        }
        return page.next().isEmpty() ? reply : reply.with("x-ms-continuation-queryId", page.next());
    }

    static ArrayNode properties(Map<String, String> values) {
        ArrayNode all = Json.array();
        values.forEach((name, value) -> all.addObject().put("Name", name).put("Value", value));
        return all;
    }

    static JsonNode read(String body) {
        try {
            return Json.MAPPER.readTree(body);
        } catch (JsonProcessingException e) {
            throw HttpRefusalException.badRequest("The request is invalid: " + e.getOriginalMessage());
        }
    }

    /** Names and values; an absent body has none. */
    static Map<String, String> readProperties(String body) {
        Map<String, String> values = new LinkedHashMap<>();
        JsonNode tree = body.isEmpty() ? Json.array() : read(body);
        if (!tree.isArray()) {
            throw HttpRefusalException.badRequest("The request is invalid: an array of Name and Value is expected.");
        }
        for (JsonNode pair : tree) {
            if (!pair.path("Name").isTextual() || !(pair.path("Value").isTextual())) {
                throw HttpRefusalException.badRequest(
                        "The request is invalid: Name and Value must be strings: " + pair);
            }
            values.put(pair.path("Name").textValue(), pair.path("Value").textValue());
        }
        return values;
    }

    /** The one text of a body; empty when there is none. */
    static String readText(String body) {
        return body.isEmpty() ? "" : read(body).asText("");
    }

    static List<String> readTexts(JsonNode array) {
        List<String> all = new ArrayList<>();
        array.forEach(each -> all.add(each.asText()));
        return all;
    }
}
