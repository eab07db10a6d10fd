package io.clusterwright.azure.emulator.internal.compute;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.clusterwright.azure.emulator.internal.arm.BackingMachines;
import io.clusterwright.azure.emulator.internal.arm.Bodies;
import io.clusterwright.azure.emulator.internal.arm.Cloud;
import io.clusterwright.azure.emulator.internal.arm.Resource;
import io.clusterwright.azure.emulator.internal.arm.ResourcePath;
import io.clusterwright.azure.emulator.internal.network.Interfaces;
import io.clusterwright.azure.emulator.internal.network.Subnets;
import io.clusterwright.core.type.AddressRange;
import io.clusterwright.core.type.Ipv4Address;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** The resources around a machine or an instance: its interfaces, disks and image. */
final class MachineParts {
    private final Cloud cloud;
    private final StorageProfiles storage;
    private final Subnets subnets;

    MachineParts(Cloud cloud) {
        this.cloud = cloud;
        this.storage = new StorageProfiles(cloud);
        this.subnets = new Subnets(cloud);
    }

    List<Resource> interfacesOf(Resource machine) {
        return references(machine).stream()
                .flatMap(reference -> cloud.store().find(ResourcePath.of(Bodies.text(reference, "id"))).stream())
                .toList();
    }

    private static List<ObjectNode> references(Resource machine) {
        return machine.objects("properties.networkProfile.networkInterfaces");
    }

    /** Lets go of everything a machine had, or deletes it where the machine's delete options say so. */
    void release(Resource machine) {
        for (ObjectNode reference : references(machine)) {
            cloud.store().find(ResourcePath.of(Bodies.text(reference, "id"))).ifPresent(found -> {
                found.reveal(Interfaces.OWNER);
                if (Bodies.text(reference, "properties.deleteOption").equals("Delete")) {
                    deletePublicAddresses(found);
                    cloud.store().remove(found.id());
                }
            });
        }
        MachineDisks.release(cloud, machine);
    }

    private void deletePublicAddresses(Resource networkInterface) {
        for (ObjectNode configuration : networkInterface.objects("properties.ipConfigurations")) {
            JsonNode address = Bodies.at(configuration, "properties.publicIPAddress");
            if (Bodies.text(address, "properties.deleteOption").equals("Delete")
                    || Bodies.text(address, "deleteOption").equals("Delete")) {
                cloud.store().remove(ResourcePath.of(Bodies.text(address, "id")));
            }
        }
    }

    /** The order to a machine host. */
    BackingMachines.Order order(Resource machine, boolean boots) {
        ObjectNode configuration = interfacesOf(machine)
                .get(0)
                .objects("properties.ipConfigurations")
                .get(0);
        ResourcePath subnet = ResourcePath.of(Bodies.text(configuration, "properties.subnet.id"));
        JsonNode space = cloud.store().require(subnet.parent()).at("properties.addressSpace.addressPrefixes");
        String os = "properties.osProfile.";
        String image = "properties.storageProfile.imageReference";
        String name = machine.text(os + "computerName");
        byte[] data = Base64.getDecoder()
                .decode(machine.hidden(OsProfiles.CUSTOM_DATA).orElse(""));
        return new BackingMachines.Order(
                machine.id(),
                name.isEmpty() ? machine.name() : name,
                size(machine),
                new BackingMachines.Place(
                        subnet,
                        Ipv4Address.of(Bodies.text(configuration, "properties.privateIPAddress")),
                        AddressRange.of(space.path(0).asText()),
                        subnets.range(machine.id(), subnet.toString())),
                new BackingMachines.Login(
                        machine.text(os + "adminUsername"),
                        machine.objects(os + "linuxConfiguration.ssh.publicKeys").stream()
                                .map(key -> Bodies.text(key, "keyData").trim())
                                .toList()),
                new BackingMachines.Source(
                        storage.capturedBy(machine.text(image + ".id")),
                        urn(machine.at(image)),
                        new String(data, StandardCharsets.UTF_8)),
                boots);
    }

    /** Publisher, offer and sku of an image of the marketplace; empty for another one. */
    static String urn(JsonNode image) {
        String offer = Bodies.text(image, "offer");
        return offer.isEmpty() ? "" : Bodies.text(image, "publisher") + ":" + offer + ":" + Bodies.text(image, "sku");
    }

    /** Deletes a machine and makes it again from its image. */
    CompletableFuture<?> remake(BackingMachines machines, Resource machine) {
        BackingMachines.Order order = order(machine, true);
        return machines.delete(machine.id()).thenCompose(gone -> machines.create(order));
    }

    /** An instance of a scale set has the size of the set. */
    private static String size(Resource machine) {
        String own = machine.text("properties.hardwareProfile.vmSize");
        return own.isEmpty() ? machine.text("sku.name") : own;
    }
}
