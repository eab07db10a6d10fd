package io.clusterwright.windows.emulator.internal.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.clusterwright.core.internal.json.Json;
import io.clusterwright.emulator.internal.http.Call;
import io.clusterwright.emulator.internal.http.HttpRefusalException;
import io.clusterwright.emulator.internal.http.Reply;
import io.clusterwright.windows.emulator.internal.scheduler.ComputeNode;
import io.clusterwright.windows.emulator.internal.scheduler.Nodes;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;

/** Requests about nodes and node groups, as HPC Pack 2019 has them. */
final class NodeCalls {
    private static final String NODES = "cluster/nodes";
    private static final String GROUPS = "cluster/nodeGroups";
    private static final int MEMORY_MEBIBYTES = 28_672;

    private final Nodes nodes;
    private final String version;

    NodeCalls(Nodes nodes, String version) {
        this.nodes = nodes;
        this.version = version;
    }

    void addTo(HeadNodeRoutes routes) {
        routes.on("GET " + NODES, (call, user) -> nodes(call))
                .on("GET " + NODES + "/stats/state", (call, user) -> Reply.ok(count(ComputeNode::state)))
                .on("GET " + NODES + "/stats/health", (call, user) -> Reply.ok(count(ComputeNode::health)))
                .on("GET " + NODES + "/*", (call, user) -> node(call))
                .on("POST " + NODES + "/*/operations/*", (call, user) -> {
                    nodes.operate(call.segments().get(3), call.segments().get(5));
                    return Reply.empty(202);
                })
                .on("GET cluster/operations", (call, user) -> operations(call))
                .on("GET cluster/operations/first", (call, user) -> first())
                .on(
                        "GET cluster/operations/*",
                        (call, user) -> operation(call.segments().get(3)))
                .on("GET " + GROUPS, (call, user) -> groups())
                .on("POST " + GROUPS, (call, user) -> create(JsonBodies.read(call.text())))
                .on("GET " + GROUPS + "/*", (call, user) -> Reply.ok(describeGroup(group(call))))
                .on("PUT " + GROUPS + "/*", (call, user) -> {
                    String description =
                            JsonBodies.read(call.text()).path("Description").asText("");
                    nodes.putGroup(group(call), description, false);
                    return Reply.ok(describeGroup(group(call)));
                })
                .on("DELETE " + GROUPS + "/*", (call, user) -> {
                    nodes.deleteGroup(group(call));
                    return Reply.empty(204);
                })
                .on("GET " + GROUPS + "/*/nodes", (call, user) -> JsonBodies.list(nodes.nodesOf(group(call))))
                .on("PATCH " + GROUPS + "/*/nodes", (call, user) -> change(group(call), JsonBodies.read(call.text())));
    }

    private Reply nodes(Call call) {
        ArrayNode all = Json.array();
        synchronized (nodes) {
            nodes.all().stream().filter(node -> asked(call, node)).forEach(node -> all.add(describe(node)));
        }
        return Reply.ok(all);
    }

    private Reply node(Call call) {
        synchronized (nodes) {
            return Reply.ok(describe(nodes.find(call.segments().get(3))));
        }
    }

    private static boolean asked(Call call, ComputeNode node) {
        return Rows.listed(call.query("names"), node.name())
                && Rows.listed(call.query("state"), node.state())
                && Rows.listed(call.query("health"), node.health())
                && (call.query("group").isEmpty()
                        || node.groups().stream().anyMatch(call.query("group")::equalsIgnoreCase));
    }

    private ObjectNode describe(ComputeNode node) {
        ObjectNode tree = Json.object()
                .put("Name", node.name())
                .put("State", node.state())
                .put("Health", node.health())
                .put("Template", "Default ComputeNode Template")
                .put("Location", "")
                .put("MemorySize", MEMORY_MEBIBYTES)
                .put("Cores", node.cores())
                .put("Sockets", 1)
                .put("HpcPackVersion", version)
                .put("OnAzure", node.groups().contains("AzureNodes"));
        ArrayNode groups = tree.putArray("Groups");
        node.groups().forEach(groups::add);
        tree.putArray("Roles").add("ComputeNode");
        tree.putArray("InstalledServiceRoles").add("ComputeNode");
        tree.putArray("ActiveServiceRoles").add("ComputeNode");
        return tree;
    }

    private ArrayNode count(Function<ComputeNode, String> kind) {
        Map<String, Integer> counts = new TreeMap<>();
        synchronized (nodes) {
            nodes.all().forEach(node -> counts.merge(kind.apply(node), 1, Integer::sum));
        }
        ArrayNode all = Json.array();
        counts.forEach((name, value) -> all.addObject().put("Name", name).put("Value", value));
        return all;
    }

    private Reply operations(Call call) {
        ArrayNode all = Json.array();
        boolean detailed = Boolean.parseBoolean(call.query("withdetail"));
        nodes.operations().stream()
                .filter(each -> Rows.listed(call.query("nodenames"), each.node()))
                .forEach(each -> all.add(describe(each, detailed)));
        return Reply.ok(all);
    }

    private Reply first() {
        List<Nodes.Operation> log = nodes.operations();
        if (log.isEmpty()) {
            throw HttpRefusalException.notFound("There is no operation yet.");
        }
        return Reply.ok(describe(log.get(log.size() - 1), true));
    }

    private Reply operation(String id) {
        return Reply.ok(describe(
                nodes.operations().stream()
                        .filter(each -> each.id().equals(id))
                        .findFirst()
                        .orElseThrow(() -> HttpRefusalException.notFound("Operation " + id + " does not exist.")),
                true));
    }

    private static ObjectNode describe(Nodes.Operation operation, boolean detailed) {
        ObjectNode tree = Json.object()
                .put("Id", operation.id())
                .put("Name", operation.name())
                .put("State", "Committed")
                .put("Operator", "SYSTEM")
                .put("Node", operation.node())
                .put("Cancelable", false)
                .put("UpdateTime", operation.time().toString());
        if (detailed) {
            tree.putArray("Entries")
                    .addObject()
                    .put("Message", operation.name() + " was asked of " + operation.node())
                    .put("Severity", "Information")
                    .put("Source", "Emulator")
                    .put("CreateTime", operation.time().toString());
        }
        return tree;
    }

    private String group(Call call) {
        return nodes.group(call.segments().get(3));
    }

    private Reply groups() {
        ArrayNode all = Json.array();
        nodes.groups().keySet().forEach(name -> all.add(describeGroup(name)));
        return Reply.ok(all);
    }

    private Reply create(JsonNode body) {
        String name = body.path("Name").asText("");
        nodes.putGroup(name, body.path("Description").asText(""), true);
        return Reply.ok(describeGroup(name));
    }

    private Reply change(String group, JsonNode body) {
        String operation = body.path("Operation").asText("");
        if (!operation.equals("add") && !operation.equals("remove")) {
            throw HttpRefusalException.badRequest("The operation '" + operation + "' is not valid.");
        }
        nodes.change(group, operation.equals("add"), JsonBodies.readTexts(body.path("NodeNames")));
        return JsonBodies.list(nodes.nodesOf(group));
    }

    private ObjectNode describeGroup(String name) {
        return Json.object()
                .put("Name", name)
                .put("Description", nodes.groups().getOrDefault(name, ""))
                .put("Managed", Nodes.isManaged(name));
    }
}
