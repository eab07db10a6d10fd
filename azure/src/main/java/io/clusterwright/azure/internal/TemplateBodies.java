package io.clusterwright.azure.internal;

import com.azure.json.JsonSerializable;
import com.azure.resourcemanager.compute.models.ImageReference;
import com.azure.resourcemanager.compute.models.Plan;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.clusterwright.core.catalog.Extensions;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.ExtensionSpec;
import io.clusterwright.core.spi.Bootstrap;
import io.clusterwright.core.spi.ImageSource;
import io.clusterwright.core.spi.MachineRequest;
import io.clusterwright.core.spi.SshKeyPair;
import io.clusterwright.core.type.AddressRange;
import io.clusterwright.core.type.Ipv4Address;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.core.type.Secret;
import io.clusterwright.core.type.SshPublicKey;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The bodies that the provider sends for a description, as JSON trees: a template is made of the same ones. What only a deployment
 * knows (keys, custom data, the image) is a stand-in that the template replaces.
 */
public final class TemplateBodies {
    /** The subscription in the ids of these bodies. */
    public static final String SUBSCRIPTION = "00000000-0000-0000-0000-000000000000";

    /** The tag that names the node a part belongs to. */
    public static final String NODE_TAG = Tags.NODE;

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String NO_KEY = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI" + "A".repeat(43);

    private final ClusterSpec spec;
    private final Names names;

    /**
     * A resource and what is sent to make it.
     *
     * @param type such as {@code Microsoft.Network/virtualNetworks}
     * @param name its name
     * @param json the body of its PUT
     */
    public record Body(String type, String name, ObjectNode json) {}

    public TemplateBodies(ClusterSpec spec) {
        this.spec = spec;
        this.names = new Names(SUBSCRIPTION, spec);
    }

    /** Whether the nodes of a description are instances of one scale set. */
    public static boolean isScaleSet(ClusterSpec spec) {
        return new Names(SUBSCRIPTION, spec).hasScaleSet();
    }

    public Body securityGroup(List<AddressRange> callers) {
        return body(names.securityGroup(), NetworkRequests.securityGroup(spec, callers));
    }

    /** The network; none where the description uses one that exists. */
    public Optional<Body> network() {
        return spec.network().existing()
                ? Optional.empty()
                : Optional.of(body(names.network(), NetworkRequests.network(spec)));
    }

    public Optional<Body> proximityGroup() {
        return names.hasProximityGroup()
                ? Optional.of(body(names.proximityGroup(), ComputeRequests.proximityGroup(spec)))
                : Optional.empty();
    }

    public Optional<Body> availabilitySet() {
        return names.hasAvailabilitySet()
                ? Optional.of(body(names.availabilitySet(), ComputeRequests.availabilitySet(spec, names)))
                : Optional.empty();
    }

    /** The address that nodes share; none where each has its own or none has any. */
    public Optional<Body> sharedAddress() {
        return names.sharedAddress()
                ? Optional.of(body(names.address(), NetworkRequests.address(spec, Tags.of(spec))))
                : Optional.empty();
    }

    /** The load balancer in front of the shared address, with one rule for each node that is reached through it. */
    public Optional<Body> loadBalancer() {
        return names.sharedAddress()
                ? Optional.of(body(names.loadBalancer(), NetworkRequests.loadBalancer(spec, names)))
                : Optional.empty();
    }

    /** The name of the load balancer's rule for a node. */
    public static String natRule(NodeName node) {
        return Names.natRule(node);
    }

    /** The port of the shared address that leads to a node. */
    public Optional<Integer> port(NodeName node) {
        return Optional.ofNullable(names.ports().get(node));
    }

    /** The address of a node's own; none where it has none. */
    public Optional<Body> address(NodeName node) {
        return names.ownAddress(node)
                ? Optional.of(body(Names.address(names.machine(node)), NetworkRequests.address(spec, tags(node))))
                : Optional.empty();
    }

    public Body nic(NodeName node, Ipv4Address address) {
        return body(
                Names.nic(names.machine(node)),
                NetworkRequests.nic(spec, names, request(node, address), tags(node), false));
    }

    /** @param plan publisher, product and name of a purchase plan; empty where the image has none */
    public Body machine(NodeName node, Ipv4Address address, List<String> plan) {
        Plan named = plan.isEmpty()
                ? null
                : new Plan().withPublisher(plan.get(0)).withProduct(plan.get(1)).withName(plan.get(2));
        BootImage image = new BootImage(new ImageReference(), named, "", "", false);
        return body(
                names.machine(node),
                ComputeRequests.machine(
                        spec, names, request(node, address), image, Secret.of("custom data"), tags(node)));
    }

    /** An extension on a node, without its protected settings. */
    public Body extension(NodeName node, ExtensionSpec extension) {
        ExtensionSpec complete = Extensions.standard().complete(extension);
        String name = ExtensionProvisioner.name(complete);
        Body body = body(
                names.machine(node).sibling(ArmId.VM + "/extensions", name),
                ExtensionProvisioner.open(spec, complete, name));
        return new Body(body.type(), node + "/" + name, body.json());
    }

    /** The image that the description means, which it may leave to the size. */
    public io.clusterwright.core.type.ImageReference image() {
        io.clusterwright.core.type.ImageReference base = spec.image().base();
        return base instanceof io.clusterwright.core.type.ImageReference.Auto ? BootImages.bySize(spec) : base;
    }

    private MachineRequest request(NodeName node, Ipv4Address address) {
        Bootstrap bootstrap = new Bootstrap(
                node,
                spec.login().user(),
                List.of(NO_KEY),
                new SshKeyPair(SshPublicKey.parse(NO_KEY), Secret.of("none")));
        return new MachineRequest(
                node,
                address,
                spec.nodes().size().orElseThrow(),
                new ImageSource.Base(spec.image().base()),
                bootstrap);
    }

    private Map<String, String> tags(NodeName node) {
        return Tags.of(spec, node.value());
    }

    private static Body body(ArmId id, JsonSerializable<?> inner) {
        return new Body(id.type(), id.name(), json(inner));
    }

    private static ObjectNode json(JsonSerializable<?> inner) {
        try {
            return (ObjectNode) JSON.readTree(inner.toJsonString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
