package io.clusterwright.azure.emulator.internal.network;

import static io.clusterwright.azure.emulator.internal.arm.ArmException.refuse;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.clusterwright.azure.emulator.internal.arm.ArmException;
import io.clusterwright.azure.emulator.internal.arm.BackingMachines;
import io.clusterwright.azure.emulator.internal.arm.Bodies;
import io.clusterwright.azure.emulator.internal.arm.Draft;
import io.clusterwright.azure.emulator.internal.arm.ResourcePath;
import io.clusterwright.azure.emulator.internal.arm.ResourceType;
import io.clusterwright.azure.emulator.internal.arm.Row;
import io.clusterwright.core.internal.text.TextResource;
import io.clusterwright.core.type.AddressRange;
import io.clusterwright.core.type.InvalidValueException;
import io.clusterwright.core.type.Ipv4Address;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;

/** Virtual networks with their subnets. */
final class VirtualNetworks {
    /** The first version in which a new subnet is private by default. */
    private static final String PRIVATE_FROM = "2025-07-01";

    private static final int LEAST_FLOW = 4;
    private static final int MOST_FLOW = 30;
    private static final int WIDTH = 32;
    private static final int SMALLEST = 29;
    private static final Map<String, Integer> LARGEST_PREFIX =
            Map.of("AzureBastionSubnet", 26, "AzureFirewallSubnet", 26, "RouteServerSubnet", 27);
    private static final List<AddressRange> RESERVED = List.of(
            AddressRange.of("224.0.0.0/4"),
            AddressRange.of("127.0.0.0/8"),
            AddressRange.of("169.254.0.0/16"),
            AddressRange.of("168.63.129.16/32"),
            AddressRange.of("255.255.255.255/32"));

    private static final Set<String> SERVICES = TextResource.read(
                    VirtualNetworks.class.getResourceAsStream("subnet-services.txt"), "subnet-services.txt")
            .lines()
            .filter(line -> !line.isBlank() && !line.startsWith("#"))
            .collect(Collectors.toCollection(() -> new TreeSet<>(String.CASE_INSENSITIVE_ORDER)));

    /** The services that can own a subnet. */
    private static final Set<String> OWNERS = SERVICES.stream()
            .filter(line -> line.startsWith("delegation "))
            .map(line -> line.substring("delegation ".length()))
            .collect(Collectors.toCollection(() -> new TreeSet<>(String.CASE_INSENSITIVE_ORDER)));

    private static final String SPACE = "properties.addressSpace.addressPrefixes";

    private final Subnets subnets;
    private final BackingMachines machines;

    VirtualNetworks(Subnets subnets, BackingMachines machines) {
        this.subnets = subnets;
        this.machines = machines;
    }

    ResourceType type() {
        return NetworkTypes.of(ResourceType.VIRTUAL_NETWORKS)
                .rows(
                        network -> NetworkRows.servers(network, "properties.dhcpOptions.dnsServers"),
                        Row.range("properties.flowTimeoutInMinutes", LEAST_FLOW, MOST_FLOW, "InvalidIdleTimeout"),
                        VirtualNetworks::space)
                .children(
                        "subnets",
                        Row.readOnly("properties", "ipConfigurations"),
                        Row.reference("properties.networkSecurityGroup.id", ResourceType.SECURITY_GROUPS),
                        Row.standard("properties.privateEndpointNetworkPolicies", "Disabled"),
                        Row.standard("properties.privateLinkServiceNetworkPolicies", "Enabled"),
                        Row.array("properties.delegations"),
                        this::requireServices,
                        this::wayOut)
                .childDeleteCheck("subnets", this::requireUnused)
                .rows(
                        VirtualNetworks::checkSubnets,
                        Row.standard("properties.enableDdosProtection", false),
                        Row.onUpdate(this::requireNoLoss))
                .deleteCheck(network -> ids(network.body()).forEach(subnet -> requireUnused(ResourcePath.of(subnet))))
                .unmaking(network -> CompletableFuture.allOf(ids(network.body()).stream()
                        .map(subnet -> machines.deleteNetwork(ResourcePath.of(subnet)))
                        .toArray(CompletableFuture[]::new)))
                .read("usages", (call, network) -> subnets.usages(call, network))
                .read("CheckIPAddressAvailability", (call, network) -> subnets.available(call, network))
                .view((call, network, body) -> showUsers(body));
    }

    private static List<AddressRange> space(Draft network) {
        List<AddressRange> ranges = new ArrayList<>();
        for (JsonNode prefix : network.at(SPACE)) {
            AddressRange range = range(network.id(), prefix.asText());
            boolean reserved = RESERVED.stream().anyMatch(range::overlaps);
            boolean twice = ranges.stream().anyMatch(range::overlaps);
            refuse(range.prefixLength() > SMALLEST, "NetcfgInvalidIPAddressPrefix", range, network.name());
            refuse(reserved, "AddressPrefixReserved", range, network.id());
            refuse(twice, "AddressPrefixesOverlap", range, network.id());
            ranges.add(range);
        }
        refuse(ranges.isEmpty(), "InvalidRequestFormat.addressSpace", network.name());
        return ranges;
    }

