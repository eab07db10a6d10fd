package io.clusterwright.azure.internal.resource;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.clusterwright.core.catalog.Extensions;
import io.clusterwright.core.catalog.VmSizes;
import io.clusterwright.core.internal.arm.ArmId;
import io.clusterwright.core.internal.arm.ArmResource;
import io.clusterwright.core.internal.arm.ArmScope;
import io.clusterwright.core.internal.arm.ArmText;
import io.clusterwright.core.internal.arm.ComputeResources;
import io.clusterwright.core.internal.arm.NetworkResources;
import io.clusterwright.core.internal.json.Json;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.ExtensionSpec;
import io.clusterwright.core.spec.ImageSpec.Security;
import io.clusterwright.core.spec.NetworkSpec.SshAccess;
import io.clusterwright.core.spec.NodeGroup.SpotSpec;
import io.clusterwright.core.spi.Bootstrap;
import io.clusterwright.core.type.ClusterId;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.core.type.InvalidValueException;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.core.type.Secret;
import io.clusterwright.core.type.SecretReference;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** The Azure resources of a cluster spec: the provider sends them as requests, and the template consists of them. */
public final class ClusterResources {
    /** The configuration of an instance's interface, below the instance. */
    public static final String INSTANCE_ADDRESS = "/networkInterfaces/nic/ipConfigurations/primary";

    /** The longest time after which a {@linkplain #autoShutdown schedule}, which is for a time of day, can stop a machine. */
    public static final Duration LONGEST_AHEAD = Duration.ofHours(24);

    private static final int SSH_PRIORITY = 1000;
    private static final String MOST_INSTANCES = "1000";
    private static final double PRICE_ON_DEMAND = -1;

    private final ClusterSpec spec;
    private final ResourceNames names;
    private final ArmScope scope;
    private final Function<Optional<ArmText>, JsonNode> tags;
    private final Function<ExtensionSpec, JsonNode> secrets;
    private final NetworkResources networks;
    private final ComputeResources computing;

    private ClusterResources(
            ResourceNames names,
            ArmScope scope,
            Function<Optional<ArmText>, JsonNode> tags,
            Function<ExtensionSpec, JsonNode> secrets) {
        this.spec = names.spec();
        this.names = names;
        this.scope = scope;
        this.tags = tags;
        this.secrets = secrets;
        this.networks = new NetworkResources(scope);
        this.computing = new ComputeResources(scope);
    }

    /** Resources for requests about a cluster. */
    public static ClusterResources requests(ResourceNames names, ClusterId cluster) {
        ClusterSpec spec = names.spec();
        return new ClusterResources(
                names,
                ArmScope.group(names.group().subscription(), spec.resourceGroup(), spec.requireRegion()),
                node -> Json.MAPPER.valueToTree(node.map(name -> Tags.of(spec, cluster, name.toString()))
                        .orElseGet(() -> Tags.of(spec, cluster))),
                extension -> secret(extension, spec));
    }

    /**
     * Resources for a template; the tags of all are its variable {@code tags}, and the protected settings of extensions its
     * {@linkplain #secretParameter parameters}.
     */
    public static ClusterResources template(ResourceNames names) {
        return new ClusterResources(
                names,
                ArmScope.template(),
                node -> ArmText.expression(node.map(name -> "union(variables('tags'), createObject('" + Tags.NODE
                                        + "', " + name.operand() + "))")
                                .orElse("variables('tags')"))
                        .json(),
                extension -> ArmText.parameter(secretParameter(extension)).json());
    }

    /** The parameter of a template that holds the protected settings of an extension. */
    public static String secretParameter(ExtensionSpec extension) {
        String plain = extensionName(extension).replaceAll("[^A-Za-z0-9]", "");
        return plain.substring(0, 1).toLowerCase(Locale.ROOT) + plain.substring(1) + "ProtectedSettings";
    }

    /** The protected settings that a complete extension refers to. */
    private static JsonNode secret(ExtensionSpec extension, ClusterSpec spec) {
        SecretReference reference = extension.protectedSettings().orElseThrow();
        String text = reference.resolve(System.getenv(), spec.baseFolder()).reveal();
        try {
            if (Json.MAPPER.readTree(text) instanceof ObjectNode object) {
                return object;
            }
        } catch (JsonProcessingException e) {
            // Not as a cause: it may quote the secret.
        }
        throw new ClusterwrightException("protected settings of extension " + extensionName(extension)
                + ": the content of " + reference
                + " is not a JSON object; write a JSON object (example: {\"commandToExecute\": \"...\"})");
    }

    /**
     * The values that differ between the nodes of a cluster.
     *
     * @param publicAddress whether it has its own public address
     * @param natRule the rule of the load balancer that leads to it, and the pool of that rule, in which it is alone; empty for none
     * @param placed whether it is evictable and placed as the spec says, which the head node and machines that make an image are not
     */
    public record NodeValues(
            ArmText name, ArmText address, boolean publicAddress, Optional<ArmText> natRule, boolean placed) {}

