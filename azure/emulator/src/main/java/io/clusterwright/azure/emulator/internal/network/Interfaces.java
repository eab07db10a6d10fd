package io.clusterwright.azure.emulator.internal.network;

import static io.clusterwright.azure.emulator.internal.arm.ArmException.refuse;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.clusterwright.azure.emulator.internal.arm.ArmException;
import io.clusterwright.azure.emulator.internal.arm.ArmId;
import io.clusterwright.azure.emulator.internal.arm.Bodies;
import io.clusterwright.azure.emulator.internal.arm.Cloud;
import io.clusterwright.azure.emulator.internal.arm.Draft;
import io.clusterwright.azure.emulator.internal.arm.Resource;
import io.clusterwright.azure.emulator.internal.arm.ResourceType;
import io.clusterwright.azure.emulator.internal.arm.Row;
import io.clusterwright.azure.emulator.internal.arm.Store;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Network interfaces. */
public final class Interfaces {
    /** The virtual machine that an interface belongs to. */
    public static final String OWNER = "owner";
    /** Until when it is kept for a virtual machine that failed. */
    private static final String RESERVED_UNTIL = "reservedUntil";
    /** The virtual machine it is kept for. */
    private static final String RESERVED_FOR = "reservedFor";

    private final Cloud cloud;
    private final Subnets subnets;
    private final PublicAddresses addresses;
    private final EffectiveRules effective;

    public Interfaces(Cloud cloud) {
        this.cloud = cloud;
        this.subnets = new Subnets(cloud);
        this.addresses = new PublicAddresses(cloud);
        this.effective = new EffectiveRules(cloud, subnets);
    }

    ResourceType type() {
        return NetworkTypes.of(ResourceType.INTERFACES)
                .rows(
                        Row.readOnly("properties", "virtualMachine"),
                        Interfaces::requireConfiguration,
                        Row.reference("properties.networkSecurityGroup.id", ResourceType.SECURITY_GROUPS))
                .entries("ipConfigurations", this::configure)
                .rows(
                        Row.standard("properties.enableAcceleratedNetworking", false),
                        Row.standard("properties.enableIPForwarding", false),
                        Row.array("properties.dnsSettings.dnsServers"),
                        Row.array("properties.dnsSettings.appliedDnsServers"),
                        Row.standard("properties.nicType", "Standard"),
                        draft -> draft.properties().put("primary", true).put("macAddress", mac(draft.id())),
                        Row.array("properties.hostedWorkloads"),
                        Row.array("properties.tapConfigurations"))
                .deleteCheck(this::requireUnused)
                .read("loadBalancers", effective::balancers)
                .action("effectiveRouteTable", effective::routes)
                .action("effectiveNetworkSecurityGroups", effective::groups)
                .view((call, found, body) -> found.hidden(OWNER)
                        .ifPresent(owner -> Bodies.properties(body).set("virtualMachine", Bodies.reference(owner))));
    }

    private static void requireConfiguration(Draft draft) {
        refuse(
                draft.objects("properties.ipConfigurations").isEmpty(),
                "NetworkInterfaceMustHaveOneIPConfiguration",
                draft.id());
        List<ObjectNode> configurations = draft.objects("properties.ipConfigurations");
        long primary = configurations.stream()
                .filter(each -> Bodies.isTrue(each, "properties.primary"))
                .count();
        refuse(
                primary > 1 || primary == 0 && configurations.size() > 1,
                "NetworkInterfaceMustHaveOneOneIPConfigAsPrimary",
                draft.name(),
                primary == 0 ? "none" : "several");
        if (draft.before() != null) {
            requirePrimaryKept(draft, configurations);
        }
        long subnets = configurations.stream()
                .map(each -> Bodies.text(each, "properties.subnet.id").toLowerCase(Locale.ROOT))
                .filter(each -> !each.isEmpty())
                .distinct()
                .count();
        refuse(subnets > 1, "IpConfigurationsOnSameNicCannotUseDifferentSubnets", draft.id());
        String label = draft.text("properties.dnsSettings.internalDnsNameLabel");
        if (!label.isEmpty()) {
            PublicAddresses.requireLabel(label);
        }
        if (draft.before() != null) {
            requireSameWhileUsed(draft);
        }
        requireOnce(draft, configurations, "properties.privateIPAddress");
        requireOnce(draft, configurations, "properties.publicIPAddress.id");
        Bodies.standard(configurations.get(0), "properties.primary", true);
        NetworkRows.servers(draft, "properties.dnsSettings.dnsServers");
    }

