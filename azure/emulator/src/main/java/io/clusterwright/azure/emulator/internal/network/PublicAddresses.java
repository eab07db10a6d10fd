package io.clusterwright.azure.emulator.internal.network;

import io.clusterwright.azure.emulator.internal.arm.ArmException;
import io.clusterwright.azure.emulator.internal.arm.Bodies;
import io.clusterwright.azure.emulator.internal.arm.Cloud;
import io.clusterwright.azure.emulator.internal.arm.Draft;
import io.clusterwright.azure.emulator.internal.arm.Resource;
import io.clusterwright.azure.emulator.internal.arm.ResourceType;
import io.clusterwright.azure.emulator.internal.arm.Row;
import io.clusterwright.core.type.AddressRange;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/** Public addresses; they are of the loopback network, so that nothing is public. */
final class PublicAddresses {
    private static final AddressRange POOL = AddressRange.parse("127.64.0.0/16");

    private final Cloud cloud;

    PublicAddresses(Cloud cloud) {
        this.cloud = cloud;
    }

    ResourceType type() {
        return NetworkTypes.of(ResourceType.PUBLIC_ADDRESSES)
                .rows(
                        Row.readOnly("properties", "ipConfiguration"),
                        Row.standard("sku.name", "Standard"),
                        Row.standard("sku.tier", "Regional"),
                        PublicAddresses::checkAllocation,
                        Row.standard("properties.publicIPAddressVersion", "IPv4"),
                        Row.standard("properties.idleTimeoutInMinutes", 4),
                        Row.once("properties.ipAddress", PublicAddresses::free),
                        PublicAddresses::name)
                .deleteCheck(this::requireUnused)
                .view((call, address, body) -> user(address)
                        .ifPresent(user -> Bodies.properties(body).set("ipConfiguration", Bodies.reference(user))));
    }

    private static void checkAllocation(Draft address) {
        boolean standard = address.text("sku.name").equals("Standard");
        Bodies.standard(address.body(), "properties.publicIPAllocationMethod", standard ? "Static" : "Dynamic");
        if (standard && address.text("properties.publicIPAllocationMethod").equals("Dynamic")) {
            throw ArmException.of("PublicIPAndSkuDontSupportAllocationMethod", address.id());
        }
    }

    private static void name(Draft address) {
        String label = address.text("properties.dnsSettings.domainNameLabel");
        if (!label.isEmpty()) {
            Bodies.make(address.body(), "properties.dnsSettings")
                    .put("fqdn", label + "." + address.region() + ".cloudapp.azure.com");
        }
    }

    private static String free(Cloud cloud) {
        Set<String> taken = cloud.store()
                .ofType(ResourceType.PUBLIC_ADDRESSES)
                .map(each -> Bodies.text(each.body(), "properties.ipAddress"))
                .collect(Collectors.toSet());
        return LongStream.range(1, POOL.size() - 1)
                .mapToObj(offset -> POOL.address(offset).toString())
                .filter(address -> !taken.contains(address))
                .findFirst()
                .orElseThrow(() -> ArmException.of("PublicIPCountLimitReached"));
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
                .findFirst();
    }
}
