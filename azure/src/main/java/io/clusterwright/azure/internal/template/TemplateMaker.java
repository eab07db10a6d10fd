package io.clusterwright.azure.internal.template;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.clusterwright.azure.internal.resource.ClusterResources;
import io.clusterwright.azure.internal.resource.ResourceNames;
import io.clusterwright.azure.internal.resource.Tags;
import io.clusterwright.core.internal.arm.ArmResource;
import io.clusterwright.core.internal.arm.ArmScope;
import io.clusterwright.core.internal.arm.ArmTemplateDocument;
import io.clusterwright.core.internal.arm.ArmTemplateDocument.Loop;
import io.clusterwright.core.internal.arm.ArmText;
import io.clusterwright.core.internal.arm.NetworkResources;
import io.clusterwright.core.internal.json.Json;
import io.clusterwright.core.plan.RenderedFile;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.ExtensionSpec;
import io.clusterwright.core.spec.NetworkSpec.SshAccess;
import io.clusterwright.core.spi.RenderInput;
import io.clusterwright.core.type.Ipv4Address;
import io.clusterwright.core.type.NodeName;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Assembles the template of a cluster: groups nodes that are alike, and orders the resources. */
final class TemplateMaker {
    private static final String SSH = "ssh";
    private static final String POOLS = "pools";
    private static final String NODES = "nodes";
    private static final String REACHABLE = "reachableNodes";
    private static final String INNER = "innerNodes";
    private static final String HEAD = "headNode";
    private static final String COUNT = "nodeCount";
    private static final String SIZE = "vmSize";
    private static final String HEAD_SIZE = "headVmSize";
    private static final String ACCELERATED = "acceleratedNetworking";
    private static final String HEAD_ACCELERATED = "headAcceleratedNetworking";

    private final RenderInput input;
    private final ClusterSpec spec;
    private final SshAccess.External external;
    private final boolean reachableHead;
    private final ResourceNames names;
    private final ClusterResources resources;
    private final ArmTemplateDocument document = new ArmTemplateDocument();
    private final DeployerParameters asked;

    TemplateMaker(RenderInput input) {
        this.input = input;
        this.spec = input.spec();
        this.external = spec.network().ssh().external();
        this.reachableHead = external != SshAccess.External.NONE;
        this.names = new ResourceNames("", spec);
        this.resources = ClusterResources.template(names);
        this.asked = new DeployerParameters(input, document);
    }

    /** The template, and the file of its parameters with notes for the deployer. */
    List<RenderedFile> make() {
        asked.add(reachableHead && !names.ports().ofHeadOnly());
        document.variables().set("tags", ArmScope.template().literal(Json.MAPPER.valueToTree(Tags.of(spec))));
        asked.known(
                SIZE,
                "string",
                "Size of the compute nodes.",
                spec.nodes().requireSize().name());
        asked.known(
                ACCELERATED,
                "bool",
                "Whether their interfaces use accelerated networking; the size must support it.",
                asked.accelerated(spec.nodes().requireSize()));
        if (names.hasScaleSet()) {
            scaleSet();
        } else {
            machines();
        }
        RenderedFile values = RenderedFile.text(DeployerParameters.PARAMETERS_FILE, document.parameters());
        for (String note : asked.notes()) {
            values = values.withNote(note);
        }
        return List.of(RenderedFile.text(DeployerParameters.TEMPLATE_FILE, document.template()), values);
    }

    private void scaleSet() {
        boolean reachable = external == SshAccess.External.ALL;
        asked.known(COUNT, "int", "How many nodes there are.", spec.nodes().count());
        asked.ofScaleSet();
        input.heads().forEach(this::headParameters);
        network();
        placement();
        boolean openHead = !input.heads().isEmpty() && reachableHead;
        if (names.ports().isShared()) {
            document.add(resources.sharedAddress());
            NetworkResources.Balancer balancer = resources.loadBalancer();
            balancer.addPool(ArmText.plain(ResourceNames.OUTBOUND));
            if (names.ports().isRange()) {
                resources.addRange(balancer);
            }
            if (openHead) {
                String head = ArmText.parameter(HEAD).text();
                balancer.addPool(rule(head));
                balancer.add(natRule(balancer, head));
            }
            document.add(balancer.build());
            addressOutput();
        }
        input.heads().keySet().forEach(head -> head());
        document.add(resources.scaleSet(
                values(SIZE, ACCELERATED),
                spec.nodes().prefix(),
                ArmText.parameter(COUNT).json(),
                reachable && !names.ports().isShared()));
        asked.end(false)
                .ifPresent(end -> document.add(resources.autoscale(end.at(DeployerParameters.ISO), end.later())));
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
            document.variables()
                    .put(
                            NODES,
                            "[concat(" + ArmText.parameter(REACHABLE).text() + ", "
                                    + ArmText.parameter(INNER).text() + ")]");
        }

