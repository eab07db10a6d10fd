package io.clusterwright.azure.emulator.internal.network;

import static io.clusterwright.azure.emulator.internal.arm.ArmException.refuse;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.clusterwright.azure.emulator.internal.arm.ArmException;
import io.clusterwright.azure.emulator.internal.arm.Bodies;
import io.clusterwright.azure.emulator.internal.arm.Cloud;
import io.clusterwright.azure.emulator.internal.arm.Pages;
import io.clusterwright.azure.emulator.internal.arm.Resource;
import io.clusterwright.azure.emulator.internal.arm.ResourcePath;
import io.clusterwright.azure.emulator.internal.arm.ResourceType;
import io.clusterwright.core.internal.json.Json;
import io.clusterwright.core.type.AddressRange;
import io.clusterwright.core.type.InvalidValueException;
import io.clusterwright.core.type.Ipv4Address;
import io.clusterwright.emulator.internal.http.Call;
import io.clusterwright.emulator.internal.http.Reply;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/** Owners of the addresses of a subnet. The first four and the last address of each belong to Azure. */
public final class Subnets {
    private static final int FIRST = 4;
    private static final int SHOWN = 5;
    /** Subnets that belong to a service by their name. */
    private static final Set<String> KEPT =
            Set.of("GatewaySubnet", "AzureBastionSubnet", "AzureFirewallSubnet", "RouteServerSubnet");

    private final Cloud cloud;

    public Subnets(Cloud cloud) {
        this.cloud = cloud;
    }

    /** The range of a subnet that exists. */
    public AddressRange range(ResourcePath by, String subnet) {
        return find(subnet)
                .map(entry -> AddressRange.of(prefix(entry)))
                .orElseThrow(() -> ArmException.badReference(subnet, by));
    }

    static String prefix(ObjectNode subnet) {
        return prefixes(subnet).get(0);
    }

    /** Its ranges, of which addresses come from the first; an empty text where it has none. */
    static List<String> prefixes(ObjectNode subnet) {
        List<String> prefixes = new ArrayList<>();
        String single = Bodies.text(subnet, "properties.addressPrefix");
        if (!single.isEmpty()) {
            prefixes.add(single);
        }
        Bodies.at(subnet, "properties.addressPrefixes").forEach(each -> {
            if (!each.asText().equals(single)) {
                prefixes.add(each.asText());
            }
        });
        return prefixes.isEmpty() ? List.of("") : prefixes;
    }

    /** The ids of the subnets that refer to a resource by this property. */
    List<String> users(String property, Resource used) {
        return cloud.store()
                .parts(ResourceType.VIRTUAL_NETWORKS, "properties.subnets")
                .filter(subnet -> Bodies.is(
                        subnet, "properties." + property + ".id", used.id().toString()))
                .map(subnet -> Bodies.text(subnet, "id"))
                .toList();
    }

    /** A type of what subnets refer to by this property: it shows them, and cannot be deleted while there are any. */
    ResourceType usedBySubnets(ResourceType type, String property, BiFunction<Resource, String, ArmException> refusal) {
        return type.deleteCheck(used -> {
                    List<String> users = users(property, used);
                    if (!users.isEmpty()) {
                        throw refusal.apply(used, String.join(", ", users));
                    }
                })
                .view((call, used, body) -> users(property, used)
                        .forEach(
                                user -> Bodies.array(body, "properties.subnets").add(Bodies.reference(user))));
    }

    /** Refuses an interface in a subnet that belongs to a service. */
    public void requireUndelegated(ResourcePath by, String subnet) {
        String name = ResourcePath.of(subnet).name();
        String service = KEPT.contains(name)
                ? name
                : find(subnet)
                        .map(entry -> Bodies.at(entry, "properties.delegations").path(0))
                        .map(owner -> Bodies.text(owner, "properties.serviceName"))
                        .orElse("");
        refuse(!service.isEmpty(), "SubnetWithExternalResourcesCannotBeUsedByOtherResources", subnet, service, by);
    }

    /** Refuses configurations of version 6: a primary one cannot be, and no subnet here has such a range. */
    public static void requireVersion(ResourcePath by, ObjectNode configuration) {
        String name = Bodies.text(configuration, "name");
        String subnet = Bodies.text(configuration, "properties.subnet.id");
        String address = Bodies.text(configuration, "properties.privateIPAddress");
        boolean six = Bodies.is(configuration, "properties.privateIPAddressVersion", "IPv6");
        boolean primary = Bodies.isTrue(configuration, "properties.primary");
        refuse(six && primary, "InvalidRequestFormat.primaryVersion", name, by);
        refuse(!six && address.contains(":"), "InvalidIPAddressFormat", address, by);
        refuse(six, "InvalidRequestFormat.subnetVersion", subnet, name);
    }

    Optional<ObjectNode> find(String subnet) {
        if (!ResourcePath.isResource(subnet)) {
            return Optional.empty();
        }
        ResourcePath id = ResourcePath.of(subnet);
        return cloud.store().find(id.parent()).stream()
                .flatMap(network -> network.objects("properties.subnets").stream())
                .filter(entry -> Bodies.text(entry, "name").equalsIgnoreCase(id.name()))
                .findFirst();
    }

