package io.clusterwright.azure.emulator.internal.network;

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
        if (draft.objects("properties.ipConfigurations").isEmpty()) {
            throw ArmException.of("NetworkInterfaceMustHaveOneIPConfiguration", draft.id());
        }
        List<ObjectNode> configurations = draft.objects("properties.ipConfigurations");
        long primary = configurations.stream()
                .filter(each -> Bodies.at(each, "properties.primary").asBoolean())
                .count();
        if (primary > 1 || primary == 0 && configurations.size() > 1) {
            throw ArmException.of("OneIPConfigurationMustBePrimary", draft.id(), primary);
        }
        long subnets = configurations.stream()
                .map(each -> Bodies.text(each, "properties.subnet.id").toLowerCase(Locale.ROOT))
                .filter(each -> !each.isEmpty())
                .distinct()
                .count();
        if (subnets > 1) {
            throw ArmException.of("IpConfigurationsOnSameNicCannotUseDifferentSubnets", draft.id());
        }
        Bodies.standard(configurations.get(0), "properties.primary", true);
        NetworkRules.servers(draft, "properties.dnsSettings.dnsServers");
    }

    private void configure(Draft configuration) {
        ArmId id = configuration.id();
        String subnet = configuration.text("properties.subnet.id");
        if (!ArmId.isResource(subnet)) {
            throw ArmException.badReference(subnet, id);
        }
        cloud.store().find(ArmId.parse(subnet).parent()).ifPresent(network -> Store.requireFinished(id, network));
        subnets.allocate(id, configuration.body());
        Bodies.standard(configuration.body(), "properties.primary", false);
        configuration
                .referenced("properties.publicIPAddress.id", ResourceType.PUBLIC_ADDRESSES)
                .ifPresent(address -> addresses.requireFree(id, address, configuration.text("id")));
        for (String array : new String[] {"loadBalancerBackendAddressPools", "loadBalancerInboundNatRules"}) {
            for (ObjectNode part : configuration.objects("properties." + array)) {
                configuration.require(
                        ArmId.parse(Bodies.text(part, "id")).parent().toString(), ResourceType.LOAD_BALANCERS);
            }
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
        if (!owner.isEmpty() && !owner.equalsIgnoreCase(machine.toString())) {
            throw ArmException.of("NicInUse.attach", found.id(), owner);
        }
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
        if (!until.isEmpty()
                && cloud.clock().now().isBefore(Instant.parse(until))
                && !machine.equalsIgnoreCase(asking)) {
            throw ArmException.of("NicReservedForAnotherVm", found.id(), machine);
        }
    }

    private void requireUnused(Resource found) {
        found.hidden(OWNER).ifPresent(owner -> {
            throw ArmException.of("NicInUse.delete", found.id(), owner);
        });
        requireUnreserved(found, "");
    }
}
