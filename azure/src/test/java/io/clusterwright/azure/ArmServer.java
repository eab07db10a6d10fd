package io.clusterwright.azure;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiFunction;

/**
 * A Resource Manager that keeps what it is given: resources by id, long operations that need a poll, deletion of a machine's parts with
 * it. It counts what it is asked, and answers as a test wants where one says so.
 */
final class ArmServer implements AutoCloseable {
    static final String SUBSCRIPTION = "11111111-1111-1111-1111-111111111111";

    private static final ObjectMapper JSON = new ObjectMapper();

    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final Map<String, ObjectNode> resources = new ConcurrentHashMap<>();
    private final Map<String, ObjectNode> operations = new ConcurrentHashMap<>();
    private final List<String> requests = new CopyOnWriteArrayList<>();
    private final List<String> authorizations = new CopyOnWriteArrayList<>();
    private final Map<String, String> failing = new ConcurrentHashMap<>();
    private final AtomicInteger operation = new AtomicInteger();
    private volatile BiFunction<String, String, Answer> fault = (method, path) -> null;
    private volatile int subscriptions = 1;

    ArmServer() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 512);
        server.setExecutor(threads);
        server.createContext("/", this::serve);
        server.start();
    }

    URI endpoint() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    }

    /** Method and path of each request so far, without the query. */
    List<String> requests() {
        return List.copyOf(requests);
    }

    long writes() {
        return requests.stream()
                .filter(request -> request.startsWith("PUT ") || request.startsWith("POST "))
                .count();
    }

    void forgetRequests() {
        requests.clear();
    }

    List<String> authorizations() {
        return authorizations;
    }

    /** Answers instead, where it gives an answer for a method and a path. */
    void fault(BiFunction<String, String, Answer> fault) {
        this.fault = fault;
    }

    /** The creation of what ends like this is accepted and then fails. */
    void failLater(String end, String code) {
        failing.put(end.toLowerCase(Locale.ROOT), code);
    }

    void visibleSubscriptions(int count) {
        subscriptions = count;
    }

    /** The ids of what exists, in lower case. */
    List<String> ids() {
        return resources.keySet().stream().sorted().toList();
    }

    JsonNode resource(String end) {
        return resources.entrySet().stream()
                .filter(entry -> entry.getKey().endsWith(end.toLowerCase(Locale.ROOT)))
                .map(Map.Entry::getValue)
                .findFirst()
                .orElseThrow(() -> new AssertionError("no " + end + " in " + ids()));
    }

    /** Puts something there that nobody asked for. */
    void put(String id, String json) {
        try {
            store(id, (ObjectNode) JSON.readTree(json));
        } catch (IOException e) {
            throw new IllegalArgumentException(json, e);
        }
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }

    private void serve(HttpExchange exchange) throws IOException {
        try (exchange) {
            String method = exchange.getRequestMethod();
            String path = exchange.getRequestURI().getPath();
            String query = String.valueOf(exchange.getRequestURI().getRawQuery());
            requests.add(method + " " + path);
            if (exchange.getRequestHeaders().getFirst("Authorization") != null) {
                authorizations.add(exchange.getRequestHeaders().getFirst("Authorization"));
            }
            byte[] body = exchange.getRequestBody().readAllBytes();
            Answer answer = fault.apply(method, path);
            if (answer == null) {
                answer = answer(method, path, URLDecoder.decode(query, StandardCharsets.UTF_8), body);
            }
            byte[] text = answer.body.getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            answer.headers.forEach(
                    (name, value) -> exchange.getResponseHeaders().set(name, value));
            exchange.sendResponseHeaders(answer.status, text.length == 0 ? -1 : text.length);
            if (text.length > 0) {
                exchange.getResponseBody().write(text);
            }
        } catch (RuntimeException | IOException e) {
            e.printStackTrace();
            throw e;
        }
    }

    private Answer answer(String method, String path, String query, byte[] body) throws IOException {
        String key = path.toLowerCase(Locale.ROOT);
        if (key.startsWith("/operations/")) {
            return poll(key);
        }
        return switch (method) {
            case "GET" -> get(path, key, query);
            case "PUT" -> create(path, key, (ObjectNode) JSON.readTree(body));
            case "DELETE" -> delete(key);
            case "POST" -> act(key);
            default -> Answer.error(405, "MethodNotAllowed", method);
        };
    }

    private Answer get(String path, String key, String query) throws IOException {
        if (key.equals("/subscriptions")) {
            ArrayNode list = JSON.createArrayNode();
            for (int i = 1; i <= subscriptions; i++) {
                String id = SUBSCRIPTION.replace('1', Character.forDigit(i, 10));
                list.addObject()
                        .put("id", "/subscriptions/" + id)
                        .put("subscriptionId", id)
                        .put("displayName", "Subscription " + i)
                        .put("state", "Enabled");
            }
            return list(list);
        }
        if (key.matches("/subscriptions/[^/]+/providers/microsoft\\.[a-z]+")) {
            return Answer.json(200, JSON.createObjectNode().put("registrationState", "Registered"));
        }
        if (key.endsWith("/providers/microsoft.compute/skus")) {
            return new Answer(200, Map.of(), SKUS);
        }
        if (key.endsWith("/usages")) {
            return new Answer(200, Map.of(), USAGES);
        }
        if (key.endsWith("/versions")) {
            return new Answer(200, Map.of(), "[{\"name\":\"22.4.5\",\"location\":\"westeurope\",\"id\":\"x\"}]");
        }
        if (key.contains("/versions/")) {
            return new Answer(
                    200,
                    Map.of(),
                    "{\"name\":\"22.4.5\",\"location\":\"westeurope\",\"properties\":{\"hyperVGeneration\":\"V2\"}}");
        }
        if (key.matches("/subscriptions/[^/]+/resourcegroups")) {
            return listed(id -> id.split("/").length == 5, query);
        }
        if (key.matches("/subscriptions/[^/]+/resources")) {
            return listed(id -> id.split("/").length > 5, query);
        }
        if (key.matches("/subscriptions/[^/]+/resourcegroups/[^/]+/resources")) {
            String group = key.substring(0, key.lastIndexOf('/') + 1);
            return listed(id -> id.startsWith(group), "");
        }
        if (key.endsWith("/microsoft.compute/images")) {
            String prefix = key + "/";
            return listed(id -> id.startsWith(prefix), "");
        }
        ObjectNode found = resources.get(key);
        return found == null
                ? Answer.error(404, "ResourceNotFound", "The Resource '" + path + "' was not found.")
                : Answer.json(200, found);
    }

    private Answer listed(java.util.function.Predicate<String> which, String query) throws IOException {
        ArrayNode list = JSON.createArrayNode();
        java.util.regex.Matcher tag = java.util.regex.Pattern.compile("tagName eq '([^']+)' and tagValue eq '([^']+)'")
                .matcher(query);
        boolean filtered = tag.find();
        resources.forEach((id, resource) -> {
            boolean tagged = !filtered
                    || tag.group(2)
                            .equals(resource.path("tags").path(tag.group(1)).asText());
            if (which.test(id) && tagged) {
                list.add(resource);
            }
        });
        return list(list);
    }

    private static Answer list(ArrayNode list) throws IOException {
        ObjectNode body = JSON.createObjectNode();
        body.set("value", list);
        return Answer.json(200, body);
    }

    private Answer create(String path, String key, ObjectNode body) throws IOException {
        ObjectNode stored = store(path, body);
        if (key.contains("/publicipaddresses/")) {
            ((ObjectNode) stored.path("properties")).put("ipAddress", "20.0.0.7");
        }
        boolean lasting = key.contains("/virtualmachines/") || key.contains("/networkinterfaces/");
        if (!lasting) {
            return Answer.json(key.contains("/availabilitysets/") ? 200 : 201, stored);
        }
        if (key.contains("/virtualmachines/") && !key.contains("/extensions/")) {
            begin(key, path, stored);
        }
        String code = failing.entrySet().stream()
                .filter(entry -> key.endsWith(entry.getKey()))
                .map(Map.Entry::getValue)
                .findFirst()
                .orElse("");
        ObjectNode accepted = stored.deepCopy();
        ((ObjectNode) accepted.path("properties")).put("provisioningState", "Creating");
        return new Answer(201, Map.of("Azure-AsyncOperation", operation(code)), JSON.writeValueAsString(accepted));
    }

    /** What Azure makes along with a machine. */
    private void begin(String key, String path, ObjectNode machine) {
        JsonNode disk = machine.path("properties").path("storageProfile").path("osDisk");
        String id = path.replaceAll("(?i)/virtualMachines/.*", "/disks/")
                + disk.path("name").asText();
        ObjectNode made = JSON.createObjectNode();
        made.putObject("properties");
        made.set("tags", machine.path("tags"));
        store(id, made);
        ObjectNode view = ((ObjectNode) machine.path("properties")).putObject("instanceView");
        view.put("hyperVGeneration", "V2");
        view.putArray("statuses").addObject().put("code", "PowerState/running");
    }

    private ObjectNode store(String path, ObjectNode body) {
        String[] parts = path.split("/");
        body.put("id", path).put("name", parts[parts.length - 1]);
        if (parts.length > 8) {
            body.put("type", parts[6] + "/" + parts[7]);
        }
        ObjectNode properties = body.path("properties").isObject()
                ? (ObjectNode) body.path("properties")
                : body.putObject("properties");
        properties.put("provisioningState", "Succeeded");
        for (String list : List.of("subnets", "inboundNatRules", "ipConfigurations")) {
            properties
                    .path(list)
                    .forEach(item -> ((ObjectNode) item)
                            .put(
                                    "id",
                                    path + "/" + list + "/" + item.path("name").asText()));
        }
        resources.put(path.toLowerCase(Locale.ROOT), body);
        return body;
    }

    private Answer delete(String key) {
        if (!resources.containsKey(key)) {
            return new Answer(204, Map.of(), "");
        }
        List<String> gone = new ArrayList<>(List.of(key));
        resources.keySet().stream().filter(id -> id.startsWith(key + "/")).forEach(gone::add);
        JsonNode properties = resources.get(key).path("properties");
        properties.path("networkProfile").path("networkInterfaces").forEach(nic -> {
            if (nic.path("properties").path("deleteOption").asText().equals("Delete")) {
                gone.add(nic.path("id").asText().toLowerCase(Locale.ROOT));
            }
        });
        gone.forEach(resources::remove);
        if (key.contains("/availabilitysets/") || key.contains("/proximityplacementgroups/")) {
            return new Answer(200, Map.of(), "");
        }
        return new Answer(202, Map.of("Location", operation("")), "");
    }

    private Answer act(String key) {
        if (key.endsWith("/generalize")) {
            return new Answer(200, Map.of(), "");
        }
        String machine = key.substring(0, key.lastIndexOf('/'));
        ObjectNode found = resources.get(machine);
        if (found == null) {
            return Answer.error(404, "ResourceNotFound", machine);
        }
        String state = key.endsWith("/start") ? "running" : key.endsWith("/deallocate") ? "deallocated" : "stopped";
        ((ObjectNode) found.path("properties")
                        .path("instanceView")
                        .path("statuses")
                        .path(0))
                .put("code", "PowerState/" + state);
        return new Answer(202, Map.of("Azure-AsyncOperation", operation("")), "");
    }

    private String operation(String code) {
        String path = "/operations/" + operation.incrementAndGet();
        ObjectNode state = JSON.createObjectNode().put("polls", 0).put("code", code);
        operations.put(path, state);
        return endpoint() + path;
    }

    private Answer poll(String key) throws IOException {
        ObjectNode state = operations.get(key);
        int polls = state.path("polls").asInt();
        state.put("polls", polls + 1);
        ObjectNode body = JSON.createObjectNode().put("name", key);
        String code = state.path("code").asText();
        if (polls == 0) {
            return Answer.json(202, body.put("status", "InProgress"));
        }
        if (code.isEmpty()) {
            return Answer.json(200, body.put("status", "Succeeded"));
        }
        body.put("status", "Failed").putObject("error").put("code", code).put("message", "it failed with " + code);
        return Answer.json(200, body);
    }

    record Answer(int status, Map<String, String> headers, String body) {
        static Answer json(int status, ObjectNode body) throws IOException {
            return new Answer(status, Map.of(), JSON.writeValueAsString(body));
        }

        static Answer error(int status, String code, String message) {
            ObjectNode body = JSON.createObjectNode();
            body.putObject("error").put("code", code).put("message", message);
            return new Answer(status, new LinkedHashMap<>(), body.toString());
        }

        Answer header(String name, String value) {
            Map<String, String> more = new LinkedHashMap<>(headers);
            more.put(name, value);
            return new Answer(status, more, body);
        }
    }

    private static final String SKUS = """
            {"value":[
             {"resourceType":"virtualMachines","name":"Standard_HB120rs_v3","family":"standardHBv3Family",
              "locations":["westeurope"],"restrictions":[],"capabilities":[
               {"name":"RdmaEnabled","value":"True"},{"name":"AcceleratedNetworkingEnabled","value":"True"},
               {"name":"HyperVGenerations","value":"V1,V2"}]},
             {"resourceType":"virtualMachines","name":"Standard_D2s_v5","family":"standardDSv5Family",
              "locations":["westeurope"],"restrictions":[],"capabilities":[
               {"name":"RdmaEnabled","value":"False"},{"name":"HyperVGenerations","value":"V1,V2"}]},
             {"resourceType":"virtualMachines","name":"Standard_HB176rs_v4","locations":["westeurope"],
              "restrictions":[{"type":"Location","reasonCode":"NotAvailableForSubscription","values":["westeurope"]}]}
            ]}
            """;

    private static final String USAGES = """
            {"value":[{"unit":"Count","currentValue":240,"limit":1200,
             "name":{"value":"standardHBv3Family","localizedValue":"Standard HBv3 Family vCPUs"}}]}
            """;
}
