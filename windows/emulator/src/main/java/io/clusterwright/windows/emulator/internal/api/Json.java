package io.clusterwright.windows.emulator.internal.api;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.clusterwright.windows.emulator.internal.http.HeadNodeException;
import io.clusterwright.windows.emulator.internal.http.Reply;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The bodies of {@code /hpc}. */
final class Json {
    static final ObjectMapper MAPPER = new ObjectMapper();

    private Json() {}

    static Reply reply(JsonNode tree) {
        return reply(200, tree);
    }

    static Reply reply(int status, JsonNode tree) {
        return Reply.of(status, tree.toString(), "application/json; charset=utf-8");
    }

    static Reply text(String value) {
        return reply(MAPPER.getNodeFactory().textNode(value));
    }

    static Reply number(int value) {
        return reply(MAPPER.getNodeFactory().numberNode(value));
    }

    static Reply texts(List<String> values) {
        ArrayNode all = MAPPER.createArrayNode();
        values.forEach(all::add);
        return reply(all);
    }

    static ObjectNode object() {
        return MAPPER.createObjectNode();
    }

    static ArrayNode array() {
        return MAPPER.createArrayNode();
    }

    static ArrayNode properties(Map<String, String> values) {
        ArrayNode all = array();
        values.forEach((name, value) -> all.addObject().put("Name", name).put("Value", value));
        return all;
    }

    static JsonNode read(String body) {
        try {
            return MAPPER.readTree(body);
        } catch (JsonProcessingException e) {
            throw HeadNodeException.badRequest("The request is invalid: " + e.getOriginalMessage());
        }
    }

    /** Names and values; an absent body has none. */
    static Map<String, String> readProperties(String body) {
        Map<String, String> values = new LinkedHashMap<>();
        JsonNode tree = body.isEmpty() ? array() : read(body);
        if (!tree.isArray()) {
            throw HeadNodeException.badRequest("The request is invalid: an array of Name and Value is expected.");
        }
        for (JsonNode pair : tree) {
            if (!pair.path("Name").isTextual() || !(pair.path("Value").isTextual())) {
                throw HeadNodeException.badRequest("The request is invalid: Name and Value must be strings: " + pair);
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