        network();
        placement();
        if (names.ports().isShared()) {
            ports(reachable.isEmpty() ? "" : ArmText.parameter(reachableName).text());
        }
        input.heads().keySet().forEach(head -> head());
        compute(reachable.isEmpty() ? "" : reachableName, inner.isEmpty() ? "" : innerName);
    }

    private void network() {
        document.add(resources.securityGroup(
                ArmText.parameter(DeployerParameters.ALLOWED).json(), List.of()));
        if (!spec.network().existing()) {
            document.add(resources.network());
        }
    }

    private void placement() {
        if (names.hasProximityGroup()) {
            document.add(resources.proximityGroup());
        }
        if (names.hasAvailabilitySet()) {
            document.add(resources.availabilitySet());
        }
    }

    /** The rule that leads from a node's port to it. */
    private static ObjectNode natRule(NetworkResources.Balancer balancer, String node) {
        JsonNode port = ArmText.expression(node + ".sshPort").json();
        return balancer.rule(rule(node), port, port, rule(node));
    }

    /** The name of that rule, and of the pool with the node alone. */
    private static ArmText rule(String node) {
        return ArmText.join(ArmText.plain(ResourceNames.NAT_RULE), ArmText.expression(node + ".name"));
    }

    private void addressOutput() {
        document.outputs()
                .putObject("sshAddress")
                .put("type", "string")
                .put("value", "[reference(" + resources.sharedAddress().id().operand() + ").ipAddress]");
    }

    private void nodes(String name, String description, Map<NodeName, Ipv4Address> nodes, boolean open) {
        if (nodes.isEmpty()) {
            return;
        }
        boolean ports = open && names.ports().isShared();
        ArrayNode values = Json.array();
        nodes.forEach((node, address) ->
                values.add(node(node, address, ports ? names.ports().of(node) : 0)));
        asked.known(
                name,
                "array",
                description + ": name and static private address of each"
                        + (ports ? ", and the port of the shared address that leads to it." : "."),
                values);
    }

    private void headParameters(NodeName head, Ipv4Address address) {
        boolean ports = reachableHead && names.ports().isShared();
        int port = ports ? names.ports().of(head) : 0;
        asked.known(
                HEAD,
                "object",
                "The head node: name and static private address"
                        + (ports ? ", and the port of the shared address that leads to it." : "."),
                node(head, address, port));
        asked.known(
                HEAD_SIZE,
                "string",
                "Size of the head node.",
                spec.headNode().orElseThrow().requireSize().name());
        asked.known(
                HEAD_ACCELERATED,
                "bool",
                "Whether its interface uses accelerated networking; the size must support it.",
                asked.accelerated(spec.headNode().orElseThrow().requireSize()));
    }

    private static ObjectNode node(NodeName node, Ipv4Address address, int port) {
        ObjectNode value = Json.object().put("name", node.value()).put("privateAddress", address.toString());
        return port == 0 ? value : value.put("sshPort", port);
    }

    private void ports(String compute) {
        String list = compute;
        if (!input.heads().isEmpty()) {
            String heads = "createArray(" + ArmText.parameter(HEAD).text() + ")";
            document.variables()
                    .put(REACHABLE, compute.isEmpty() ? "[" + heads + "]" : "[concat(" + heads + ", " + compute + ")]");
            list = "variables('" + REACHABLE + "')";
        }
        document.add(resources.sharedAddress());
        NetworkResources.Balancer balancer = resources.loadBalancer();
        document.variables()
                .putObject(SSH)
                .putArray("copy")
                .addObject()
                .put("name", POOLS)
                .put("count", "[length(" + list + ")]")
                .putObject("input")
                .put("name", rule(list + "[copyIndex('" + POOLS + "')]").toString());
        balancer.pools(ArmText.expression("concat(createArray(createObject('name', '" + ResourceNames.OUTBOUND
                + "')), variables('" + SSH + "')." + POOLS + ")"));
        balancer.addEach(list, natRule(balancer, list + "[copyIndex('inboundNatRules')]"));
        document.add(balancer.build());
        addressOutput();
    }

    private void head() {
        NodeList head = new NodeList("", ArmText.parameter(HEAD).text(), "");
        ClusterResources.NodeValues node = node(head, reachableHead, false);
        interfaces(head, node, HEAD_ACCELERATED);
        add(head, resources.machine(node, values(HEAD_SIZE, HEAD_ACCELERATED)));
        stop(head);
    }

    /** Stops machines when the time to live is over. */
    private void stop(NodeList nodes) {
        asked.end(true).ifPresent(end -> add(nodes, resources.autoShutdown(nodes.name(), end.at("HHmm"))));
    }

    private void compute(String reachable, String inner) {
        for (String name : List.of(reachable, inner)) {
            if (!name.isEmpty()) {
                NodeList nodes = NodeList.of(ArmText.parameter(name).text(), name);
                interfaces(nodes, node(nodes, name.equals(reachable), true), ACCELERATED);
            }
        }
        boolean split = !reachable.isEmpty() && !inner.isEmpty();
        NodeList all = NodeList.of(
                split ? "variables('" + NODES + "')" : ArmText.parameter(NODES).text(), NODES);
        ArmResource machine = resources.machine(node(all, false, true), values(SIZE, ACCELERATED));
        add(all, machine);
        stop(all);
        // One after the other, as they share the package manager's lock.
        ArmText before = machine.id();
        for (ExtensionSpec extension : spec.extensions()) {
            ArmResource made = resources.extension(all.name(), extension);
            document.add(made, all.loop(made), before);
            before = made.id();
        }
    }

    private void interfaces(NodeList nodes, ClusterResources.NodeValues node, String accelerated) {
        if (node.publicAddress()) {
            add(nodes, resources.address(node));
        }
        add(
                nodes,
                resources.networkInterface(node, ArmText.parameter(accelerated).json()));
    }

    private void add(NodeList nodes, ArmResource resource) {
        document.add(resource, nodes.loop(resource));
    }

    private ClusterResources.NodeValues node(NodeList nodes, boolean reachable, boolean placed) {
        boolean shared = names.ports().isShared();
        return new ClusterResources.NodeValues(
                nodes.name(),
                ArmText.expression(nodes.element() + ".privateAddress"),
                reachable && !shared,
                reachable && shared
                        ? Optional.of(ArmText.join(ArmText.plain(ResourceNames.NAT_RULE), nodes.name()))
                        : Optional.empty(),
                placed);
    }

    private ClusterResources.MachineValues values(String size, String accelerated) {
        return new ClusterResources.MachineValues(
                ArmText.parameter(size),
                ArmText.parameter(DeployerParameters.IMAGE).json(),
                Optional.of(asked.system()),
                asked.plan(),
                ArmText.parameter(accelerated).json());
    }

    /**
     * Nodes that differ in name, address and port only: a parameter or variable lists them.
     *
     * @param list an expression that gives them; empty for a single one
     * @param element an expression that gives one of them, within a loop over the list
     * @param prefix distinguishes the names of loops
     */
    private record NodeList(String list, String element, String prefix) {
        static NodeList of(String list, String prefix) {
            return new NodeList(list, list + "[copyIndex()]", prefix);
        }

        ArmText name() {
            return ArmText.expression(element + ".name");
        }

        /** The loop that deploys a resource once for each node; empty for a single node. */
        Optional<Loop> loop(ArmResource resource) {
            return list.isEmpty() ? Optional.empty() : Optional.of(Loop.over(list, prefix, resource));
        }
    }
}
