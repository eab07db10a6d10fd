package io.clusterwright.azure.emulator.internal.network;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.clusterwright.azure.emulator.internal.arm.ArmException;
import io.clusterwright.azure.emulator.internal.arm.ArmId;
import io.clusterwright.azure.emulator.internal.arm.Call;
import io.clusterwright.azure.emulator.internal.arm.Cloud;
import io.clusterwright.azure.emulator.internal.arm.Json;
import io.clusterwright.azure.emulator.internal.arm.Resource;
import io.clusterwright.core.type.AddressRange;
import io.clusterwright.core.type.Ipv4Address;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Public addresses; they are of the loopback network, so that nothing is public. */
public final class PublicAddresses extends NetworkKind {
    private static final AddressRange POOL = AddressRange.parse("127.64.0.0/16");

    public PublicAddresses(Cloud cloud) {
        super(cloud, ADDRESSES);
    }

    @Override
    void fillProperties(ArmId id, ObjectNode properties, ObjectNode body) {
        properties.remove("ipConfiguration");
        ObjectNode sku = Json.make(body, "sku");
        Json.putDefault(sku, "name", "Standard");
        Json.putDefault(sku, "tier", "Regional");
        boolean standard = Json.text(sku, "name").equals("Standard");
        Json.putDefault(properties, "publicIPAllocationMethod", standard ? "Static" : "Dynamic");
        if (standard && Json.text(properties, "publicIPAllocationMethod").equals("Dynamic")) {
            throw ArmException.badRequest(
                    "PublicIPAndSkuDontSupportAllocationMethod",
                    "Public IP address " + id + " of the sku Standard supports only the allocation method Static.");
        }
        Json.putDefault(properties, "publicIPAddressVersion", "IPv4");
        Json.putDefault(properties, "idleTimeoutInMinutes", 4);
        String address = cloud.store()
                .find(id)
                .map(before -> Json.text(before.body(), "properties", "ipAddress"))
                .orElseGet(this::free);
        properties.put("ipAddress", address);
        String label = Json.text(properties, "dnsSettings", "domainNameLabel");
        if (!label.isEmpty()) {
            Json.make(properties, "dnsSettings")
                    .put("fqdn", label + "." + Json.text(body, "location") + ".cloudapp.azure.com");
        }
    }

    private String free() {
        Set<String> taken = cloud.store()
                .ofType(ADDRESSES)
                .map(each -> Json.text(each.body(), "properties", "ipAddress"))
                .collect(Collectors.toSet());
        for (long offset = 1; offset < POOL.size() - 1; offset++) {
            Ipv4Address candidate = POOL.address(offset);
            if (!taken.contains(candidate.toString())) {
                return candidate.toString();
            }
        }
        throw ArmException.badRequest("PublicIPCountLimitReached", "Cannot create more public IP addresses.");
    }

    @Override
    protected void checkDelete(Call call, Resource resource) {
        user(resource).ifPresent(user -> {
            throw ArmException.badRequest(
                    "PublicIPAddressCannotBeDeleted",
                    "Public IP address " + resource.id()
                            + " can not be deleted since it is still allocated to resource "
                            + user
                            + ". In order to delete the public IP, disassociate/detach the Public IP address from"
                            + " the resource. To learn how to do this, see aka.ms/deletepublicip.");
        });
    }

    /** The configuration that has this address. */
    Optional<String> user(Resource address) {
        return Stream.of(List.of(INTERFACES, "ipConfigurations"), List.of(BALANCERS, "frontendIPConfigurations"))
                .flatMap(where -> cloud.store()
                        .ofType(where.get(0))
                        .flatMap(each -> Json.objects(each.properties().path(where.get(1))).stream()))
                .filter(configuration -> Json.text(configuration, "properties", "publicIPAddress", "id")
                        .equalsIgnoreCase(address.id().toString()))
                .map(configuration -> Json.text(configuration, "id"))
                .findFirst();
    }

    @Override
    public ObjectNode view(Call call, Resource resource) {
        ObjectNode view = super.view(call, resource);
        user(resource).ifPresent(user -> Json.properties(view).set("ipConfiguration", Json.reference(user)));
        return view;
    }
}
