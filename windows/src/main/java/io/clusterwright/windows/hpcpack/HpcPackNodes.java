package io.clusterwright.windows.hpcpack;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.clusterwright.core.internal.concurrent.Backoff;
import io.clusterwright.core.internal.concurrent.Deadline;
import io.clusterwright.core.internal.json.Json;
import io.clusterwright.windows.internal.rest.HeadNodeHttp;
import io.clusterwright.windows.internal.rest.HeadNodeRequest;
import io.clusterwright.windows.internal.rest.HeadNodeRest;
import io.clusterwright.windows.internal.rest.HeadNodeRow;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The nodes of a head node and their groups. Changes need HPC Pack 2019; with others they throw {@link HpcPackException.Unsupported}.
 * Safe for use by several threads.
 */
public final class HpcPackNodes {
    private static final String NODE = "Name,Id,State,Reachable,NumberOfCores,NumberOfSockets,MemorySize,NodeGroups";

    private final HeadNodeRest rest;

    HpcPackNodes(HeadNodeRest rest) {
        this.rest = rest;
    }

    /** The nodes. */
    public List<HpcPackNode> list() {
        HeadNodeRequest request = rest.get("list the nodes", rest.is2019() ? "cluster/nodes" : "nodes");
        if (rest.is2019()) {
            List<HpcPackNode> all = new ArrayList<>();
            request.json().forEach(each -> all.add(HpcPackNode.of(each)));
            return all;
        }
        return (rest.is2012() ? request.query("properties", NODE) : request)
                .pages().stream().map(HeadNodeRow::node).toList();
    }

    /**
     * A node.
     *
     * @throws HpcPackException.NotFound when the head node has no node of this name
     */
    public HpcPackNode get(String name) {
        HeadNodeRequest request = rest.get("ask for node " + name, rest.is2019() ? "cluster/nodes/*" : "nodes/*", name);
        return rest.is2019()
                ? HpcPackNode.of(request.json())
                : request.properties().node();
    }

    /**
     * The placement domain of each node as far as the head node reports it, for {@link HpcPackJob#requireOneDomain}: burst nodes of one
     * node template are in one cloud service, and all others in the network of the head node.
     */
    public Map<String, String> domains() {
        return PlacementDomains.of(Map.of()).of(list());
    }

    /** Starts a burst or virtual node, as far as {@code OFFLINE}: see {@link #await}. Billed nodes cost from then on. */
    public void start(String node) {
        operate(node, "start");
    }

    /** Stops a burst or virtual node, as far as {@code NOT_DEPLOYED}: see {@link #await}. */
    public void stop(String node) {
        operate(node, "stop");
    }

    /** Lets a node take jobs; see {@link #await}. Nothing happens when it is online already. */
    public void bringOnline(String node) {
        operateUnless(NodeState.ONLINE, node, "bringOnline");
    }

    /** Lets a node take no more jobs; those that run there go on until it is {@code OFFLINE}: see {@link #await}. */
    public void takeOffline(String node) {
        operateUnless(NodeState.OFFLINE, node, "takeOffline");
    }

    /** Restarts the system of a node. */
    public void reboot(String node) {
        operate(node, "reboot");
    }

    /** Shuts the system of a node down. */
    public void shutdown(String node) {
        operate(node, "shutdown");
    }

    private void operateUnless(NodeState reached, String node, String operation) {
        require("change nodes", "use PowerShell on the head node (Set-HpcNodeState, Start-HpcAzureNode)");
        if (get(node).state() != reached) {
            operate(node, operation);
        }
    }

    private void operate(String node, String operation) {
        require("change nodes", "use PowerShell on the head node (Set-HpcNodeState, Start-HpcAzureNode)");
        rest.post(operation + " node " + node, "cluster/nodes/*/operations/*", node, operation)
                .send();
    }

    private void require(String what, String instead) {
        rest.require2019(what, instead);
    }

    /**
     * Waits for a node to reach a state, asking every 0.1 to 5 s.
     *
     * @throws HpcPackException.Unavailable when it does not in this time; the message has its last state
     */
    public HpcPackNode await(String name, NodeState goal, Duration limit) {
        Deadline deadline = Deadline.in("limit", limit);
        Backoff pauses = HpcPackClient.pauses();
        while (true) {
            HpcPackNode now = get(name);
            if (now.state() == goal) {
                return now;
            }
            if (deadline.passed()) {
                throw new HpcPackException.Unavailable(
                        "node " + name + " is " + now.state().word() + ", health "
                                + now.health().word() + ", expected " + goal.word() + " after " + limit.toSeconds()
                                + " s; check its operations in the cluster manager, or wait longer",
                        null);
            }
            HeadNodeHttp.pause(pauses.next(), deadline, "see node " + name + " become " + goal.word());
        }
    }

    /** The names of the node groups. */
    public List<String> groups() {
        HeadNodeRequest request =
                rest.get("list the node groups", rest.is2019() ? "cluster/nodeGroups" : "nodes/groups");
        if (rest.is2019()) {
            List<String> all = new ArrayList<>();
            request.json().forEach(each -> all.add(each.path("Name").asText("")));
            return all;
        }
        return (rest.is2012() ? request.pages() : request.rows())
                .stream().map(row -> row.text("Name")).toList();
    }

    /** The names of the nodes of a group. */
    public List<String> inGroup(String group) {
        return rest.get(
                        "list the nodes of group " + group,
                        rest.is2019() ? "cluster/nodeGroups/*/nodes" : "nodes/groups/*",
                        group)
                .texts();
    }

    /** Creates a node group. */
    public void createGroup(String name, String description) {
        require("create node groups", "use New-HpcGroup on the head node");
        rest.post("create node group " + name, "cluster/nodeGroups")
                .rawBody(Json.write(Json.object().put("Name", name).put("Description", description)))
                .send();
    }

    /** Deletes a node group; its nodes stay. */
    public void deleteGroup(String name) {
        require("delete node groups", "use Remove-HpcGroup on the head node");
        rest.request("DELETE", "delete node group " + name, "cluster/nodeGroups/*", name)
                .send();
    }

    /**
     * Adds nodes to a group.
     *
     * @return the nodes it has now
     */
    public List<String> addToGroup(String group, List<String> nodes) {
        return change(group, "add", nodes);
    }

    /**
     * Takes nodes out of a group.
     *
     * @return the nodes it has now
     */
    public List<String> removeFromGroup(String group, List<String> nodes) {
        return change(group, "remove", nodes);
    }

    private List<String> change(String group, String operation, List<String> nodes) {
        require("change node groups", "use Add-HpcGroup or Remove-HpcGroup on the head node");
        ObjectNode body = Json.object().put("GroupName", group).put("Operation", operation);
        nodes.forEach(body.putArray("NodeNames")::add);
        return rest.request("PATCH", "change node group " + group, "cluster/nodeGroups/*/nodes", group)
                .rawBody(Json.write(body))
                .texts();
    }
}