    /**
     * The values of a machine beside the values of its node.
     *
     * @param system accounts and names; empty for an image that brings them
     * @param plan the purchase plan of the image; empty for none
     */
    public record MachineValues(
            ArmText size,
            JsonNode image,
            Optional<ObjectNode> system,
            Optional<ObjectNode> plan,
            JsonNode accelerated) {}

    /**
     * The security group: SSH from these ranges.
     *
     * @param machines the private addresses of the machines that the ranges reach; empty for all machines that have a way in, and where
     *     ports lead to machines that must not be reached for no machine
     */
    public ArmResource securityGroup(JsonNode callers, List<String> machines) {
        ArmResource group = networks.securityGroup(plain(names.securityGroup()));
        var rules = group.properties().putArray("securityRules");
        if (spec.network().ssh().external() != SshAccess.External.NONE
                && !(names.ports().ofHeadOnly() && machines.isEmpty())) {
            ObjectNode rule = NetworkResources.inboundRule(ArmText.plain("ssh"), IntNode.valueOf(SSH_PRIORITY));
            ((ObjectNode) rule.path("properties"))
                    .put("description", "SSH from the ranges of network.ssh.allowFrom")
                    .put("destinationPortRange", String.valueOf(ResourceNames.SSH))
                    .set("sourceAddressPrefixes", callers);
            if (!machines.isEmpty()) {
                ObjectNode properties = (ObjectNode) rule.path("properties");
                properties.remove("destinationAddressPrefix");
                machines.forEach(properties.putArray("destinationAddressPrefixes")::add);
            }
            rules.add(rule);
        }
        return tagged(group);
    }

    /** The network with its subnet. */
    public ArmResource network() {
        var network = spec.network();
        return tagged(networks.network(
                plain(names.network()),
                network.addressSpace().toString(),
                network.dnsServers().stream().map(Object::toString).toList(),
                network.subnet().name(),
                network.subnet().range().toString()));
    }

    /** The proximity placement group. */
    public ArmResource proximityGroup() {
        return tagged(computing.proximityGroup(plain(names.proximityGroup())));
    }

    /** The availability set. */
    public ArmResource availabilitySet() {
        return tagged(computing.availabilitySet(
                plain(names.availabilitySet()),
                names.hasProximityGroup() ? Optional.of(plain(names.proximityGroup())) : Optional.empty()));
    }

    /** The public address that nodes share. */
    public ArmResource sharedAddress() {
        return tagged(networks.publicAddress(plain(names.address())));
    }

    /** The load balancer in front of the shared address, without rules for what comes in, and with one for what all machines send out. */
    public NetworkResources.Balancer loadBalancer() {
        NetworkResources.Balancer balancer =
                networks.loadBalancer(plain(names.loadBalancer()), ResourceNames.FRONTEND, plain(names.address()));
        tagged(balancer.build());
        balancer.addOutbound(ResourceNames.OUTBOUND, ResourceNames.OUTBOUND);
        return balancer;
    }

    /** The load balancer with a rule for each node that is reached through it, or a range of ports for the instances of a scale set. */
    public ArmResource loadBalancerOfNodes() {
        NetworkResources.Balancer balancer = loadBalancer();
        balancer.addPool(ArmText.plain(ResourceNames.OUTBOUND));
        Map<NodeName, Integer> ports = names.ports().all();
        if (names.ports().isRange()) {
            addRange(balancer);
        }
        ports.forEach((node, port) -> {
            if (!names.ports().isRange() || !names.ports().isNode(node)) {
                String rule = ResourceNames.natRule(node);
                balancer.addPool(ArmText.plain(rule));
                balancer.add(balancer.rule(
                        ArmText.plain(rule), IntNode.valueOf(port), IntNode.valueOf(port), ArmText.plain(rule)));
            }
        });
        return balancer.build();
    }

    /** Adds the range of ports that leads to the instances of a scale set, and the pool of those. */
    public void addRange(NetworkResources.Balancer balancer) {
        balancer.addPool(ArmText.plain(ResourceNames.POOL));
        balancer.add(balancer.rule(
                ArmText.plain(ResourceNames.PORT_RANGE),
                IntNode.valueOf(names.ports().first()),
                IntNode.valueOf(names.ports().last()),
                ArmText.plain(ResourceNames.POOL)));
    }

    /** The public address of one node. */
    public ArmResource address(NodeValues node) {
        return networks.publicAddress(node.name().then("-ip")).tags(tags.apply(Optional.of(node.name())));
    }

