package io.clusterwright.azure.emulator;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;

/** Microsoft's descriptions: holds recorded traffic against the schema of its operation. */
public final class OpenApiDocuments {
    /** Services of which there is no document here; the emulator holds their bodies against the descriptions in its folder bodies. */
    private static final List<String> WITHOUT_DOCUMENT =
            List.of("/Microsoft.DevTestLab/", "/Microsoft.Insights/", "/Microsoft.Storage/", "/Microsoft.KeyVault/");

    private static final List<String> FILES = List.of(
            "compute",
            "compute-gallery",
            "compute-disk",
            "compute-skus",
            "compute-runCommands",
            "network",
            "network-vmssNetworkInterface",
            "resources",
            "batch");
    private static final SchemaRegistry REGISTRY =
            SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12);

    /** What was required once, and has a plural or another name today that may stand in its place. */
    private static final Pattern ABSENT = Pattern.compile("(/\\S*): required property '(\\w+)' not found");

    /** The source of a version in a gallery, since 2023-07-03. */
    private static final Map<String, String> NEWER = Map.of("id", "virtualMachineId");

    private final List<Operation> operations = new ArrayList<>();
    private final Map<String, Schema> compiled = new ConcurrentHashMap<>();

    private record Operation(String file, Pattern path, String template, JsonNode methods, JsonNode document) {}

    public OpenApiDocuments() {
        for (String file : FILES) {
            try (InputStream packed = OpenApiDocuments.class.getResourceAsStream("/openapi/" + file + ".json.gz")) {
                JsonNode document = ArmClient.JSON.readTree(new GZIPInputStream(packed));
                document.path("paths").properties().stream()
                        .filter(path -> !isGeneric(path.getKey()))
                        .forEach(path -> operations.add(new Operation(
                                file,
                                Pattern.compile(
                                        path.getKey().replaceAll("\\{[^}]+}", "[^/]+"), Pattern.CASE_INSENSITIVE),
                                path.getKey(),
                                path.getValue(),
                                document)));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /** A path that stands for every resource there is says nothing about any. */
    private static boolean isGeneric(String template) {
        return template.contains("{parentResourcePath}") || template.startsWith("/{");
    }

    /** The operation that a recording is of, as method and path of its description; empty when it is not described. */
    public Optional<String> operation(JsonNode recording) {
        return find(recording)
                .map(operation -> method(recording).toUpperCase(Locale.ROOT) + " " + operation.template());
    }

    private static String method(JsonNode recording) {
        return recording.at("/request/method").asText().toLowerCase(Locale.ROOT);
    }

    private Optional<Operation> find(JsonNode recording) {
        String path = recording.at("/request/path").asText();
        return operations.stream()
                .filter(each -> each.path().matcher(path).matches()
                        && each.methods().has(method(recording)))
                .findFirst();
    }

    /**
     * What is wrong with a body of a PUT of this type of resource.
     *
     * @param type such as {@code Microsoft.Compute/virtualMachines}
     * @param unknown gets the properties that the documents do not know
     */
    public List<String> checkBody(String type, JsonNode body, Set<String> unknown) {
        StringBuilder path = new StringBuilder("/subscriptions/s/resourceGroups/g/providers/");
        String[] words = type.split("/");
        path.append(words[0]);
        for (int i = 1; i < words.length; i++) {
            path.append('/').append(words[i]).append("/name");
        }
        JsonNode recording = ArmClient.JSON
                .createObjectNode()
                .set("request", ArmClient.JSON.createObjectNode().put("method", "PUT").put("path", path.toString()));
        Operation operation = find(recording).orElseThrow(() -> new AssertionError(path + " is not described"));
        List<String> wrong = new ArrayList<>();
        validate(operation, operation.methods().path("put").path("request"), body, type, wrong, unknown);
        return wrong;
    }

    /** What is wrong with one recording; {@code unknown} gets the properties that the documents do not know. */
    public Optional<List<String>> check(JsonNode recording, Set<String> unknown) {
        String method = method(recording);
        String path = recording.at("/request/path").asText();
        Optional<Operation> found = find(recording);
        if (found.isEmpty()
                && !path.contains("perations/")
                && !path.contains("/operation")
                && WITHOUT_DOCUMENT.stream().noneMatch(path::contains)) {
            unknown.add("not described: " + method + " " + path.replaceFirst("(?<=/subscriptions/)[^/]+", "*"));
        }
        return found.map(operation -> {
            List<String> wrong = new ArrayList<>();
            JsonNode description = operation.methods().path(method);
            String where = method.toUpperCase(Locale.ROOT) + " " + path;
            JsonNode sent = recording.at("/request/body");
            if (description.has("request") && !sent.isMissingNode()) {
                validate(operation, description.path("request"), sent, where + " request", wrong, unknown);
            }
            String status = recording.at("/response/status").asText();
            int number = Integer.parseInt(status);
            if (number < 400) {
                JsonNode answer = description.path("responses").path(status);
                if (answer.isMissingNode()) {
                    unknown.add(operation.file() + ": " + method + " " + operation.template() + " answers " + status);
                } else if (!answer.isEmpty() && recording.at("/response").has("body")) {
                    validate(operation, answer, recording.at("/response/body"), where + " response", wrong, unknown);
                }
            }
            return wrong;
        });
    }

    private void validate(
            Operation operation,
            JsonNode schema,
            JsonNode value,
            String where,
            List<String> wrong,
            Set<String> unknown) {
        Schema ready = compiled.computeIfAbsent(operation.file() + schema, key -> {
            ObjectNode whole = schema.deepCopy();
            whole.set("components", operation.document().path("components"));
            return REGISTRY.getSchema(whole.toString());
        });
        ready.validate(value.toString(), com.networknt.schema.InputFormat.JSON)
                .forEach(error -> {
                    Matcher absent = ABSENT.matcher(error.toString());
                    Optional<String> newer = absent.matches()
                            ? Stream.of(absent.group(2) + "es", NEWER.getOrDefault(absent.group(2), ""))
                                    .filter(value.at(absent.group(1))::has)
                                    .findFirst()
                            : Optional.empty();
                    if (newer.isPresent()) {
                        unknown.add(operation.file() + ": " + newer.get() + " without " + absent.group(2));
                    } else {
                        wrong.add(where + ": " + error);
                    }
                });
        unknown(operation, schema, value, "", unknown);
    }

    private void unknown(Operation operation, JsonNode schema, JsonNode value, String at, Set<String> unknown) {
        JsonNode resolved = resolve(operation, schema);
        if (value.isArray()) {
            value.forEach(each -> unknown(operation, resolved.path("items"), each, at, unknown));
        } else if (value.isObject()) {
            Map<String, JsonNode> known = new HashMap<>();
            properties(operation, resolved, known);
            boolean free = resolved.has("additionalProperties") || known.isEmpty();
            value.properties().forEach(entry -> {
                JsonNode next = known.get(entry.getKey());
                if (next != null) {
                    String name =
                            schema.has("$ref") ? schema.path("$ref").asText().replaceFirst(".*/", "") : at;
                    unknown(operation, next, entry.getValue(), name + "." + entry.getKey(), unknown);
                } else if (!free) {
                    String name =
                            schema.has("$ref") ? schema.path("$ref").asText().replaceFirst(".*/", "") : at;
                    unknown.add(operation.file() + ": " + name + "." + entry.getKey());
                }
            });
        }
    }

    private static JsonNode resolve(Operation operation, JsonNode schema) {
        return schema.has("$ref")
                ? operation.document().at(schema.path("$ref").asText().substring(1))
                : schema;
    }

    private static void properties(Operation operation, JsonNode schema, Map<String, JsonNode> known) {
        schema.path("properties").properties().forEach(entry -> known.put(entry.getKey(), entry.getValue()));
        schema.path("allOf").forEach(part -> properties(operation, resolve(operation, part), known));
    }
}
