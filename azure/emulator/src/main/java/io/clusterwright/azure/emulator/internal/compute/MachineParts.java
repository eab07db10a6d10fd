package io.clusterwright.azure.emulator.internal.compute;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.clusterwright.azure.emulator.internal.arm.ArmException;
import io.clusterwright.azure.emulator.internal.arm.ArmId;
import io.clusterwright.azure.emulator.internal.arm.Bodies;
import io.clusterwright.azure.emulator.internal.arm.Cloud;
import io.clusterwright.azure.emulator.internal.arm.Machines;
import io.clusterwright.azure.emulator.internal.arm.Resource;
import io.clusterwright.azure.emulator.internal.network.Interfaces;
import io.clusterwright.azure.emulator.internal.network.Subnets;
import io.clusterwright.core.internal.json.Json;
import io.clusterwright.core.type.AddressRange;
import io.clusterwright.core.type.Ipv4Address;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** The disks, interfaces and sets around a machine. */
final class MachineParts {
    private static final int LARGEST_SET = 200;

    private final Cloud cloud;

    MachineParts(Cloud cloud) {
        this.cloud = cloud;
    }

    void checkPlacement(ArmId id, ObjectNode properties, boolean spot) {
        String set = Bodies.text(properties, "availabilitySet", "id");
        if (!set.isEmpty()) {
            require(id, set, ComputeKind.SETS);
            if (spot) {
                throw ArmException.badRequest(
                        "OperationNotAllowed",
                        "A virtual machine of the priority Spot cannot be in an availability set.");
            }
            long members = cloud.store()
                    .ofType(ComputeKind.MACHINES)
                    .filter(each -> !each.id().key().equals(id.key()))
                    .filter(each -> Bodies.text(each.body(), "properties", "availabilitySet", "id")
                            .equalsIgnoreCase(set))
                    .count();
            if (members >= LARGEST_SET) {
                throw ArmException.conflict(
                        "OperationNotAllowed",
                        "The availability set " + set + " has the maximum of 200 virtual machines.");
            }
        }
        String group = Bodies.text(properties, "proximityPlacementGroup", "id");
        if (!group.isEmpty()) {
            require(id, group, ComputeKind.PROXIMITY);
        }
    }

    private void require(ArmId by, String reference, String type) {
        if (cloud.store().find(reference, type).isEmpty()) {
            throw ArmException.badReference(reference, by);
        }
    }

    /** The disks of a machine's profile, as separate resources. */
    void makeDisks(ArmId id, ObjectNode body, String region) {
        ObjectNode properties = Bodies.properties(body);
        ObjectNode os = Bodies.make(properties, "storageProfile", "osDisk");
        Bodies.putDefault(
                os,
                "name",
                id.name() + "_OsDisk_1_" + UUID.randomUUID().toString().replace("-", ""));
        Bodies.putDefault(os, "deleteOption", "Detach");
        makeDisk(id, os, region, Bodies.text(os, "osType"), body.path("tags"));
        int lun = 0;
        for (ObjectNode data : Bodies.objects(properties.path("storageProfile").path("dataDisks"))) {
            Bodies.putDefault(data, "lun", lun);
            Bodies.putDefault(data, "name", id.name() + "_DataDisk_" + lun);
            Bodies.putDefault(data, "createOption", "Empty");
            Bodies.putDefault(data, "deleteOption", "Detach");
            Bodies.putDefault(Bodies.make(data, "managedDisk"), "storageAccountType", "Premium_LRS");
            makeDisk(id, data, region, "", body.path("tags"));
            lun++;
        }
    }

    private void makeDisk(ArmId machine, ObjectNode disk, String region, String system, JsonNode tags) {
        ObjectNode managed = Bodies.make(disk, "managedDisk");
        String given = Bodies.text(managed, "id");
        ArmId id = ArmId.isResource(given)
                ? ArmId.parse(given)
                : machine.resource(ComputeKind.DISKS, Bodies.text(disk, "name"));
        managed.put("id", id.toString());
        Optional<Resource> existing = cloud.store().find(id);
        if (existing.isPresent()) {
            String owner = Bodies.text(existing.get().body(), "managedBy");
            if (!owner.isEmpty() && !owner.equalsIgnoreCase(machine.toString())) {
                throw ArmException.conflict(
                        "ConflictingUserInput",
                        "Disk " + id + " cannot be attached because it is already attached to " + owner + ".");
            }
            existing.get().body().put("managedBy", machine.toString());
            return;
        }
        ObjectNode body = Json.object()
                .put("name", id.name())
                .put("id", id.toString())
                .put("type", id.type())
                .put("location", region)
                .put("managedBy", machine.toString());
        // A disk that is made along with a machine has the machine's tags.
        if (tags.isObject()) {
            body.set("tags", tags.deepCopy());
        }
        body.putObject("sku")
                .put("name", Bodies.text(managed, "storageAccountType"))
                .put("tier", "Premium");
        ObjectNode properties = Bodies.properties(body);
        if (!system.isEmpty()) {
            properties.put("osType", system);
        }
        properties.putObject("creationData").put("createOption", Bodies.text(disk, "createOption"));
        properties
                .put("diskSizeGB", disk.path("diskSizeGB").asInt(30))
                .put("timeCreated", cloud.clock().now().toString())
                .put("diskState", "Attached")
                .put("uniqueId", UUID.randomUUID().toString())
                .put("provisioningState", "Succeeded");
        cloud.store().add(id, cloud.clock().now(), body);
    }

