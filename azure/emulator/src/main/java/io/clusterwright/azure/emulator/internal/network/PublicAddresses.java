package io.clusterwright.azure.emulator.internal.network;

import static io.clusterwright.azure.emulator.internal.arm.ArmException.refuse;

import io.clusterwright.azure.emulator.internal.arm.ArmException;
import io.clusterwright.azure.emulator.internal.arm.BackingMachines;
import io.clusterwright.azure.emulator.internal.arm.Bodies;
import io.clusterwright.azure.emulator.internal.arm.Cloud;
import io.clusterwright.azure.emulator.internal.arm.Draft;
import io.clusterwright.azure.emulator.internal.arm.Resource;
import io.clusterwright.azure.emulator.internal.arm.ResourcePath;
import io.clusterwright.azure.emulator.internal.arm.ResourceType;
import io.clusterwright.azure.emulator.internal.arm.Row;
import io.clusterwright.core.type.AddressRange;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/** Public addresses, taken from the loopback network, so that no one outside reaches them. */
public final class PublicAddresses {
    private static final int LONGEST_IDLE = 30;
    private static final String LABEL_PATH = "properties.dnsSettings.domainNameLabel";
    private static final Pattern LABEL = Pattern.compile("^[a-z][a-z0-9-]{1,61}[a-z0-9]$");
    private static final AddressRange POOL = AddressRange.of("127.64.0.0/16");

    private final Cloud cloud;

    PublicAddresses(Cloud cloud) {
        this.cloud = cloud;
    }

    ResourceType type(BackingMachines machines) {
        InboundConnections ways = new InboundConnections(cloud, machines);
        return NetworkTypes.of(ResourceType.PUBLIC_ADDRESSES)
                .rows(
                        Row.readOnly("properties", "ipConfiguration"),
                        Row.standard("sku.name", "Basic"),
                        Row.standard("sku.tier", "Regional"),
                        // Basic addresses, which a request without a sku means, cannot be had since 30 September 2025.
                        Row.refuse(
                                address -> !address.text("sku.name").startsWith("Standard"),
                                "IPv4BasicSkuPublicIpCountLimitReached",
                                0),
                        NetworkRows::zones,
                        Row.onCreate(PublicAddresses::requireRoom),
                        Row.refuse(
                                address -> !address.is("properties.publicIPAllocationMethod", "Static"),
                                "PublicIPAndSkuDontSupportAllocationMethod",
                                Draft::id),
                        Row.fixedWhereGiven("properties.publicIPAddressVersion"),
                        Row.standard("properties.publicIPAddressVersion", "IPv4"),
                        Row.standard("properties.idleTimeoutInMinutes", 4),
                        NetworkRows.idle(LONGEST_IDLE),
                        Row.fixed("sku.name"),
                        Row.once("properties.ipAddress", all -> free(all, machines.firstAddress())),
                        this::name)
                .deleteCheck(this::requireUnused)
                .removed(ways::close)
                .view((call, address, body) -> {
                    ways.open(address);
                    user(address)
                            .ifPresent(user -> Bodies.properties(body).set("ipConfiguration", Bodies.reference(user)));
                });
    }

    private static void requireRoom(Draft address) {
        int limit = address.cloud().settings().publicAddresses();
        long there = NetworkUsages.count(address.cloud(), address.region(), ResourceType.PUBLIC_ADDRESSES);
        refuse(there >= limit, "PublicIPCountLimitReached", limit);
    }

    private void name(Draft address) {
        String label = address.text(LABEL_PATH);
        if (!label.isEmpty()) {
            requireLabel(label);
            boolean taken = address.others()
                    .filter(other -> other.location().equals(address.region()))
                    .anyMatch(other -> other.text(LABEL_PATH).equals(label));
            refuse(taken, "DnsRecordInUse", label, address.region());
            address.make("properties.dnsSettings").put("fqdn", label + "." + address.region() + ".cloudapp.azure.com");
        }
    }

    static void requireLabel(String label) {
        refuse(!LABEL.matcher(label).matches(), "InvalidDomainNameLabel", label, LABEL.pattern());
    }

    /** A free address. */
    public static String free(Cloud cloud, long first) {
        Set<String> taken = Stream.of(ResourceType.PUBLIC_ADDRESSES, ResourceType.INSTANCE_ADDRESSES)
                .flatMap(type -> cloud.store().ofType(type))
                .map(each -> each.text("properties.ipAddress"))
                .collect(Collectors.toSet());
        return LongStream.range(first, POOL.size() - 1)
                .mapToObj(offset -> POOL.address(offset).toString())
                .filter(address -> !taken.contains(address))
                .findFirst()
                .orElseThrow(() -> ArmException.of("PublicIPCountLimitReached", POOL.size()));
    }

    private void requireUnused(Resource address) {
        user(address).ifPresent(user -> {
            throw ArmException.of("PublicIPAddressCannotBeDeleted", address.id(), user);
        });
    }

    /** The configuration that has this address. */
    Optional<String> user(Resource address) {
        String id = address.id().toString();
        Stream<String> configurations = Stream.concat(
                        cloud.store().parts(ResourceType.INTERFACES, "properties.ipConfigurations"),
                        cloud.store().parts(ResourceType.LOAD_BALANCERS, "properties.frontendIPConfigurations"))
                .filter(configuration -> Bodies.is(configuration, "properties.publicIPAddress.id", id))
                .map(configuration -> Bodies.text(configuration, "id"));
        Stream<String> gateways = cloud.store()
                .ofType(ResourceType.NAT_GATEWAYS)
                .filter(gateway -> Bodies.withId(gateway.body(), "properties.publicIpAddresses", id)
                        .isPresent())
                .map(gateway -> gateway.id().toString());
        return Stream.concat(configurations, gateways).findFirst();
    }

    /** Refuses an address of another version than the configuration that is to have it. */
    static void requireVersion(Resource address, Draft configuration) {
        String version = address.text("properties.publicIPAddressVersion");
        String given = configuration.text("properties.privateIPAddressVersion");
        String own = given.isEmpty() ? "IPv4" : given;
        refuse(
                !version.equals(own),
                "IPVersionForPublicIpAndNicIpConfigurationMustMatch",
                address.id(),
                version,
                configuration.text("id"),
                own);
    }

    /** Refuses an address that something else has. */
    void requireFree(ResourcePath by, Resource address, String asking) {
        user(address).filter(user -> !user.equalsIgnoreCase(asking)).ifPresent(user -> {
            throw ArmException.of("PublicIPAddressInUse", by, address.id(), user);
        });
    }
}