    /** The network interface of a machine. */
    public ArmResource networkInterface(NodeValues node, JsonNode accelerated) {
        NetworkResources.Interface nic = networks.networkInterface(
                        node.name().then("-nic"),
                        plain(names.network()),
                        ArmText.plain(spec.network().subnet().name()))
                .securityGroup(plain(names.securityGroup()));
        spec.network().subnet().id().ifPresent(nic::inSubnet);
        if (names.ports().isShared()) {
            nic.pool(plain(names.loadBalancer()), ArmText.plain(ResourceNames.OUTBOUND));
        }
        node.natRule().ifPresent(rule -> nic.pool(plain(names.loadBalancer()), rule));
        if (node.publicAddress()) {
            nic.publicAddress(node.name().then("-ip"));
        }
        ArmResource made = nic.fixed(node.address());
        made.properties().set("enableAcceleratedNetworking", accelerated);
        return made.tags(tags.apply(Optional.of(node.name())));
    }

    /** A machine. */
    public ArmResource machine(NodeValues node, MachineValues values) {
        ComputeResources.Machine machine =
                computing.machine(node.name(), node.name().then("-nic"));
        machine.boots(
                        values.size(),
                        values.image(),
                        Json.object().put("name", node.name().then("-disk").toString()))
                .put("deleteOption", "Delete");
        values.system().ifPresent(machine::system);
        machine.connected(true);
        ArmResource made = machine.build();
        security(made.properties());
        values.plan().ifPresent(plan -> made.top().set("plan", plan));
        if (names.hasAvailabilitySet() && node.placed()) {
            machine.inAvailabilitySet(plain(names.availabilitySet()));
        } else if (names.hasProximityGroup() && node.placed()) {
            ComputeResources.inProximityGroup(made, plain(names.proximityGroup()));
        }
        if (node.placed()) {
            spot(made.properties());
        }
        return made.tags(tags.apply(Optional.of(node.name())));
    }

    /**
     * The scale set with all nodes as its instances; each extension is installed after the one before it.
     *
     * @param values those that all instances have in common
     * @param computerNamePrefix the start of the instances' first host names
     * @param publicAddresses whether each instance has its own public address
     */
    public ArmResource scaleSet(
            MachineValues values, String computerNamePrefix, JsonNode capacity, boolean publicAddresses) {
        ObjectNode profile = Json.object();
        spot(profile);
        security(profile);
        profile.set("storageProfile", ComputeResources.storage(values.image(), Json.object()));
        ArmResource set = computing.scaleSet(plain(names.scaleSet()), values.size(), capacity, profile);
        values.system()
                .ifPresent(system -> profile.set("osProfile", system.put("computerNamePrefix", computerNamePrefix)));
        values.plan().ifPresent(plan -> set.top().set("plan", plan));
        if (names.hasProximityGroup()) {
            ComputeResources.inProximityGroup(set, plain(names.proximityGroup()));
        }
        ObjectNode nic = profile.putObject("networkProfile")
                .putArray("networkInterfaceConfigurations")
                .addObject()
                .put("name", "nic")
                .putObject("properties")
                .put("primary", true);
        nic.set("enableAcceleratedNetworking", values.accelerated());
        nic.set("networkSecurityGroup", set.reference(ArmId.SECURITY_GROUP, plain(names.securityGroup())));
        ObjectNode address = nic.putArray("ipConfigurations")
                .addObject()
                .put("name", "primary")
                .putObject("properties");
        address.put("primary", true)
                .set(
                        "subnet",
                        spec.network()
                                .subnet()
                                .id()
                                .map(id -> Json.object().put("id", id))
                                .orElseGet(() -> set.reference(
                                        ArmId.NETWORK + "/subnets",
                                        plain(names.network()),
                                        ArmText.plain(spec.network().subnet().name()))));
        if (publicAddresses) {
            address.putObject("publicIPAddressConfiguration").put("name", "ip");
        }
        List<String> pools = names.ports().isRange()
                ? List.of(ResourceNames.POOL, ResourceNames.OUTBOUND)
                : List.of(ResourceNames.OUTBOUND);
        if (names.ports().isShared()) {
            ArrayNode members = address.putArray("loadBalancerBackendAddressPools");
            pools.forEach(pool -> members.add(set.reference(
                    ArmId.LOAD_BALANCER + "/backendAddressPools", plain(names.loadBalancer()), ArmText.plain(pool))));
        }
        String before = "";
        for (ExtensionSpec extension : spec.extensions()) {
            String name = extensionName(extension);
            ObjectNode properties = extensionProperties(extension);
            if (!before.isEmpty()) {
                properties.putArray("provisionAfterExtensions").add(before);
            }
            profile.withObject("/extensionProfile")
                    .withArray("/extensions")
                    .addObject()
                    .put("name", name)
                    .set("properties", properties);
            before = name;
        }
        return tagged(set);
    }