    /** The interface of a machine stays in its network, and that of a running one keeps its acceleration. */
    private static void requireSameWhileUsed(Draft draft) {
        String owner = draft.resourceBefore().hidden(OWNER).orElse("");
        if (owner.isEmpty()) {
            return;
        }
        refuse(
                !network(draft.body()).equals(network(draft.resourceBefore().body())),
                "InvalidRequestFormat.otherNetwork",
                draft.id(),
                owner);
        String path = "properties.enableAcceleratedNetworking";
        boolean runs = draft.store()
                .find(owner, ResourceType.MACHINES)
                .filter(machine -> machine.hidden("power").orElse("").equals("running"))
                .isPresent();
        boolean before = draft.resourceBefore().isTrue(path);
        refuse(
                runs && draft.at(path).asBoolean(false) != before,
                "InvalidRequestFormat.acceleration",
                draft.id(),
                owner);
    }

    /** The network of the first configuration. */
    private static String network(ObjectNode body) {
        return Bodies.objects(body, "properties.ipConfigurations").stream()
                .map(each -> Bodies.text(each, "properties.subnet.id").toLowerCase(Locale.ROOT))
                .map(subnet -> subnet.replaceFirst("/subnets/.*", ""))
                .findFirst()
                .orElse("");
    }

    /** Refuses one address for two configurations. */
    private static void requireOnce(Draft draft, List<ObjectNode> configurations, String path) {
        Map<String, String> seen = new HashMap<>();
        for (ObjectNode each : configurations) {
            String address = Bodies.text(each, path);
            String other =
                    address.isEmpty() ? null : seen.put(address.toLowerCase(Locale.ROOT), Bodies.text(each, "name"));
            if (other != null) {
                throw path.endsWith("id")
                        ? ArmException.of("PublicIPAddressInUse", draft.id(), address, other)
                        : ArmException.of(
                                "PrivateIPAddressIsAllocated",
                                Bodies.text(each, "name"),
                                address,
                                other,
                                Bodies.text(each, "properties.subnet.id"));
            }
        }
    }

    /** The primary configuration keeps its name for the life of the interface. */
    private static void requirePrimaryKept(Draft draft, List<ObjectNode> configurations) {
        draft.resourceBefore().objects("properties.ipConfigurations").stream()
                .filter(before -> Bodies.isTrue(before, "properties.primary"))
                .map(before -> Bodies.text(before, "name"))
                .filter(name -> configurations.stream()
                        .noneMatch(each -> Bodies.text(each, "name").equalsIgnoreCase(name)))
                .findFirst()
                .ifPresent(name -> {
                    throw ArmException.of("IpConfigDeleteNotSupported", name);
                });
    }

    private void configure(Draft configuration) {
        ArmId id = configuration.id();
        String subnet = configuration.text("properties.subnet.id");
        if (!ArmId.isResource(subnet)) {
            throw ArmException.badReference(subnet, id);
        }
        cloud.store().find(ArmId.of(subnet).parent()).ifPresent(network -> Store.requireFinished(id, network));
        Subnets.requireVersion(id, configuration.body());
        configuration
                .referenced("properties.publicIPAddress.id", ResourceType.PUBLIC_ADDRESSES)
                .ifPresent(address -> {
                    addresses.requireFree(id, address, configuration.text("id"));
                    PublicAddresses.requireVersion(address, configuration);
                });
        requireRules(configuration);
        requireOneNetwork(configuration, subnet);
        subnets.requireUndelegated(id, subnet);
        subnets.allocate(id, configuration.body());
        configuration.standard("properties.primary", false);
        for (String array : new String[] {"loadBalancerBackendAddressPools", "loadBalancerInboundNatRules"}) {
            for (ObjectNode part : configuration.objects("properties." + array)) {
                configuration.require(
                        ArmId.of(Bodies.text(part, "id")).parent().toString(), ResourceType.LOAD_BALANCERS);
            }
        }
    }

