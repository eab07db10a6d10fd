package io.clusterwright.windows.emulator.internal.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.clusterwright.windows.emulator.internal.http.Call;
import io.clusterwright.windows.emulator.internal.http.HeadNodeException;
import io.clusterwright.windows.emulator.internal.http.Reply;
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
            return Optional.of(Json.reply(all));
        }
        if (call.is("POST", "cluster", "nodeGroups")) {
            JsonNode body = Json.read(call.body());
            String name = body.path("Name").asText("");
            nodes.putGroup(name, body.path("Description").asText(""), true);
            return Optional.of(Json.reply(describe(name)));
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
            return Optional.of(Json.reply(describe(name)));
        }
        if (call.is("PUT", "cluster", "nodeGroups", "*")) {
            nodes.putGroup(name, Json.read(call.body()).path("Description").asText(""), false);
            return Optional.of(Json.reply(describe(name)));
        }
        if (call.is("DELETE", "cluster", "nodeGroups", "*")) {
            nodes.deleteGroup(name);
            return Optional.of(Reply.empty(204));
        }
        if (call.is("GET", "cluster", "nodeGroups", "*", "nodes")) {
            return Optional.of(Json.texts(nodes.nodesOf(name)));
        }
        if (call.is("PATCH", "cluster", "nodeGroups", "*", "nodes")) {
            JsonNode body = Json.read(call.body());
            String operation = body.path("Operation").asText("");
            if (!operation.equals("add") && !operation.equals("remove")) {
                throw HeadNodeException.badRequest("The operation '" + operation + "' is not valid.");
            }
            nodes.change(name, operation.equals("add"), Json.readTexts(body.path("NodeNames")));
            return Optional.of(Json.texts(nodes.nodesOf(name)));
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
