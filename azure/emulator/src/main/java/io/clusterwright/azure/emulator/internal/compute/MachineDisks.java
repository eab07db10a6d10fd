package io.clusterwright.azure.emulator.internal.compute;

import static io.clusterwright.azure.emulator.internal.arm.ArmException.refuse;
import static io.clusterwright.azure.emulator.internal.arm.ArmException.refuseMissing;
import static io.clusterwright.azure.emulator.internal.arm.ArmException.requireRange;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.clusterwright.azure.emulator.internal.arm.ArmException;
import io.clusterwright.azure.emulator.internal.arm.Bodies;
import io.clusterwright.azure.emulator.internal.arm.Cloud;
import io.clusterwright.azure.emulator.internal.arm.Draft;
import io.clusterwright.azure.emulator.internal.arm.Resource;
import io.clusterwright.azure.emulator.internal.arm.ResourcePath;
import io.clusterwright.azure.emulator.internal.arm.ResourceType;
import io.clusterwright.core.internal.json.Json;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Managed disks that come and go with a machine. */
final class MachineDisks {
    private static final int LAST_LUN = 63;
    private static final String DATA = "properties.storageProfile.dataDisks";
    private static final String SYSTEM = "properties.storageProfile.osDisk";

    private MachineDisks() {}

    /** Makes or attaches the disks of a machine's profile, as separate resources. */
    static void make(Draft machine) {
        if (!machine.isNew()) {
            detach(machine);
        }
        Draft os = machine.part(SYSTEM);
        os.standard("name", systemDisk(machine.name()));
        os.standard("deleteOption", "Detach");
        make(machine, os, os.text("osType"));
        int lun = 0;
        for (Draft data : machine.parts(DATA)) {
            data.standard("lun", lun);
            data.standard("name", machine.name() + "_DataDisk_" + lun);
            data.standard("createOption", "Empty");
            refuseMissing(data.is("createOption", "Empty") && !data.has("diskSizeGB"), "dataDisk.diskSizeGB");
            data.standard("deleteOption", "Detach");
            data.standard("managedDisk.storageAccountType", "Premium_LRS");
            requireRange(data.number("lun", 0), "dataDisk.lun", 0, LAST_LUN);
            requireRange(data.number("diskSizeGB", 1), "dataDisk.diskSizeGB", 1, Disks.LARGEST);
            make(machine, data, "");
            lun++;
        }
    }

    private static String systemDisk(String machine) {
        return machine + "_OsDisk_1_" + UUID.randomUUID().toString().replace("-", "");
    }

    /** Lets go of the disks that a change no longer names. */
    private static void detach(Draft machine) {
        List<Draft> staying = machine.parts(DATA).stream()
                .filter(disk -> !disk.isTrue("toBeDetached"))
                .toList();
        for (ObjectNode old : machine.resourceBefore().objects(DATA)) {
            String id = Bodies.text(old, "managedDisk.id");
            String name = Bodies.text(old, "name");
            if (staying.stream().noneMatch(disk -> disk.is("managedDisk.id", id) || disk.is("name", name))) {
                machine.store().find(id, ResourceType.DISKS).ifPresent(MachineDisks::free);
            }
        }
        machine.array(DATA).removeIf(disk -> disk.path("toBeDetached").asBoolean());
    }

    private static void free(Resource disk) {
        disk.body().remove("managedBy");
        disk.properties().put("diskState", "Unattached");
    }

    private static void make(Draft machine, Draft disk, String system) {
        ComputeRows.requireName(disk.text("name"), ComputeRows.NAME, "disk.name");
        String given = disk.text("managedDisk.id");
        boolean attached = disk.is("createOption", "Attach");
        refuseMissing(attached && given.isEmpty(), "dataDisk.managedDisk.id");
        Disks.requireSet(disk.text("managedDisk.diskEncryptionSet.id"));
        ResourcePath id = ResourcePath.isResource(given)
                ? ResourcePath.of(given)
                : machine.id().resource(ResourceType.DISKS, disk.text("name"));
        disk.make("managedDisk").put("id", id.toString());
        Optional<Resource> existing = machine.store().find(id);
        if (existing.isPresent()) {
            attach(machine, existing.get(), disk, attached);
        } else {
            refuse(attached, "NotFound.disk", id.name());
            add(machine, id, disk, system);
        }
    }

