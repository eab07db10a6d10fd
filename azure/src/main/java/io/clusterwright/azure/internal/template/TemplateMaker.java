package io.clusterwright.azure.internal.template;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.clusterwright.azure.ArmTemplate;
import io.clusterwright.azure.internal.TemplateBodies;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.OperatingSystem;
import io.clusterwright.core.spec.NetworkSpec.SshAccess;
import io.clusterwright.core.spi.RenderInput;
import io.clusterwright.core.type.Ipv4Address;
import io.clusterwright.core.type.NodeName;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Puts a template together: which nodes are alike, and in which order everything is made. */
public final class TemplateMaker {
    private static final String NODES = "nodes";
    private static final String REACHABLE = "reachableNodes";
    private static final String INNER = "innerNodes";
    private static final String HEAD = "headNode";
    static final String COUNT = "nodeCount";
    static final String SIZE = "vmSize";
    private static final String HEAD_SIZE = "headVmSize";
    static final String ACCELERATED = "acceleratedNetworking";
    private static final String HEAD_ACCELERATED = "headAcceleratedNetworking";

    private final RenderInput input;
    private final ClusterSpec spec;
    private final SshAccess.External external;
    private final Resources resources;
    private final Parameters parameters = new Parameters();
    private final ObjectNode variables = JsonNodeFactory.instance.objectNode();
    private final ObjectNode outputs = JsonNodeFactory.instance.objectNode();
    private final SharedResources shared;
    private final DeployerParameters asked;

    public TemplateMaker(RenderInput input) {
        this.input = input;
        this.spec = input.spec();
        if (spec.operatingSystem() != OperatingSystem.LINUX) {
            throw new IllegalArgumentException(
                    "this makes templates of Linux clusters; " + spec.name() + " runs " + spec.operatingSystem());
        }
        this.external = spec.network().ssh().external();
        this.resources = new Resources(spec);
        this.shared = new SharedResources(spec, resources);
        this.asked = new DeployerParameters(input, parameters);
    }

    public ArmTemplate make() {
        asked.add();
        variables.set("tags", shared.tags());
        parameters.known(
                SIZE,
                "string",
                "Size of the compute nodes.",
                text(spec.nodes().size().orElseThrow().name()));
        parameters.known(
                ACCELERATED,
                "bool",
                "Whether their interfaces use accelerated networking; the size must support it.",
                asked.accelerated(spec.nodes().size().orElseThrow()));
        if (TemplateBodies.isScaleSet(spec)) {
            scaleSet();
        } else {
            machines();
        }
        return ArmTemplate.of(variables, outputs, resources, parameters, asked.notes());
    }

    private void scaleSet() {
        boolean reachable = external == SshAccess.External.ALL;
        parameters.known(
                COUNT,
                "int",
                "How many nodes there are.",
                JsonNodeFactory.instance.numberNode(spec.nodes().count()));
        asked.ofScaleSet();
        input.heads().forEach(this::headParameters);
        shared.network();
        shared.placement();
        ScaleSetResources set = new ScaleSetResources(spec, resources, reachable);
        boolean openHead = !input.heads().isEmpty() && headReachable();
        if (hasPorts() && (reachable || openHead)) {
            set.ports(
                    openHead ? NodeSet.single(Parameters.bare(HEAD), NodeSample.compute(spec, true)) : NodeSet.NONE,
                    reachable);
            outputs.putObject("sshAddress").put("type", "string").put("value", shared.addressOutput());
        }
        MachineResources machines = new MachineResources(spec, resources, asked.plan());
        input.heads().keySet().forEach(head -> head(machines));
        set.scaleSet(asked.plan());
    }

    private void machines() {
        boolean hasHead = !input.heads().isEmpty();
        Map<NodeName, Ipv4Address> reachable = new LinkedHashMap<>();
        Map<NodeName, Ipv4Address> inner = new LinkedHashMap<>();
        input.nodes().forEach((node, address) -> {
            boolean first = reachable.isEmpty() && inner.isEmpty();
            boolean open =
                    external == SshAccess.External.ALL || external == SshAccess.External.HEAD && first && !hasHead;
            (open ? reachable : inner).put(node, address);
        });
        boolean split = !reachable.isEmpty() && !inner.isEmpty();
        String reachableName = split ? REACHABLE : NODES;
        String innerName = split ? INNER : NODES;
        nodes(reachableName, "The compute nodes that answer SSH from outside", reachable, true);
        nodes(innerName, "The compute nodes" + (split ? " that do not" : ""), inner, false);
        input.heads().forEach(this::headParameters);
        if (split) {
            variables.put(NODES, "[concat(" + Parameters.bare(REACHABLE) + ", " + Parameters.bare(INNER) + ")]");
        }

        shared.network();
        shared.placement();
        if (hasPorts()) {
            ports(reachable.isEmpty() ? "" : Parameters.bare(reachableName));
        }
        MachineResources machines = new MachineResources(spec, resources, asked.plan());
        input.heads().keySet().forEach(head -> head(machines));
        compute(machines, reachable.isEmpty() ? "" : reachableName, inner.isEmpty() ? "" : innerName);
    }

