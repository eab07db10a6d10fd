package io.clusterwright.azure.emulator.internal.network;

import static io.clusterwright.azure.emulator.internal.arm.ArmException.refuse;

import io.clusterwright.azure.emulator.internal.arm.ArmException;
import io.clusterwright.azure.emulator.internal.arm.ArmId;
import io.clusterwright.azure.emulator.internal.arm.BackingMachines;
import io.clusterwright.azure.emulator.internal.arm.Bodies;
import io.clusterwright.azure.emulator.internal.arm.Cloud;
import io.clusterwright.azure.emulator.internal.arm.Draft;
import io.clusterwright.azure.emulator.internal.arm.Resource;
import io.clusterwright.azure.emulator.internal.arm.ResourceType;
import io.clusterwright.azure.emulator.internal.arm.Row;
import io.clusterwright.core.type.AddressRange;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/** Public addresses; they are of the loopback network, so that nothing is public. */
public final class PublicAddresses {
    private static final int LONGEST_IDLE = 30;
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
                        PublicAddresses::requireStandard,
                        NetworkRows::zones,
                        Row.onCreate(PublicAddresses::requireRoom),
                        PublicAddresses::checkAllocation,
                        Row.fixedWhereGiven("properties.publicIPAddressVersion"),
                        Row.standard("properties.publicIPAddressVersion", "IPv4"),
                        Row.standard("properties.idleTimeoutInMinutes", 4),
                        draft -> NetworkRows.idle(draft, draft.properties(), LONGEST_IDLE),
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

    /** Basic addresses, which a request without a sku means, cannot be had since 30 September 2025. */
    private static void requireStandard(Draft address) {
        refuse(!address.text("sku.name").startsWith("Standard"), "IPv4BasicSkuPublicIpCountLimitReached", 0);
    }

    private static void requireRoom(Draft address) {
        int limit = address.cloud().settings().publicAddresses();
        refuse(
                NetworkUsages.count(address.cloud(), address.region(), ResourceType.PUBLIC_ADDRESSES) >= limit,
                "PublicIPCountLimitReached",
                limit);
    }

    private static void checkAllocation(Draft address) {
        refuse(
                !address.text("properties.publicIPAllocationMethod").equals("Static"),
                "PublicIPAndSkuDontSupportAllocationMethod",
                address.id());
    }

    private void name(Draft address) {
        String label = address.text("properties.dnsSettings.domainNameLabel");
        if (!label.isEmpty()) {
            requireLabel(label);
            refuse(
                    cloud.store()
                            .ofType(ResourceType.PUBLIC_ADDRESSES)
                            .filter(other ->
                                    !other.id().key().equals(address.id().key()))
                            .filter(other -> other.location().equals(address.region()))
                            .anyMatch(other -> other.text("properties.dnsSettings.domainNameLabel")
                                    .equals(label)),
                    "DnsRecordInUse",
                    label,
                    address.region());
            address.make("properties.dnsSettings").put("fqdn", label + "." + address.region() + ".cloudapp.azure.com");
        }
    }

    static void requireLabel(String label) {
        refuse(!LABEL.matcher(label).matches(), "InvalidDomainNameLabel", label, LABEL.pattern());
    }

    /** An address that nothing has. */
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
        return Stream.concat(
                        cloud.store().parts(ResourceType.INTERFACES, "properties.ipConfigurations"),
                        cloud.store().parts(ResourceType.LOAD_BALANCERS, "properties.frontendIPConfigurations"))
                .filter(configuration -> Bodies.text(configuration, "properties.publicIPAddress.id")
                        .equalsIgnoreCase(address.id().toString()))
                .map(configuration -> Bodies.text(configuration, "id"))
                .findFirst()
                .or(() -> cloud.store()
                        .ofType(ResourceType.NAT_GATEWAYS)
                        .filter(gateway -> gateway.objects("properties.publicIpAddresses").stream()
                                .anyMatch(each -> Bodies.text(each, "id")
                                        .equalsIgnoreCase(address.id().toString())))
                        .map(gateway -> gateway.id().toString())
                        .findFirst());
    }

    /** Refuses an address of another version than the configuration that is to have it. */
    static void requireVersion(Resource address, Draft configuration) {
        String version = address.text("properties.publicIPAddressVersion");
        String own = configuration.text("properties.privateIPAddressVersion");
        refuse(
                !version.equals(own.isEmpty() ? "IPv4" : own),
                "IPVersionForPublicIpAndNicIpConfigurationMustMatch",
                address.id(),
                version,
                configuration.text("id"),
                own.isEmpty() ? "IPv4" : own);
    }

    /** Refuses an address that something else has. */
    void requireFree(ArmId by, Resource address, String asking) {
        user(address).filter(user -> !user.equalsIgnoreCase(asking)).ifPresent(user -> {
            throw ArmException.of("PublicIPAddressInUse", by, address.id(), user);
        });
    }
}
