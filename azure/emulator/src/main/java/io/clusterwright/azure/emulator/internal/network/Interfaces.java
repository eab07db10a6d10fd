package io.clusterwright.azure.emulator.internal.network;

import static io.clusterwright.azure.emulator.internal.arm.ArmException.refuse;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.clusterwright.azure.emulator.internal.arm.ArmException;
import io.clusterwright.azure.emulator.internal.arm.Bodies;
import io.clusterwright.azure.emulator.internal.arm.Cloud;
import io.clusterwright.azure.emulator.internal.arm.Draft;
import io.clusterwright.azure.emulator.internal.arm.Resource;
import io.clusterwright.azure.emulator.internal.arm.ResourceBody;
import io.clusterwright.azure.emulator.internal.arm.ResourcePath;
import io.clusterwright.azure.emulator.internal.arm.ResourceType;
import io.clusterwright.azure.emulator.internal.arm.Row;
import io.clusterwright.azure.emulator.internal.arm.Store;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Network interfaces. */
public final class Interfaces {
    /** The virtual machine that an interface belongs to. */
    public static final String OWNER = "owner";
    /** Until when it is kept for a virtual machine that failed. */
    private static final String RESERVED_UNTIL = "reservedUntil";
    /** The virtual machine it is kept for. */
    private static final String RESERVED_FOR = "reservedFor";

