package io.clusterwright.windows.hpcpack;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.clusterwright.core.internal.concurrent.Backoff;
import io.clusterwright.core.internal.concurrent.Deadline;
import io.clusterwright.core.internal.json.Json;
import io.clusterwright.windows.internal.quoting.PowerShellQuoting;
import io.clusterwright.windows.internal.rest.HeadNodeHttp;
import io.clusterwright.windows.internal.rest.HeadNodeRequest;
import io.clusterwright.windows.internal.rest.HeadNodeRest;
import io.clusterwright.windows.internal.rest.HeadNodeRow;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The nodes of a head node and their groups. Use it to take nodes offline and online, and to group them. Changes need
 * HPC Pack 2019; with others they throw {@link HpcPackException.Unsupported}, whose {@link
 * HpcPackException.Unsupported#commands() commands} do the same in PowerShell on the head node. Safe for use by
 * several threads. Source of the commands: MicrosoftDocs/windows-powershell-docs, docset/winserver2012r2-ps/hpc, and
 * azure-docs, classic/hpcpack-cluster-node-manage.md.
 *
 * <pre>{@code
 * HpcPackNodes nodes = client.nodes();
 * for (HpcPackNode node : nodes.list()) {
 *     if (node.health() != NodeHealth.OK) {
 *         nodes.takeOffline(node.name()); // it takes no more jobs
 *     }
 * }
 * nodes.takeOffline("CN002");
 * HpcPackNode offline = nodes.await("CN002", NodeState.OFFLINE, Duration.ofMinutes(5));
 * System.out.println(offline.state() + ", groups " + offline.groups());
 * }</pre>
 */
public final class HpcPackNodes {
    /** The group of burst nodes, which HPC Pack fills. */
    private static final String BURST = "AzureNodes";

    /** The properties of a node in 2012 and 2012 R2, which refuse others. */
    private static final String NODE = "Name,Id,State,Reachable,NumCores,NumSockets,MemorySize,NodeGroups";

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

    /** Starts burst or virtual nodes, as far as {@code OFFLINE}: see {@link #await}. Billed nodes cost from then on. */
    public void start(String... nodes) {
        operate("start", List.of(nodes), names -> ofMachines("Start", names));
    }

    /** Stops burst or virtual nodes, as far as {@code NOT_DEPLOYED}: see {@link #await}. */
    public void stop(String... nodes) {
        operate("stop", List.of(nodes), names -> ofMachines("Stop", names));
    }

    /** Lets nodes take jobs; see {@link #await}. Nodes that are online stay as they are. */
    public void bringOnline(String... nodes) {
        operate("bringOnline", others(NodeState.ONLINE, nodes), names -> stateOf("Online", names));
    }

    /** Lets nodes take no more jobs; jobs that run there go on until the node is {@code OFFLINE}: see {@link #await}. */
    public void takeOffline(String... nodes) {
        operate("takeOffline", others(NodeState.OFFLINE, nodes), names -> stateOf("Offline", names));
    }

    /** Restarts the system of nodes. */
    public void reboot(String... nodes) {
        operate("reboot", List.of(nodes), names -> List.of(ofNodes("Restart-HpcNode", names)));
    }

    /** Shuts the system of nodes down. */
    public void shutdown(String... nodes) {
        operate("shutdown", List.of(nodes), names -> List.of(ofNodes("Shutdown-HpcNode", names)));
    }

    /** The nodes that are in another state: the head node refuses a state that a node has already. */
    private List<String> others(NodeState state, String... nodes) {
        return Stream.of(nodes).filter(node -> get(node).state() != state).toList();
    }

    private void operate(String operation, List<String> nodes, Function<List<String>, List<String>> commands) {
        if (!rest.is2019() && !nodes.isEmpty()) {
            throw rest.unsupported("change nodes", commands.apply(nodes));
        }
        for (String node : nodes) {
            rest.post(operation + " node " + node, "cluster/nodes/*/operations/*", node, operation)
                    .send();
        }
    }

    private static List<String> stateOf(String state, List<String> nodes) {
        return List.of(cmdlet("Set-HpcNodeState -Name " + PowerShellQuoting.literals(nodes) + " -State " + state
                + " -Confirm:$false"));
    }

    private static String ofNodes(String cmdlet, List<String> nodes) {
        return cmdlet(cmdlet + " -Name " + PowerShellQuoting.literals(nodes) + " -Confirm:$false");
    }

    /** Burst nodes have cmdlets, virtual machines of the deployment script of 2012 R2 have scripts, others have neither. */
    private List<String> ofMachines(String verb, List<String> nodes) {
        Set<String> burst = list().stream()
                .filter(node -> node.groups().stream().anyMatch(BURST::equalsIgnoreCase))
                .map(node -> node.name().toLowerCase(Locale.ROOT))
                .collect(Collectors.toSet());
        Map<Boolean, List<String>> kinds = nodes.stream()
                .collect(Collectors.partitioningBy(node -> burst.contains(node.toLowerCase(Locale.ROOT))));
        List<String> roles = kinds.getOrDefault(true, List.of());
        List<String> machines = kinds.getOrDefault(false, List.of());
        if (!machines.isEmpty() && !rest.is2012()) {
            String word = verb.toLowerCase(Locale.ROOT);
            throw rest.unsupported(
                    word + " virtual machines",
                    word + " " + String.join(", ", machines) + " in Azure, where their resource group is (az vm "
                            + (word.equals("stop") ? "deallocate" : word) + ")");
        }
        List<String> commands = new ArrayList<>();
        if (!roles.isEmpty()) {
            commands.add(cmdlet(verb + "-HpcAzureNode -Name " + PowerShellQuoting.literals(roles)));
        }
        if (!machines.isEmpty()) {
            commands.add("& \"$env:CCP_HOME\\bin\\" + verb + "-HPCIaaSNode.ps1\" -Name "
                    + PowerShellQuoting.literals(machines));
        }
        return commands;
    }

    /** A call of a cmdlet that works in any window of Windows PowerShell: the snap-in may be loaded already. */
    private static String cmdlet(String call) {
        return "Add-PSSnapin Microsoft.HPC -ErrorAction SilentlyContinue; " + call;
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
        if (!rest.is2019()) {
            throw rest.unsupported("create node groups", List.of(cmdlet(newGroup(name, description))));
        }
        rest.post("create node group " + name, "cluster/nodeGroups")
                .rawBody(Json.write(Json.object().put("Name", name).put("Description", description)))
                .send();
    }

    private static String newGroup(String name, String description) {
        return "New-HpcGroup -Name " + PowerShellQuoting.literal(name)
                + (description.isEmpty() ? "" : " -Description " + PowerShellQuoting.literal(description));
    }

    /** Deletes a node group; its nodes stay. */
    public void deleteGroup(String name) {
        if (!rest.is2019()) {
            throw rest.unsupported(
                    "delete node groups",
                    List.of(cmdlet("Remove-HpcGroup -Name " + PowerShellQuoting.literal(name) + " -Confirm:$false")));
        }
        rest.request("DELETE", "delete node group " + name, "cluster/nodeGroups/*", name)
                .send();
    }

    /**
     * Adds nodes to a group, which is created when it is missing.
     *
     * @return the nodes it has now
     */
    public List<String> addToGroup(String group, List<String> nodes) {
        boolean missing = groups().stream().noneMatch(group::equalsIgnoreCase);
        if (missing && rest.is2019()) {
            createGroup(group, "");
        }
        return change(
                group,
                "add",
                nodes,
                (missing ? newGroup(group, "") + "; " : "") + "Add-HpcGroup -Name " + PowerShellQuoting.literal(group)
                        + " -NodeName " + PowerShellQuoting.literals(nodes));
    }

    /**
     * Takes nodes out of a group.
     *
     * @return the nodes it has now
     */
    public List<String> removeFromGroup(String group, List<String> nodes) {
        return change(
                group,
                "remove",
                nodes,
                "Remove-HpcGroup -Name " + PowerShellQuoting.literal(group) + " -NodeName "
                        + PowerShellQuoting.literals(nodes) + " -Confirm:$false");
    }

    private List<String> change(String group, String operation, List<String> nodes, String call) {
        if (nodes.isEmpty()) {
            // Remove-HpcGroup without nodes deletes the group.
            return inGroup(group);
        }
        if (!rest.is2019()) {
            throw rest.unsupported("change node groups", List.of(cmdlet(call)));
        }
        ObjectNode body = Json.object().put("GroupName", group).put("Operation", operation);
        nodes.forEach(body.putArray("NodeNames")::add);
        return rest.request("PATCH", "change node group " + group, "cluster/nodeGroups/*/nodes", group)
                .rawBody(Json.write(body))
                .texts();
    }
}