    List<Resource> interfacesOf(Resource machine) {
        List<Resource> interfaces = new ArrayList<>();
        for (ObjectNode reference :
                Bodies.objects(machine.properties().path("networkProfile").path("networkInterfaces"))) {
            cloud.store().find(ArmId.parse(Bodies.text(reference, "id"))).ifPresent(interfaces::add);
        }
        return interfaces;
    }

    /** Lets go of everything a machine had, or deletes it where the machine's delete options say so. */
    void release(Resource machine) {
        for (ObjectNode reference :
                Bodies.objects(machine.properties().path("networkProfile").path("networkInterfaces"))) {
            cloud.store().find(ArmId.parse(Bodies.text(reference, "id"))).ifPresent(found -> {
                found.reveal(Interfaces.OWNER);
                if (Bodies.text(reference, "properties", "deleteOption").equals("Delete")) {
                    deletePublicAddresses(found);
                    cloud.store().remove(found.id());
                }
            });
        }
        JsonNode storage = machine.properties().path("storageProfile");
        releaseDisk(storage.path("osDisk"));
        storage.path("dataDisks").forEach(this::releaseDisk);
    }

    private void deletePublicAddresses(Resource networkInterface) {
        Bodies.objects(networkInterface.properties().path("ipConfigurations")).forEach(configuration -> {
            JsonNode address = configuration.path("properties").path("publicIPAddress");
            if (Bodies.text(address, "properties", "deleteOption").equals("Delete")
                    || Bodies.text(address, "deleteOption").equals("Delete")) {
                cloud.store().remove(ArmId.parse(Bodies.text(address, "id")));
            }
        });
    }

    private void releaseDisk(JsonNode disk) {
        String id = Bodies.text(disk, "managedDisk", "id");
        if (!ArmId.isResource(id)) {
            return;
        }
        cloud.store().find(ArmId.parse(id)).ifPresent(found -> {
            if (Bodies.text(disk, "deleteOption").equals("Delete")) {
                cloud.store().remove(found.id());
            } else {
                found.body().remove("managedBy");
                found.properties().put("diskState", "Unattached");
            }
        });
    }

    /** The order to a machine host. */
    Machines.Order order(Resource machine, StorageProfiles storage, boolean boots) {
        ObjectNode configuration = Bodies.objects(
                        interfacesOf(machine).get(0).properties().path("ipConfigurations"))
                .get(0);
        JsonNode image = machine.properties().path("storageProfile").path("imageReference");
        return order(
                machine.id(),
                machine.properties().path("osProfile"),
                machine.hidden(OsProfiles.CUSTOM_DATA).orElse(""),
                configuration,
                storage.capturedBy(Bodies.text(image, "id")),
                boots);
    }

    Machines.Order order(
            ArmId id,
            JsonNode profile,
            String customData,
            ObjectNode configuration,
            Optional<ArmId> image,
            boolean boots) {
        ArmId subnet = ArmId.parse(Bodies.text(configuration, "properties", "subnet", "id"));
        Resource network = cloud.store().require(subnet.parent());
        List<String> keys = new ArrayList<>();
        profile.path("linuxConfiguration")
                .path("ssh")
                .path("publicKeys")
                .forEach(key -> keys.add(Bodies.text(key, "keyData").trim()));
        String name = Bodies.text(profile, "computerName");
        return new Machines.Order(
                id,
                subnet,
                name.isEmpty() ? id.name() : name,
                Ipv4Address.parse(Bodies.text(configuration, "properties", "privateIPAddress")),
                AddressRange.parse(network.properties()
                        .path("addressSpace")
                        .path("addressPrefixes")
                        .path(0)
                        .asText()),
                new Subnets(cloud).range(id, subnet.toString()),
                new String(Base64.getDecoder().decode(customData), StandardCharsets.UTF_8),
                Bodies.text(profile, "adminUsername"),
                keys,
                image,
                boots);
    }
}