    private static final String CONFIGURATIONS = "properties.ipConfigurations";
    private static final String ACCELERATED = "properties.enableAcceleratedNetworking";

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
                        Interfaces::requireConfigurations,
                        Row.unique(
                                CONFIGURATIONS,
                                each -> Bodies.text(each, "properties.privateIPAddress"),
                                (first, second) -> ArmException.of(
                                        "PrivateIPAddressIsAllocated",
                                        Bodies.text(second, "name"),
                                        Bodies.text(second, "properties.privateIPAddress"),
                                        Bodies.text(first, "name"),
                                        Bodies.text(second, "properties.subnet.id"))),
                        draft -> Bodies.requireUnique(
                                draft.objects(CONFIGURATIONS),
                                each -> Bodies.text(each, "properties.publicIPAddress.id"),
                                (first, second) -> ArmException.of(
                                        "PublicIPAddressInUse",
                                        draft.id(),
                                        Bodies.text(second, "properties.publicIPAddress.id"),
                                        Bodies.text(first, "name"))),
                        Row.reference("properties.networkSecurityGroup.id", ResourceType.SECURITY_GROUPS))
                .entries("ipConfigurations", this::configure)
                .rows(
                        Row.standard(ACCELERATED, false),
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

    private static void requireConfigurations(Draft draft) {
        List<Draft> configurations = draft.parts(CONFIGURATIONS);
        refuse(configurations.isEmpty(), "NetworkInterfaceMustHaveOneIPConfiguration", draft.id());
        long primary = configurations.stream()
                .filter(each -> each.isTrue("properties.primary"))
                .count();
        refuse(
                primary > 1 || primary == 0 && configurations.size() > 1,
                "NetworkInterfaceMustHaveOneOneIPConfigAsPrimary",
                draft.name(),
                primary == 0 ? "none" : "several");
        if (!draft.isNew()) {
            requirePrimaryKept(draft, configurations);
            requireSameWhileUsed(draft);
        }
        long subnets = configurations.stream()
                .map(each -> each.text("properties.subnet.id").toLowerCase(Locale.ROOT))
                .filter(each -> !each.isEmpty())
                .distinct()
                .count();
        refuse(subnets > 1, "IpConfigurationsOnSameNicCannotUseDifferentSubnets", draft.id());
        String label = draft.text("properties.dnsSettings.internalDnsNameLabel");
        if (!label.isEmpty()) {
            PublicAddresses.requireLabel(label);
        }
        configurations.get(0).standard("properties.primary", true);
        NetworkRows.servers(draft, "properties.dnsSettings.dnsServers");
    }

    /** The interface of a machine stays in its network, and keeps its acceleration while the machine runs. */
    private static void requireSameWhileUsed(Draft draft) {
        String owner = draft.resourceBefore().hidden(OWNER).orElse("");
        boolean moves = !network(draft).equals(network(draft.resourceBefore()));
        boolean runs = draft.store()
                .find(owner, ResourceType.MACHINES)
                .filter(machine -> machine.isHidden(Resource.POWER, "running"))
                .isPresent();
        boolean changes = draft.isTrue(ACCELERATED) != draft.resourceBefore().isTrue(ACCELERATED);
        refuse(!owner.isEmpty() && moves, "InvalidRequestFormat.otherNetwork", draft.id(), owner);
        refuse(runs && changes, "InvalidRequestFormat.acceleration", draft.id(), owner);
    }

    /** The network of the first configuration. */
    private static String network(ResourceBody networkInterface) {
        return networkInterface.objects(CONFIGURATIONS).stream()
                .map(each -> network(Bodies.text(each, "properties.subnet.id")))
                .findFirst()
                .orElse("");
    }

    private static String network(String subnet) {
        return subnet.toLowerCase(Locale.ROOT).replaceFirst("/subnets/.*", "");
    }

    /** The primary configuration keeps its name for the life of the interface. */
    private static void requirePrimaryKept(Draft draft, List<Draft> configurations) {
        for (ObjectNode before : draft.resourceBefore().objects(CONFIGURATIONS)) {
            String name = Bodies.text(before, "name");
            boolean stays = configurations.stream().anyMatch(each -> each.is("name", name));
            refuse(Bodies.isTrue(before, "properties.primary") && !stays, "IpConfigDeleteNotSupported", name);
        }
    }

    private void configure(Draft configuration) {
        ResourcePath id = configuration.id();
        String subnet = configuration.text("properties.subnet.id");
        if (!ResourcePath.isResource(subnet)) {
            throw ArmException.badReference(subnet, id);
        }
        cloud.store().find(ResourcePath.of(subnet).parent()).ifPresent(network -> Store.requireFinished(id, network));
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
        for (String array : List.of(NatPorts.POOLS, NatPorts.RULES)) {
            for (ObjectNode part : configuration.objects("properties." + array)) {
                configuration.require(
                        ResourcePath.of(Bodies.text(part, "id")).parent().toString(), ResourceType.LOAD_BALANCERS);
            }
        }
    }

    /** All members of the pools of a load balancer are in one network. */
    private static void requireOneNetwork(Draft configuration, String subnet) {
        String own = network(subnet);
        for (Draft pool : configuration.parts("properties." + NatPorts.POOLS)) {
            String balancer = pool.text("id").toLowerCase(Locale.ROOT).replaceFirst("/backendaddresspools/.*", "/");
            configuration
                    .others()
                    .filter(other -> other.body()
                            .toString()
                            .toLowerCase(Locale.ROOT)
                            .contains(balancer + "backendaddresspools/"))
                    .map(Interfaces::network)
                    .forEach(other -> refuse(
                            !other.equals(own),
                            "InvalidRequestFormat.poolNetwork",
                            configuration.id(),
                            balancer,
                            own,
                            other));
        }
    }

    /** Refuses rules of load balancers that another interface has, or that share a port of this one. */
    private void requireRules(Draft configuration) {
        String own = configuration.text("id");
        List<ObjectNode> rules = new ArrayList<>();
        for (Draft part : configuration.parts("properties." + NatPorts.RULES)) {
            String rule = part.text("id");
            cloud.store()
                    .parts(ResourceType.INTERFACES, CONFIGURATIONS)
                    .filter(other -> !Bodies.is(other, "id", own))
                    .filter(other -> Bodies.withId(other, "properties." + NatPorts.RULES, rule)
                            .isPresent())
                    .findFirst()
                    .ifPresent(other -> {
                        throw ArmException.of("InvalidRequestFormat.natRule", rule, Bodies.text(other, "id"));
                    });
            ResourcePath id = ResourcePath.isResource(rule) ? ResourcePath.of(rule) : configuration.id();
            cloud.store()
                    .find(id.parent())
                    .flatMap(balancer -> Bodies.withId(balancer.body(), "properties.inboundNatRules", rule))
                    .ifPresent(rules::add);
        }
        Bodies.requireUnique(
                rules,
                rule -> Bodies.text(rule, "properties.protocol") + Bodies.text(rule, "properties.backendPort"),
                (first, second) -> ArmException.of(
                        "RulesUseSameBackendPortProtocolAndIPConfig",
                        Bodies.text(first, "id"),
                        Bodies.text(second, "id"),
                        Bodies.text(second, "properties.backendPort"),
                        Bodies.text(second, "properties.protocol"),
                        own));
    }

    private static String mac(ResourcePath id) {
        int hash = id.key().hashCode();
        return String.format(
                Locale.ROOT, "00-0D-3A-%02X-%02X-%02X", (hash >> 16) & 0xff, (hash >> 8) & 0xff, hash & 0xff);
    }

    /** Takes an interface for a virtual machine, unless it is another's. */
    public Resource attach(ResourcePath machine, String reference) {
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
    public void reserve(Resource networkInterface, ResourcePath machine, Instant until) {
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
