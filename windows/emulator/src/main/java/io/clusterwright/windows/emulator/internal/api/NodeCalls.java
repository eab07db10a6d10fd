package io.clusterwright.windows.emulator.internal.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.clusterwright.core.internal.http.Call;
import io.clusterwright.core.internal.http.HttpRefusalException;
import io.clusterwright.core.internal.http.Reply;
import io.clusterwright.core.internal.json.Json;
import io.clusterwright.windows.emulator.internal.scheduler.ComputeNode;
import io.clusterwright.windows.emulator.internal.scheduler.Nodes;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;

/** Requests about nodes and node groups, as HPC Pack 2019 has them. */
final class NodeCalls {
    private static final int MEMORY_MEBIBYTES = 28_672;

    private final Nodes nodes;
    private final String version;

    NodeCalls(Nodes nodes, String version) {
        this.nodes = nodes;
        this.version = version;
    }

    Optional<Reply> answer(Call call) {
        if (call.is("GET", "cluster", "nodes")) {
            ArrayNode all = Json.array();
            synchronized (nodes) {
                nodes.all().stream().filter(node -> asked(call, node)).forEach(node -> all.add(describe(node)));
            }
            return Optional.of(Reply.ok(all));
        }
        if (call.is("GET", "cluster", "nodes", "stats", "state")) {
            return Optional.of(Reply.ok(count(ComputeNode::state)));
        }
        if (call.is("GET", "cluster", "nodes", "stats", "health")) {
            return Optional.of(Reply.ok(count(ComputeNode::health)));
        }
        if (call.is("GET", "cluster", "nodes", "*")) {
            synchronized (nodes) {
                return Optional.of(Reply.ok(describe(nodes.find(call.segments().get(2)))));
            }
        }
        if (call.is("POST", "cluster", "nodes", "*", "operations", "*")) {
            nodes.operate(call.segments().get(2), call.segments().get(4));
            return Optional.of(Reply.empty(202));
        }
        return operations(call).or(() -> groups(call));
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

    private Optional<Reply> operations(Call call) {
        List<Nodes.Operation> log = nodes.operations();
        if (call.is("GET", "cluster", "operations")) {
            ArrayNode all = Json.array();
            boolean detailed = Boolean.parseBoolean(call.query("withdetail"));
            log.stream()
                    .filter(each -> Rows.listed(call.query("nodenames"), each.node()))
                    .forEach(each -> all.add(describe(each, detailed)));
            return Optional.of(Reply.ok(all));
        }
        if (call.is("GET", "cluster", "operations", "first")) {
            if (log.isEmpty()) {
                throw HttpRefusalException.notFound("There is no operation yet.");
            }
            return Optional.of(Reply.ok(describe(log.get(log.size() - 1), true)));
        }
        if (call.is("GET", "cluster", "operations", "*")) {
            String id = call.segments().get(2);
            return Optional.of(Reply.ok(describe(
                    log.stream()
                            .filter(each -> each.id().equals(id))
                            .findFirst()
                            .orElseThrow(() -> HttpRefusalException.notFound("Operation " + id + " does not exist.")),
                    true)));
        }
        return Optional.empty();
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

    private Optional<Reply> groups(Call call) {
        if (call.is("GET", "cluster", "nodeGroups")) {
            ArrayNode all = Json.array();
            nodes.groups().keySet().forEach(name -> all.add(describeGroup(name)));
            return Optional.of(Reply.ok(all));
        }
        if (call.is("POST", "cluster", "nodeGroups")) {
            JsonNode body = HpcJson.read(call.text());
            String name = body.path("Name").asText("");
            nodes.putGroup(name, body.path("Description").asText(""), true);
            return Optional.of(Reply.ok(describeGroup(name)));
        }
        if (call.segments().size() < 3
                || !call.segments().get(0).equals("cluster")
                || !call.segments().get(1).equalsIgnoreCase("nodeGroups")) {
            return Optional.empty();
        }
        return group(call, nodes.group(call.segments().get(2)));
    }

    private Optional<Reply> group(Call call, String name) {
        if (call.is("GET", "cluster", "nodeGroups", "*")) {
            return Optional.of(Reply.ok(describeGroup(name)));
        }
        if (call.is("PUT", "cluster", "nodeGroups", "*")) {
            nodes.putGroup(name, HpcJson.read(call.text()).path("Description").asText(""), false);
            return Optional.of(Reply.ok(describeGroup(name)));
        }
        if (call.is("DELETE", "cluster", "nodeGroups", "*")) {
            nodes.deleteGroup(name);
            return Optional.of(Reply.empty(204));
        }
        if (call.is("GET", "cluster", "nodeGroups", "*", "nodes")) {
            return Optional.of(HpcJson.texts(nodes.nodesOf(name)));
        }
        if (call.is("PATCH", "cluster", "nodeGroups", "*", "nodes")) {
            JsonNode body = HpcJson.read(call.text());
            String operation = body.path("Operation").asText("");
            if (!operation.equals("add") && !operation.equals("remove")) {
                throw HttpRefusalException.badRequest("The operation '" + operation + "' is not valid.");
            }
            nodes.change(name, operation.equals("add"), HpcJson.readTexts(body.path("NodeNames")));
            return Optional.of(HpcJson.texts(nodes.nodesOf(name)));
        }
        return Optional.empty();
    }

    private ObjectNode describeGroup(String name) {
        return Json.object()
                .put("Name", name)
                .put("Description", nodes.groups().getOrDefault(name, ""))
                .put("Managed", Nodes.isManaged(name));
    }
}