    private static void attach(Draft machine, Resource existing, Draft disk, boolean attached) {
        ResourcePath id = existing.id();
        String owner = machine.id().toString();
        boolean own = existing.is("managedBy", owner);
        boolean free = !existing.has("managedBy");
        refuse(!free && !own, "ConflictingUserInput", id, existing.text("managedBy"));
        if (free && !attached) {
            throw ArmException.of("ConflictingUserInput.exists", id.name(), id.group())
                    .at(id.toString());
        }
        JsonNode zone = existing.at("zones").path(0);
        boolean near = zone.isMissingNode() || zone.equals(machine.at("zones").path(0));
        boolean here = existing.location().equals(machine.region());
        refuse(!here, "BadRequest.diskRegion", id.name(), existing.location(), machine.region());
        refuse(!near, "BadRequest.diskZone", id.name(), zone.asText());
        DiskAccess.requireNone(existing);
        int was = existing.number("properties.diskSizeGB", 0);
        int now = disk.number("diskSizeGB", was);
        Disks.requireNotSmaller(now, was);
        boolean stopped = !machine.isNew() && MachineViews.isDeallocated(machine.resourceBefore());
        refuse(now > was && !stopped, "Conflict.diskSize");
        existing.body().put("managedBy", owner);
        existing.properties().put("diskSizeGB", now).put("diskState", "Attached");
    }

    private static void add(Draft machine, ResourcePath id, Draft disk, String system) {
        ObjectNode body = Json.object()
                .put("name", id.name())
                .put("id", id.toString())
                .put("type", id.type())
                .put("location", machine.region())
                .put("managedBy", machine.id().toString());
        // A disk that is made along with a machine has the machine's tags.
        if (machine.at("tags").isObject()) {
            body.set("tags", machine.at("tags").deepCopy());
        }
        body.putObject("sku")
                .put("name", disk.text("managedDisk.storageAccountType"))
                .put("tier", "Premium");
        ObjectNode properties = Bodies.properties(body)
                .put("diskSizeGB", disk.number("diskSizeGB", 30))
                .put("diskState", "Attached")
                .put("provisioningState", "Succeeded");
        if (!system.isEmpty()) {
            properties.put("osType", system);
        }
        properties.putObject("creationData").put("createOption", disk.text("createOption"));
        register(machine.cloud(), id, body);
    }

    private static void register(Cloud cloud, ResourcePath id, ObjectNode body) {
        Bodies.properties(body)
                .put("timeCreated", cloud.clock().now().toString())
                .put("uniqueId", UUID.randomUUID().toString());
        cloud.store().add(id, cloud.clock().now(), body);
    }

    /** Gives a machine that was reimaged a new disk of the system; the old one is deleted or kept as its delete option says. */
    static void renew(Cloud cloud, Resource machine) {
        ObjectNode os = machine.make(SYSTEM);
        Resource old = cloud.store().require(ResourcePath.of(Bodies.text(os, "managedDisk.id")));
        release(cloud, os);
        ResourcePath id = machine.id().resource(ResourceType.DISKS, systemDisk(machine.name()));
        ObjectNode body = old.body().deepCopy();
        body.put("name", id.name())
                .put("id", id.toString())
                .put("managedBy", machine.id().toString());
        Bodies.properties(body).put("diskState", "Attached");
        register(cloud, id, body);
        os.put("name", id.name());
        Bodies.make(os, "managedDisk").put("id", id.toString());
    }

    /** Detaches the disks of a machine, or deletes them where its delete options say so. */
    static void release(Cloud cloud, Resource machine) {
        release(cloud, machine.at(SYSTEM));
        machine.at(DATA).forEach(disk -> release(cloud, disk));
    }

    private static void release(Cloud cloud, JsonNode disk) {
        cloud.store()
                .find(Bodies.text(disk, "managedDisk.id"), ResourceType.DISKS)
                .ifPresent(found -> {
                    if (Bodies.is(disk, "deleteOption", "Delete")) {
                        cloud.store().remove(found.id());
                    } else {
                        free(found);
                    }
                });
    }
}
