package io.clusterwright.azure.emulator.internal.network;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.clusterwright.azure.emulator.internal.arm.ArmException;
import io.clusterwright.azure.emulator.internal.arm.ArmId;
import io.clusterwright.azure.emulator.internal.arm.Bodies;
import io.clusterwright.azure.emulator.internal.arm.Cloud;
import io.clusterwright.azure.emulator.internal.arm.Resource;
import io.clusterwright.core.internal.http.Call;
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
        ObjectNode sku = Bodies.make(body, "sku");
        Bodies.putDefault(sku, "name", "Standard");
        Bodies.putDefault(sku, "tier", "Regional");
        boolean standard = Bodies.text(sku, "name").equals("Standard");
        Bodies.putDefault(properties, "publicIPAllocationMethod", standard ? "Static" : "Dynamic");
        if (standard && Bodies.text(properties, "publicIPAllocationMethod").equals("Dynamic")) {
            throw ArmException.badRequest(
                    "PublicIPAndSkuDontSupportAllocationMethod",
                    "Public IP address " + id + " of the sku Standard supports only the allocation method Static.");
        }
        Bodies.putDefault(properties, "publicIPAddressVersion", "IPv4");
        Bodies.putDefault(properties, "idleTimeoutInMinutes", 4);
        String address = cloud.store()
                .find(id)
                .map(before -> Bodies.text(before.body(), "properties", "ipAddress"))
                .orElseGet(this::free);
        properties.put("ipAddress", address);
        String label = Bodies.text(properties, "dnsSettings", "domainNameLabel");
        if (!label.isEmpty()) {
            Bodies.make(properties, "dnsSettings")
                    .put("fqdn", label + "." + Bodies.text(body, "location") + ".cloudapp.azure.com");
        }
    }

    private String free() {
        Set<String> taken = cloud.store()
                .ofType(ADDRESSES)
                .map(each -> Bodies.text(each.body(), "properties", "ipAddress"))
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
                        .flatMap(each -> Bodies.objects(each.properties().path(where.get(1))).stream()))
                .filter(configuration -> Bodies.text(configuration, "properties", "publicIPAddress", "id")
                        .equalsIgnoreCase(address.id().toString()))
                .map(configuration -> Bodies.text(configuration, "id"))
                .findFirst();
    }

    @Override
    public ObjectNode view(Call call, Resource resource) {
        ObjectNode view = super.view(call, resource);
        user(resource).ifPresent(user -> Bodies.properties(view).set("ipConfiguration", Bodies.reference(user)));
        return view;
    }
}