    private boolean hasPorts() {
        return new TemplateBodies(spec).sharedAddress().isPresent();
    }

    private boolean headReachable() {
        return external != SshAccess.External.NONE;
    }

    private void nodes(String name, String description, Map<NodeName, Ipv4Address> nodes, boolean open) {
        if (nodes.isEmpty()) {
            return;
        }
        boolean ports = open && hasPorts();
        ArrayNode values = JsonNodeFactory.instance.arrayNode();
        TemplateBodies bodies = new TemplateBodies(spec.toBuilder()
                .network(n -> n.ssh(ssh -> ssh.external(SshAccess.External.ALL)))
                .build());
        nodes.forEach((node, address) ->
                values.add(node(node, address, ports ? bodies.port(node).orElseThrow() : 0)));
        parameters.known(
                name,
                "array",
                description + ": name and static private address of each"
                        + (ports ? ", and the port of the shared address that leads to it." : "."),
                values);
    }

    private void headParameters(NodeName head, Ipv4Address address) {
        boolean ports = headReachable() && hasPorts();
        int port = ports
                ? Integer.parseInt(spec.network().ssh().portPrefix().orElseThrow()
                        + ""
                        + spec.headNode().orElseThrow().index())
                : 0;
        parameters.known(
                HEAD,
                "object",
                "The head node: name and static private address"
                        + (ports ? ", and the port of the shared address that leads to it." : "."),
                node(head, address, port));
        parameters.known(
                HEAD_SIZE,
                "string",
                "Size of the head node.",
                text(spec.headNode().orElseThrow().size().name()));
        parameters.known(
                HEAD_ACCELERATED,
                "bool",
                "Whether its interface uses accelerated networking; the size must support it.",
                asked.accelerated(spec.headNode().orElseThrow().size()));
    }

    private static ObjectNode node(NodeName node, Ipv4Address address, int port) {
        ObjectNode value = JsonNodeFactory.instance
                .objectNode()
                .put("name", node.value())
                .put("privateAddress", address.toString());
        return port == 0 ? value : value.put("sshPort", port);
    }

    private void ports(String compute) {
        List<String> lists = new ArrayList<>();
        if (!input.heads().isEmpty()) {
            lists.add("createArray(" + Parameters.bare(HEAD) + ")");
        }
        if (!compute.isEmpty()) {
            lists.add(compute);
        }
        String list = lists.get(0);
        if (!input.heads().isEmpty()) {
            variables.put(
                    REACHABLE, lists.size() == 1 ? "[" + list + "]" : "[concat(" + String.join(", ", lists) + ")]");
            list = "variables('" + REACHABLE + "')";
        }
        shared.ports(list, NodeSample.compute(spec, true));
        outputs.putObject("sshAddress").put("type", "string").put("value", shared.addressOutput());
    }

    private void head(MachineResources machines) {
        NodeSample sample = NodeSample.head(spec, spec.headNode().orElseThrow().size(), headReachable());
        NodeSet head = NodeSet.single(Parameters.bare(HEAD), sample);
        machines.interfaces(head, sample, HEAD_ACCELERATED);
        machines.machines(head, sample, HEAD_SIZE);
    }

    private void compute(MachineResources machines, String reachable, String inner) {
        for (String name : List.of(reachable, inner)) {
            if (!name.isEmpty()) {
                NodeSample sample = NodeSample.compute(spec, name.equals(reachable));
                machines.interfaces(NodeSet.of(Parameters.bare(name), name, sample), sample, ACCELERATED);
            }
        }
        boolean split = !reachable.isEmpty() && !inner.isEmpty();
        NodeSample sample = NodeSample.compute(spec, false);
        NodeSet all = NodeSet.of(split ? "variables('" + NODES + "')" : Parameters.bare(NODES), NODES, sample);
        machines.machines(all, sample, SIZE);
        machines.extensions(all, sample);
    }

    private static JsonNode text(String value) {
        return JsonNodeFactory.instance.textNode(value);
    }
}