    /**
     * The schedule that deallocates a machine each day.
     *
     * @param time hour and minute in UTC, as {@code HHmm}
     */
    public ArmResource autoShutdown(ArmText machine, ArmText time) {
        ArmResource schedule = new ArmResource(
                scope, ArmId.AUTO_SHUTDOWN, ArmText.join(ArmText.plain(ResourceNames.SHUTDOWN), machine));
        ObjectNode properties = schedule.properties()
                .put("status", "Enabled")
                .put("taskType", "ComputeVmShutdownTask")
                .put("timeZoneId", "UTC");
        properties.putObject("dailyRecurrence").set("time", time.json());
        properties.set("targetResourceId", schedule.reference(ArmId.VM, machine).get("id"));
        return schedule.tags(tags.apply(Optional.of(machine)));
    }

    /**
     * The setting that deletes all instances of the scale set at a time, and leaves their number alone until then.
     *
     * @param start the time in UTC, as ISO 8601 has it
     * @param end a later time, after which new instances are left alone again
     */
    public ArmResource autoscale(ArmText start, ArmText end) {
        ArmResource setting = new ArmResource(scope, ArmId.AUTOSCALE, plain(names.autoscale()));
        ObjectNode properties = setting.properties().put("enabled", true);
        properties.set(
                "targetResourceUri",
                setting.reference(ArmId.SCALE_SET, plain(names.scaleSet())).get("id"));
        ArrayNode profiles = properties.putArray("profiles");
        ObjectNode window = profile(profiles, "timeToLive", "0").putObject("fixedDate");
        window.put("timeZone", "UTC").set("start", start.json());
        window.set("end", end.json());
        profile(profiles, "until then", MOST_INSTANCES);
        return tagged(setting);
    }

    private static ObjectNode profile(ArrayNode profiles, String name, String most) {
        ObjectNode profile = profiles.addObject().put("name", name);
        profile.putObject("capacity").put("minimum", "0").put("maximum", most).put("default", "0");
        profile.putArray("rules");
        return profile;
    }

    /** An extension of a machine. */
    public ArmResource extension(ArmText machine, ExtensionSpec extension) {
        return tagged(computing.extension(machine, extensionName(extension), extensionProperties(extension)));
    }

    /** The accounts of a machine: with a password on Windows, with keys and custom data on Linux. */
    public static ObjectNode system(Bootstrap bootstrap, Secret customData) {
        String user = bootstrap.loginUser().value();
        Secret password = bootstrap.password();
        if (password != null) {
            return ComputeResources.windows(ArmText.plain(user), ArmText.plain(password.reveal()));
        }
        byte[] data = customData.reveal().getBytes(StandardCharsets.UTF_8);
        return ComputeResources.linux(
                ArmText.plain(user),
                ArmText.plain(Base64.getEncoder().encodeToString(data)),
                ComputeResources.keys(user, bootstrap.authorizedKeys()));
    }

    /** The name of an extension. */
    public static String extensionName(ExtensionSpec extension) {
        ExtensionSpec complete = Extensions.standard().complete(extension);
        return complete.name().or(complete::type).orElseThrow();
    }

    private ObjectNode extensionProperties(ExtensionSpec extension) {
        ExtensionSpec complete = Extensions.standard().complete(extension);
        ObjectNode properties = ComputeResources.extensionProperties(
                complete.publisher().orElseThrow(),
                complete.type().orElseThrow(),
                complete.version()
                        .orElseThrow(() -> InvalidValueException.of(
                                "extension " + extensionName(extension) + " has no version",
                                "write its major and minor version (example: version: \"2.1\")")));
        if (!complete.settings().isEmpty()) {
            properties.set("settings", scope.literal(Json.MAPPER.valueToTree(complete.settings())));
        }
        if (complete.protectedSettings().isPresent()) {
            properties.set("protectedSettings", secrets.apply(complete));
        }
        return properties;
    }

    private void security(ObjectNode properties) {
        boolean fabric = VmSizes.standard()
                .ofNodes(spec)
                .filter(size -> size.interconnect().isRdma())
                .isPresent();
        ComputeResources.security(properties, spec.image().security() == Security.TRUSTED_LAUNCH, !fabric);
    }

    private void spot(ObjectNode properties) {
        SpotSpec spot = spec.nodes().spot();
        if (spot.enabled()) {
            computing.spot(
                    properties,
                    spot.onEviction() == SpotSpec.Eviction.DELETE,
                    spot.maxPricePerHour().map(Number::doubleValue).orElse(PRICE_ON_DEMAND));
        }
    }

    private ArmResource tagged(ArmResource resource) {
        return resource.tags(tags.apply(Optional.empty()));
    }

    private static ArmText plain(ArmId id) {
        return ArmText.plain(id.name());
    }
}
