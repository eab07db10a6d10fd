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
final class JsonText implements AnswerForm {
    @Override
    public String type() {
        return "application/json";
    }

    @Override
    public String write(Map<String, String> properties) {
        ArrayNode all = Json.array();
        properties.forEach((name, value) -> all.addObject().put("Name", name).put("Value", value));
        return Json.write(all);
    }

    @Override
    public String write(String text) {
        return Json.write(TextNode.valueOf(text));
    }

    @Override
    public int number(HeadNodeRequest request, HeadNodeHttp.Answer answer) {
        JsonNode tree = read(request, answer);
        if (!tree.canConvertToInt()) {
            throw strange(request, answer, "number");
        }
        return tree.intValue();
    }

    @Override
    public HeadNodeRow properties(HeadNodeRequest request, HeadNodeHttp.Answer answer) {
        return properties(read(request, answer));
    }

    @Override
    public List<HeadNodeRow> rows(HeadNodeRequest request, HeadNodeHttp.Answer answer) {
        List<HeadNodeRow> rows = new ArrayList<>();
        read(request, answer).forEach(row -> rows.add(properties(row.path("Properties"))));
        return rows;
    }

    @Override
    public List<String> texts(HeadNodeRequest request, HeadNodeHttp.Answer answer) {
        return texts(read(request, answer));
    }

    static JsonNode read(HeadNodeRequest request, HeadNodeHttp.Answer answer) {
        try {
            return Json.MAPPER.readTree(answer.body());
        } catch (JsonProcessingException e) {
            throw strange(request, answer, "JSON");
        }
    }

    static HpcPackException.Refused strange(HeadNodeRequest request, HeadNodeHttp.Answer answer, String expected) {
        return new HpcPackException.Refused(
                "could not " + request.what + ": expected " + expected + ", the answer is \""
                        + ErrorText.message(answer.body()) + "\"; check that this is the address of a head node");
    }

    private static HeadNodeRow properties(JsonNode array) {
        Map<String, String> values = new LinkedHashMap<>();
        array.forEach(pair -> values.put(
                pair.path("Name").asText(""),
                pair.path("Value").isNull() ? "" : pair.path("Value").asText("")));
        return new HeadNodeRow(values);
    }

    static List<String> texts(JsonNode array) {
        List<String> all = new ArrayList<>();
        array.forEach(each -> all.add(each.asText()));
        return all;
    }
}