    /** Refuses services that have no endpoints or cannot get a subnet, and another owner for a subnet in use. */
    private void requireServices(Draft subnet) {
        String id = subnet.text("id");
        for (Draft endpoint : subnet.parts("properties.serviceEndpoints")) {
            String service = endpoint.text("service");
            boolean known = SERVICES.contains("endpoint " + service);
            refuse(!known, "SubnetHasServiceEndpointWithInvalidServiceName", id, service);
        }
        List<String> owners = owners(subnet.body());
        for (String service : owners) {
            refuse(!OWNERS.contains(service), "InvalidServiceNameOnDelegation", service, id, String.join(",", OWNERS));
        }
        List<String> before = subnets.find(id).map(VirtualNetworks::owners).orElse(List.of());
        Collection<String> users = subnets.taken(id).values();
        refuse(
                !users.isEmpty() && !owners.equals(before),
                "SubnetDelegationsCannotChangeWhenSubnetUsedByResource",
                id,
                String.join(",", before),
                String.join(",", owners),
                users.stream().findFirst().orElse(""));
    }

    private static List<String> owners(ObjectNode subnet) {
        return Bodies.objects(subnet, "properties.delegations").stream()
                .map(each -> Bodies.text(each, "properties.serviceName"))
                .toList();
    }

    /** A new subnet is private where the request is of a new version, unless it says otherwise. */
    private void wayOut(Draft subnet) {
        boolean known = subnets.find(subnet.text("id")).isPresent();
        if (!known && subnet.version().compareTo(PRIVATE_FROM) >= 0) {
            subnet.standard("properties.defaultOutboundAccess", false);
        }
        String gateway = subnet.text("properties.natGateway.id");
        boolean elsewhere = subnet.store().find(gateway, ResourceType.NAT_GATEWAYS).stream()
                .flatMap(found -> subnets.users("natGateway", found).stream())
                .anyMatch(user -> !ResourcePath.of(user).isInside(subnet.id()));
        refuse(elsewhere, "NatGatewayCannotBeUsedBySubnetsBelongingToDifferentVirtualNetworks", gateway, subnet.id());
    }

    static AddressRange range(ResourcePath id, String prefix) {
        String[] parts = prefix.split("/", -1);
        try {
            int length = Integer.parseInt(parts.length == 2 ? parts[1] : "");
            Ipv4Address address = Ipv4Address.of(parts[0]);
            long bits = length < 0 || length > WIDTH ? -1 : (1L << (WIDTH - length)) - 1;
            refuse(
                    bits >= 0 && (address.toLong() & bits) != 0,
                    "InvalidCIDRNotation",
                    prefix,
                    id,
                    new Ipv4Address((int) (address.toLong() & ~bits)) + "/" + length);
            return AddressRange.of(prefix);
        } catch (InvalidValueException | NumberFormatException e) {
            throw ArmException.of("InvalidAddressPrefixFormat", prefix, id);
        }
    }

    private static void checkSubnets(Draft network) {
        List<AddressRange> space = space(network);
        List<AddressRange> seen = new ArrayList<>();
        for (ObjectNode subnet : network.objects("properties.subnets")) {
            for (String prefix : Subnets.prefixes(subnet)) {
                AddressRange range = range(network.id(), prefix);
                requireInside(network, Bodies.text(subnet, "name"), range, space, seen);
                seen.add(range);
            }
        }
    }

    private static void requireInside(
            Draft network, String name, AddressRange range, List<AddressRange> space, List<AddressRange> seen) {
        int largest = LARGEST_PREFIX.getOrDefault(name, WIDTH);
        boolean inside = space.stream().anyMatch(part -> part.contains(range));
        boolean twice = seen.stream().anyMatch(range::overlaps);
        refuse(range.prefixLength() > SMALLEST, "NetcfgInvalidIPAddressPrefix", range, name);
        refuse(range.prefixLength() > largest, "NetcfgInvalidIPAddressPrefix.named", range, name, largest);
        refuse(!inside, "NetcfgInvalidSubnet", name, network.name());
        refuse(twice, "NetcfgSubnetRangesOverlap", name, network.name());
    }

    private void requireNoLoss(Draft network) {
        List<String> kept = ids(network.body());
        ids(network.resourceBefore().body()).stream()
                .filter(subnet -> kept.stream().noneMatch(subnet::equalsIgnoreCase))
                .forEach(subnet -> requireUnused(ResourcePath.of(subnet)));
        for (ObjectNode before : network.resourceBefore().objects("properties.subnets")) {
            String prefix = Subnets.prefix(before);
            Bodies.withId(network.body(), "properties.subnets", Bodies.text(before, "id"))
                    .filter(now -> !Subnets.prefix(now).equals(prefix))
                    .filter(now -> !subnets.taken(Bodies.text(now, "id")).isEmpty())
                    .ifPresent(now -> {
                        throw ArmException.of("InUsePrefixCannotBeDeleted", prefix, Bodies.text(now, "name"));
                    });
        }
    }

    private static List<String> ids(ObjectNode network) {
        return Bodies.objects(network, "properties.subnets").stream()
                .map(subnet -> Bodies.text(subnet, "id"))
                .toList();
    }

    /** Refuses to delete a subnet in which something lives. */
    private void requireUnused(ResourcePath subnet) {
        Map<?, String> taken = subnets.taken(subnet.toString());
        refuse(
                !taken.isEmpty(),
                "InUseSubnetCannotBeDeleted",
                subnet.name(),
                taken.values().stream().limit(3).collect(Collectors.joining(", ")));
    }

    private void showUsers(ObjectNode network) {
        for (ObjectNode subnet : Bodies.objects(network, "properties.subnets")) {
            Map<?, String> taken = subnets.taken(Bodies.text(subnet, "id"));
            if (!taken.isEmpty()) {
                ArrayNode configurations = Bodies.array(subnet, "properties.ipConfigurations");
                taken.values().forEach(id -> configurations.add(Bodies.reference(id)));
            }
        }
    }
}
