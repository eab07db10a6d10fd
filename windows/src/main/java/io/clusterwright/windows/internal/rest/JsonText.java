package io.clusterwright.windows.internal.rest;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.clusterwright.windows.hpcpack.HpcPackRefusedException;
import io.clusterwright.windows.hpcpack.Properties;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The bodies of {@code /hpc}. */
final class JsonText {
    static final ObjectMapper MAPPER = new ObjectMapper();
    static final String TYPE = "application/json";

    private JsonText() {}

    static String write(JsonNode tree) {
        try {
            return MAPPER.writeValueAsString(tree);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }

    static String text(String value) {
        return write(MAPPER.getNodeFactory().textNode(value));
    }

    static String properties(Map<String, String> values) {
        ArrayNode all = MAPPER.createArrayNode();
        values.forEach((name, value) -> all.addObject().put("Name", name).put("Value", value));
        return write(all);
    }

    static ObjectNode object() {
        return MAPPER.createObjectNode();
    }

    static JsonNode read(Request request, Answer answer) {
        try {
            return MAPPER.readTree(answer.body());
        } catch (JsonProcessingException e) {
            throw strange(request, answer, "JSON");
        }
    }

    static HpcPackRefusedException strange(Request request, Answer answer, String expected) {
        return new HpcPackRefusedException(
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