    /** All members of the pools of a load balancer are in one network. */
    private void requireOneNetwork(Draft configuration, String subnet) {
        String own = subnet.toLowerCase(Locale.ROOT).replaceFirst("/subnets/.*", "");
        for (ObjectNode pool : configuration.objects("properties." + NatPorts.POOLS)) {
            String balancer =
                    Bodies.text(pool, "id").toLowerCase(Locale.ROOT).replaceFirst("/backendaddresspools/.*", "/");
            cloud.store()
                    .ofType(ResourceType.INTERFACES)
                    .filter(other -> !other.id().key().equals(configuration.id().key()))
                    .filter(other -> other.body()
                            .toString()
                            .toLowerCase(Locale.ROOT)
                            .contains(balancer + "backendaddresspools/"))
                    .map(other -> network(other.body()))
                    .filter(other -> !other.equals(own))
                    .findFirst()
                    .ifPresent(other -> {
                        throw ArmException.of(
                                "InvalidRequestFormat.poolNetwork", configuration.id(), balancer, own, other);
                    });
        }
    }

    /** Refuses rules of load balancers that another interface has, or that share a port of this one. */
    private void requireRules(Draft configuration) {
        Map<String, String> ports = new HashMap<>();
        for (ObjectNode part : configuration.objects("properties." + NatPorts.RULES)) {
            String rule = Bodies.text(part, "id");
            cloud.store()
                    .parts(ResourceType.INTERFACES, "properties.ipConfigurations")
                    .filter(other -> !Bodies.text(other, "id").equalsIgnoreCase(configuration.text("id")))
                    .filter(other -> Bodies.withId(other, "properties." + NatPorts.RULES, rule)
                            .isPresent())
                    .findFirst()
                    .ifPresent(other -> {
                        throw ArmException.of("InvalidRequestFormat.natRule", rule, Bodies.text(other, "id"));
                    });
            ArmId id = ArmId.isResource(rule) ? ArmId.of(rule) : configuration.id();
            cloud.store()
                    .find(id.parent())
                    .flatMap(balancer -> Bodies.withId(balancer.body(), "properties.inboundNatRules", rule))
                    .ifPresent(found -> {
                        String port = Bodies.text(found, "properties.protocol")
                                + Bodies.text(found, "properties.backendPort");
                        String other = ports.put(port, rule);
                        refuse(
                                other != null,
                                "RulesUseSameBackendPortProtocolAndIPConfig",
                                other,
                                rule,
                                Bodies.text(found, "properties.backendPort"),
                                Bodies.text(found, "properties.protocol"),
                                configuration.text("id"));
                    });
        }
    }

    private static String mac(ArmId id) {
        int hash = id.key().hashCode();
        return String.format(
                Locale.ROOT, "00-0D-3A-%02X-%02X-%02X", (hash >> 16) & 0xff, (hash >> 8) & 0xff, hash & 0xff);
    }

    /** Takes an interface for a virtual machine, unless it is another's. */
    public Resource attach(ArmId machine, String reference) {
        Resource found = cloud.store()
                .find(reference, ResourceType.INTERFACES)
                .orElseThrow(() -> ArmException.badReference(reference, machine));
        Store.requireFinished(machine, found);
        String owner = found.hidden(OWNER).orElse("");
        refuse(!owner.isEmpty() && !owner.equalsIgnoreCase(machine.toString()), "NicInUse.attach", found.id(), owner);
        requireUnreserved(found, machine.toString());
        return found;
    }

    /** Keeps it for a virtual machine that could not be made. */
    public void reserve(Resource networkInterface, ArmId machine, Instant until) {
        networkInterface.hide(RESERVED_UNTIL, until.toString());
        networkInterface.hide(RESERVED_FOR, machine.toString());
    }

    private void requireUnreserved(Resource found, String asking) {
        String until = found.hidden(RESERVED_UNTIL).orElse("");
        String machine = found.hidden(RESERVED_FOR).orElse("");
        refuse(
                !until.isEmpty()
                        && cloud.clock().now().isBefore(Instant.parse(until))
                        && !machine.equalsIgnoreCase(asking),
                "NicReservedForAnotherVm",
                found.id(),
                machine);
    }

    private void requireUnused(Resource found) {
        found.hidden(OWNER).ifPresent(owner -> {
            throw ArmException.of("NicInUse.delete", found.id(), owner);
        });
        requireUnreserved(found, "");
    }
}
