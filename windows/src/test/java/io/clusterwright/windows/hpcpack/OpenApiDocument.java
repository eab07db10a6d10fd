package io.clusterwright.windows.hpcpack;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Microsoft's description: holds recorded traffic against it, both directions. */
final class OpenApiDocument {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final SchemaRegistry REGISTRY = SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_4);

    private final JsonNode document;
    private final List<Operation> operations = new ArrayList<>();
    private final Map<JsonNode, Schema> compiled = new HashMap<>();

    /** An operation; the names of its path's parameters in order. */
    private record Operation(
            String id, String method, Pattern path, List<String> names, List<JsonNode> parameters, JsonNode responses) {
        int literals() {
            return path.pattern().replace("([^/]+)", "").length();
        }
    }

    /** What traffic was: operations that were answered with success, those refused, and all that was wrong. */
    record Verdict(Set<String> succeeded, Set<String> refused, List<String> wrong) {}

    OpenApiDocument() {
        try (InputStream text = OpenApiDocument.class.getResourceAsStream("/openapi/hpcpack-2019.yaml")) {
            document = new YAMLMapper().readTree(text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        document.path("paths")
                .properties()
                .forEach(path -> path.getValue().properties().stream()
                        .filter(each -> !each.getKey().equals("parameters"))
                        .forEach(each -> operations.add(operation(path.getKey(), path.getValue(), each))));
    }

    private Operation operation(String path, JsonNode shared, Map.Entry<String, JsonNode> method) {
        List<String> names = Pattern.compile("\\{([^}]+)}")
                .matcher(path)
                .results()
                .map(found -> found.group(1))
                .toList();
        List<JsonNode> parameters = new ArrayList<>();
        shared.path("parameters").forEach(each -> parameters.add(resolve(each)));
        method.getValue().path("parameters").forEach(each -> parameters.add(resolve(each)));
        return new Operation(
                method.getValue().path("operationId").asText(),
                method.getKey().toUpperCase(Locale.ROOT),
                Pattern.compile(document.path("basePath").asText() + path.replaceAll("\\{[^}]+}", "([^/]+)")),
                names,
                parameters,
                method.getValue().path("responses"));
    }

    private JsonNode resolve(JsonNode node) {
        return node.has("$ref") ? document.at(node.path("$ref").asText().substring(1)) : node;
    }

    Set<String> operationIds() {
        return operations.stream().map(Operation::id).collect(Collectors.toCollection(TreeSet::new));
    }

    Verdict check(List<JsonNode> recordings) {
        Verdict verdict = new Verdict(new TreeSet<>(), new TreeSet<>(), new ArrayList<>());
        recordings.forEach(each -> check(each, verdict));
        return verdict;
    }

    private void check(JsonNode recording, Verdict verdict) {
        String method = recording.at("/request/method").asText();
        String[] target = recording.at("/request/target").asText().split("\\?", 2);
        Operation operation = operations.stream()
                .filter(each -> each.method().equals(method)
                        && each.path().matcher(target[0]).matches())
                .max(Comparator.comparingInt(Operation::literals))
                .orElse(null);
        if (operation == null) {
            verdict.wrong().add("not described: " + method + " " + target[0]);
            return;
        }
        int status = recording.at("/response/status").asInt();
        if (status >= 400) {
            verdict.refused().add(operation.id());
            return;
        }
        List<String> wrong = new ArrayList<>();
        parameters(operation, target, wrong);
        requestBody(operation, text(recording.at("/request/body")), wrong);
        response(operation, status, text(recording.at("/response/body")), wrong);
        wrong.forEach(each -> verdict.wrong().add(operation.id() + " (" + method + " " + target[0] + "): " + each));
        verdict.succeeded().add(operation.id());
    }

    private static String text(JsonNode body) {
        return body.isMissingNode() ? "" : body.toString();
    }

    private void parameters(Operation operation, String[] target, List<String> wrong) {
        Matcher path = operation.path().matcher(target[0]);
        if (path.matches()) {
            for (int i = 0; i < operation.names().size(); i++) {
                value(operation, "path", operation.names().get(i), decode(path.group(i + 1)), wrong);
            }
        }
        Map<String, String> query = new HashMap<>();
        for (String pair : target.length < 2 ? new String[0] : target[1].split("&")) {
            String[] parts = pair.split("=", 2);
            query.put(decode(parts[0]), decode(parts[1]));
        }
        query.forEach((name, value) -> value(operation, "query", name, value, wrong));
        operation.parameters().stream()
                .filter(each -> each.path("in").asText().equals("query")
                        && each.path("required").asBoolean())
                .filter(each -> !query.containsKey(each.path("name").asText()))
                .forEach(
                        each -> wrong.add("query parameter " + each.path("name").asText() + " is missing"));
    }

    private void value(Operation operation, String in, String name, String value, List<String> wrong) {
        JsonNode parameter = operation.parameters().stream()
                .filter(each -> each.path("in").asText().equals(in)
                        && each.path("name").asText().equals(name))
                .findFirst()
                .orElse(null);
        if (parameter == null) {
            wrong.add(in + " parameter " + name + " is not described");
            return;
        }
        JsonNode typed = switch (parameter.path("type").asText()) {
            case "integer", "number", "boolean" -> parsed(value, wrong);
            default -> JSON.getNodeFactory().textNode(value);
        };
        validate(parameter, typed, in + " parameter " + name, wrong);
    }

    private void requestBody(Operation operation, String body, List<String> wrong) {
        JsonNode parameter = operation.parameters().stream()
                .filter(each -> each.path("in").asText().equals("body"))
                .findFirst()
                .orElse(null);
        if (body.isEmpty()) {
            return;
        }
        if (parameter == null) {
            wrong.add("a request body is not described, and was " + body);
        } else {
            validate(parameter.path("schema"), parsed(body, wrong), "request", wrong);
        }
    }

    private void response(Operation operation, int status, String body, List<String> wrong) {
        JsonNode described = operation.responses().path(Integer.toString(status));
        if (described.isMissingNode()) {
            wrong.add("status " + status + " is not described");
        } else if (described.has("schema")) {
            validate(described.path("schema"), parsed(body, wrong), "response", wrong);
        } else if (!body.isEmpty()) {
            wrong.add("an answer's body is not described, and was " + body);
        }
    }

    private void validate(JsonNode schema, JsonNode value, String where, List<String> wrong) {
        compiled.computeIfAbsent(schema, this::compile)
                .validate(value.toString(), InputFormat.JSON)
                .forEach(error -> wrong.add(where + ": " + error));
    }

    private Schema compile(JsonNode schema) {
        ObjectNode whole = schema.deepCopy();
        // In a parameter, required says that it must be there; in a schema, it is a list of names.
        whole.remove(List.of("required", "in", "name"));
        whole.set("definitions", strict(document.path("definitions")));
        return REGISTRY.getSchema(whole.toString());
    }

    /** The description allows properties that it does not name; who sends one means another. */
    private static JsonNode strict(JsonNode definitions) {
        JsonNode copy = definitions.deepCopy();
        copy.findParents("properties").forEach(each -> {
            if (each instanceof ObjectNode object && !object.has("additionalProperties")) {
                object.put("additionalProperties", false);
            }
        });
        return copy;
    }

    private static JsonNode parsed(String text, List<String> wrong) {
        try {
            return JSON.readTree(text);
        } catch (JsonProcessingException e) {
            wrong.add("\"" + text + "\" is no JSON");
            return JSON.nullNode();
        }
    }

    private static String decode(String text) {
        return URLDecoder.decode(text, StandardCharsets.UTF_8);
    }
}
