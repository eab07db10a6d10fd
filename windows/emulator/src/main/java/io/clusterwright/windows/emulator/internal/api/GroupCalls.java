package io.clusterwright.windows.emulator.internal.api;

import io.clusterwright.core.internal.json.Json;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.clusterwright.core.internal.http.Call;
import io.clusterwright.core.internal.http.HttpRefusalException;
import io.clusterwright.core.internal.http.Reply;
import io.clusterwright.windows.emulator.internal.scheduler.Nodes;
import java.util.Optional;

/** What is asked of node groups, as HPC Pack 2019 has it. */
final class GroupCalls {
    private final Nodes nodes;

    GroupCalls(Nodes nodes) {
        this.nodes = nodes;
    }

    Optional<Reply> answer(Call call) {
        if (call.is("GET", "cluster", "nodeGroups")) {
            ArrayNode all = Json.array();
            nodes.groups().keySet().forEach(name -> all.add(describe(name)));
            return Optional.of(Reply.ok(all));
        }
        if (call.is("POST", "cluster", "nodeGroups")) {
            JsonNode body = HpcJson.read(call.text());
            String name = body.path("Name").asText("");
            nodes.putGroup(name, body.path("Description").asText(""), true);
            return Optional.of(Reply.ok(describe(name)));
        }
        if (call.segments().size() < 3
                || !call.segments().get(0).equals("cluster")
                || !call.segments().get(1).equalsIgnoreCase("nodeGroups")) {
            return Optional.empty();
        }
        return one(call, nodes.group(call.segments().get(2)));
    }

    private Optional<Reply> one(Call call, String name) {
        if (call.is("GET", "cluster", "nodeGroups", "*")) {
            return Optional.of(Reply.ok(describe(name)));
        }
        if (call.is("PUT", "cluster", "nodeGroups", "*")) {
            nodes.putGroup(name, HpcJson.read(call.text()).path("Description").asText(""), false);
            return Optional.of(Reply.ok(describe(name)));
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

    private ObjectNode describe(String name) {
        return Json.object()
                .put("Name", name)
                .put("Description", nodes.groups().getOrDefault(name, ""))
                .put("Managed", Nodes.isManaged(name));
    }
}