    /** The configurations that live in a subnet, by address. */
    Map<Ipv4Address, String> taken(String subnet) {
        Map<Ipv4Address, String> taken = new TreeMap<>();
        configurations()
                .filter(configuration ->
                        Bodies.text(configuration, "properties.subnet.id").equalsIgnoreCase(subnet))
                .forEach(configuration -> {
                    String address = Bodies.text(configuration, "properties.privateIPAddress");
                    if (!address.isEmpty()) {
                        taken.put(Ipv4Address.of(address), Bodies.text(configuration, "id"));
                    }
                });
        return taken;
    }

    private Stream<ObjectNode> configurations() {
        return Stream.of(
                        cloud.store().parts(ResourceType.INTERFACES, "properties.ipConfigurations"),
                        cloud.store().parts(ResourceType.INSTANCE_INTERFACES, "properties.ipConfigurations"),
                        cloud.store().parts(ResourceType.LOAD_BALANCERS, "properties.frontendIPConfigurations"))
                .flatMap(Function.identity());
    }

    /** Used and usable addresses of each subnet of a network. */
    Reply usages(Call call, Resource network) {
        List<ObjectNode> usages = new ArrayList<>();
        for (ObjectNode subnet : network.objects("properties.subnets")) {
            String id = Bodies.text(subnet, "id");
            ObjectNode usage = Json.object()
                    .put("id", id)
                    .put("currentValue", taken(id).size())
                    .put("limit", AddressRange.of(prefix(subnet)).size() - FIRST - 1)
                    .put("unit", "Count");
            usage.putObject("name").put("value", "SubnetSpace").put("localizedValue", "Subnet size and usage");
            usages.add(usage);
        }
        return Pages.of(call, cloud, usages);
    }

    /** Whether an address is free, and some that are where it is not. */
    Reply available(Call call, Resource network) {
        String wanted = call.query("ipaddress");
        ObjectNode answer = Json.object().put("available", false);
        for (ObjectNode subnet : network.objects("properties.subnets")) {
            AddressRange range = AddressRange.of(prefix(subnet));
            Map<Ipv4Address, String> taken = taken(Bodies.text(subnet, "id"));
            Ipv4Address address = NetworkRows.parse(wanted, network.id());
            if (range.contains(address)) {
                long offset = address.toLong() - range.network().toLong();
                boolean usable = isUsable(range, offset) && !taken.containsKey(address);
                answer.put("available", usable);
                if (!usable) {
                    LongStream.range(FIRST, range.size() - 1)
                            .mapToObj(range::address)
                            .filter(each -> !taken.containsKey(each))
                            .limit(SHOWN)
                            .forEach(each ->
                                    Bodies.array(answer, "availableIPAddresses").add(each.toString()));
                }
                return Reply.ok(answer);
            }
        }
        throw ArmException.of("PrivateIPAddressNotInAnySubnet", wanted, network.id());
    }

    /**
     * Gives a configuration its private address.
     *
     * @param owner the resource that has the configuration
     * @param configuration with an id, and with a subnet
     */
    public void allocate(ResourcePath owner, ObjectNode configuration) {
        ObjectNode properties = Bodies.properties(configuration);
        String subnet = Bodies.text(properties, "subnet.id");
        AddressRange range = range(owner, subnet);
        Map<Ipv4Address, String> taken = taken(subnet);
        String own = Bodies.text(configuration, "id");
        taken.values().removeIf(own::equalsIgnoreCase);
        Bodies.standard(properties, "privateIPAllocationMethod", "Dynamic");
        String wanted = Bodies.text(properties, "privateIPAddress");
        if (Bodies.text(properties, "privateIPAllocationMethod").equalsIgnoreCase("Static")) {
            properties.put("privateIPAddress", fixed(owner, subnet, range, taken, wanted));
        } else if (wanted.isEmpty() || !isFree(range, taken, wanted)) {
            properties.put("privateIPAddress", free(subnet, range, taken));
        }
        Bodies.standard(properties, "privateIPAddressVersion", "IPv4");
    }

    private static boolean isFree(AddressRange range, Map<Ipv4Address, String> taken, String wanted) {
        try {
            Ipv4Address address = Ipv4Address.of(wanted);
            return range.contains(address) && !taken.containsKey(address);
        } catch (InvalidValueException e) {
            return false;
        }
    }

    private static String fixed(
            ResourcePath owner, String subnet, AddressRange range, Map<Ipv4Address, String> taken, String wanted) {
        Ipv4Address address = NetworkRows.parse(wanted, owner);
        long offset = address.toLong() - range.network().toLong();
        String other = taken.get(address);
        refuse(!range.contains(address), "PrivateIPAddressNotInSubnet", wanted, range);
        refuse(!isUsable(range, offset), "PrivateIPAddressInReservedRange", wanted, range);
        refuse(other != null, "PrivateIPAddressIsAllocated", owner.name(), wanted, other, subnet);
        return address.toString();
    }

    private static boolean isUsable(AddressRange range, long offset) {
        return offset >= FIRST && offset < range.size() - 1;
    }

    private static String free(String subnet, AddressRange range, Map<Ipv4Address, String> taken) {
        for (long offset = FIRST; offset < range.size() - 1; offset++) {
            Ipv4Address candidate = range.address(offset);
            if (!taken.containsKey(candidate)) {
                return candidate.toString();
            }
        }
        throw ArmException.of("SubnetIsFull", ResourcePath.of(subnet).name(), range);
    }
}
