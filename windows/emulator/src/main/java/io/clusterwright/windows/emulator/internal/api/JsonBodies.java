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
final class JsonBodies implements HeadNodeRoutes.Bodies {
    static Reply text(String value) {
        return Reply.ok(TextNode.valueOf(value));
    }

    @Override
    public Reply number(int value) {
        return Reply.ok(IntNode.valueOf(value));
    }

    @Override
    public Reply texts(List<String> values) {
        return list(values);
    }

    static Reply list(List<String> values) {
        ArrayNode all = Json.array();
        values.forEach(all::add);
        return Reply.ok(all);
    }

    @Override
    public Reply properties(Map<String, String> values) {
        return Reply.ok(pairs(values));
    }

    @Override
    public Reply rows(Call call, List<Map<String, String>> all, String otherwise) {
        String asked = call.query("properties");
        Rows.Page page = Rows.page(call, all, asked.isEmpty() ? otherwise : asked);
        ArrayNode rows = Json.array();
        page.rows().forEach(row -> rows.addObject().set("Properties", pairs(row)));
        Reply reply = Reply.ok(rows);
        if (page.total() >= 0) {
            reply = reply.with("x-ms-row-count", Integer.toString(page.total()));
        }
        return page.next().isEmpty() ? reply : reply.with("x-ms-continuation-queryId", page.next());
    }

    @Override
    public Reply done() {
        return Reply.empty(204);
    }

    @Override
    public Reply error(int status, String message) {
        return Reply.of(status, Json.object().put("Message", message));
    }

    private static ArrayNode pairs(Map<String, String> values) {
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

    @Override
    public Map<String, String> properties(Call call) {
        Map<String, String> values = new LinkedHashMap<>();
        JsonNode tree = call.text().isEmpty() ? Json.array() : read(call.text());
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

    @Override
    public String text(Call call) {
        return call.text().isEmpty() ? "" : read(call.text()).asText("");
    }

    @Override
    public String jobFile(Call call) {
        return text(call);
    }

    static List<String> readTexts(JsonNode array) {
        List<String> all = new ArrayList<>();
        array.forEach(each -> all.add(each.asText()));
        return all;
    }
}
