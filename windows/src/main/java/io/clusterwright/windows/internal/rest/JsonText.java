package io.clusterwright.windows.internal.rest;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.clusterwright.core.internal.json.Json;
import io.clusterwright.windows.hpcpack.HpcPackException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The bodies of {@code /hpc}. */
final class JsonText {
    static final String TYPE = "application/json";

    private JsonText() {}

    static String text(String value) {
        return Json.write(TextNode.valueOf(value));
    }

    static String properties(Map<String, String> values) {
        ArrayNode all = Json.array();
        values.forEach((name, value) -> all.addObject().put("Name", name).put("Value", value));
        return Json.write(all);
    }

    static JsonNode read(Request request, HeadNodeHttp.Answer answer) {
        try {
            return Json.MAPPER.readTree(answer.body());
        } catch (JsonProcessingException e) {
            throw strange(request, answer, "JSON");
        }
    }

    static HpcPackException.Refused strange(Request request, HeadNodeHttp.Answer answer, String expected) {
        return new HpcPackException.Refused(
                "could not " + request.what() + ": the answer is not the " + expected + " expected, but \""
                        + ErrorText.message(answer.body()) + "\"; is this address a head node's?",
                answer.status());
    }

    static Properties properties(JsonNode array) {
        Map<String, String> values = new LinkedHashMap<>();
        array.forEach(pair -> values.put(
                pair.path("Name").asText(""),
                pair.path("Value").isNull() ? "" : pair.path("Value").asText("")));
        return new Properties(values);
    }

    /** A list of objects, each with its properties. */
    static List<Properties> rows(JsonNode array) {
        List<Properties> rows = new ArrayList<>();
        array.forEach(row -> rows.add(properties(row.path("Properties"))));
        return rows;
    }

    static List<String> texts(JsonNode array) {
        List<String> all = new ArrayList<>();
        array.forEach(each -> all.add(each.asText()));
        return all;
    }
}
