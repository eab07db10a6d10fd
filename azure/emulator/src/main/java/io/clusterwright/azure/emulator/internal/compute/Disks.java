package io.clusterwright.azure.emulator.internal.compute;

import static io.clusterwright.azure.emulator.internal.arm.ArmException.refuse;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.clusterwright.azure.emulator.internal.arm.ArmException;
import io.clusterwright.azure.emulator.internal.arm.ArmId;
import io.clusterwright.azure.emulator.internal.arm.Bodies;
import io.clusterwright.azure.emulator.internal.arm.Cloud;
import io.clusterwright.azure.emulator.internal.arm.Draft;
import io.clusterwright.azure.emulator.internal.arm.Resource;
import io.clusterwright.azure.emulator.internal.arm.ResourceType;
import io.clusterwright.azure.emulator.internal.arm.Row;
import io.clusterwright.azure.emulator.internal.arm.Work;
import io.clusterwright.core.internal.json.Json;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Managed disks; most come and go with a machine. */
final class Disks {
    private static final int LARGEST = 32_767;
    private static final int LAST_LUN = 63;
    private static final Pattern PLATFORM = Pattern.compile(
            "(?i)/subscriptions/[^/]+/providers/Microsoft.Compute/locations/[^/]+/publishers/([^/]+)/artifacttypes/vmimage"
                    + "/offers/([^/]+)/skus/([^/]+)/versions/([^/]+)");
    private static final String NAME = "^[^_\\W][\\w-._]{0,79}(?<![-.])$";

    private Disks() {}

    static ResourceType type(Cloud cloud) {
        ResourceType type = ResourceType.of(ResourceType.DISKS)
                .rows(
                        MachineRules.name(NAME),
                        Row.onUpdate(Disks::keep, Disks::requireStopped),
                        MachineRules.fixed("properties.creationData.createOption"),
                        MachineRules.fixed("properties.osType"),
                        MachineRules.fixed("properties.hyperVGeneration"),
                        MachineRules.fixed("zones"),
                        Row.required(
                                "properties.creationData.createOption",
                                "creationData",
                                "disk.creationData.createOption"),
                        Row.onCreate(Disks::requireSource),
                        Row::zone,
                        Row.standard("sku.name", "Standard_LRS"),
                        Disks::requireRange,
                        Row.standard("properties.diskSizeGB", 30),
                        Row.standard("properties.diskState", "Unattached"),
                        Row.once("properties.uniqueId", all -> UUID.randomUUID().toString()),
                        Row.once(
                                "properties.timeCreated",
                                all -> all.clock().now().toString()))
                .takes(Work.DISK, Work.DISK, Work.DISK)
                .created(202)
                .deleteCheck(Disks::requireDetached);
        return new DiskAccess(cloud).addTo(type);
    }

    /** Refuses a disk without what it is made from. */
    static void requireSource(Draft disk) {
        String data = "properties.creationData.";
        String needed = switch (disk.text(data + "createOption")) {
            case "Empty" -> "properties.diskSizeGB";
            case "FromImage" ->
                disk.text(data + "galleryImageReference.id").isEmpty()
                        ? data + "imageReference.id"
                        : data + "galleryImageReference.id";
            case "Import", "ImportSecure" -> data + "sourceUri";
            case "Copy", "CopyStart", "Restore" -> data + "sourceResourceId";
            case "Upload", "UploadPreparedSecure" -> data + "uploadSizeBytes";
            default -> "";
        };
        if (!needed.isEmpty() && disk.text(needed).isEmpty()) {
            String name = needed.replaceFirst("^properties", "disk");
            throw ArmException.missing(name, name);
        }
        refuse(
                disk.text(data + "createOption").equals("Attach"),
                "InvalidParameter.value",
                "disk.creationData.createOption");
        String version = disk.text(data + "galleryImageReference.id");
        refuse(
                !version.isEmpty()
                        && disk.store()
                                .find(version, ResourceType.GALLERY_VERSIONS)
                                .isEmpty(),
                "NotFound.source",
                version);
        String platform = disk.text(data + "imageReference.id");
        if (!platform.isEmpty()) {
            requirePlatform(platform);
        }
        String source = disk.text(data + "sourceResourceId");
        if (!source.isEmpty()) {
            Resource from = disk.store()
                    .find(source, ResourceType.DISKS)
                    .or(() -> disk.store().find(source, ResourceType.SNAPSHOTS))
                    .orElseThrow(() -> ArmException.of("NotFound.source", source));
            refuse(!from.location().equals(disk.region()), "InvalidParameter.sourceRegion", source, disk.region());
            int gib = from.number("properties.diskSizeGB", 0);
            refuse(
                    disk.number("properties.diskSizeGB", gib) < gib,
                    "ResizeDiskError",
                    disk.number("properties.diskSizeGB", 0),
                    gib);
            disk.standard("properties.diskSizeGB", from.at("properties.diskSizeGB"));
        }
    }

    /** Refuses the id of an image of the marketplace that is not there. */
    private static void requirePlatform(String id) {
        Matcher words = PLATFORM.matcher(id);
        refuse(!words.matches(), "InvalidParameter.value", "disk.creationData.imageReference.id");
        ImageCatalog.require(Json.object()
                .put("publisher", words.group(1))
                .put("offer", words.group(2))
                .put("sku", words.group(3))
                .put("version", words.group(4)));
    }

    private static void requireRange(Draft disk) {
        int size = disk.number("properties.diskSizeGB", 1);
        refuse(size < 1 || size > LARGEST, "InvalidParameter.range", size, "disk.diskSizeGB", 1, LARGEST);
        requireSet(disk.text("properties.encryption.diskEncryptionSetId"));
        DiskTypes.check(disk);
    }

    /** Disk encryption sets are not emulated, so that none is there. */
    private static void requireSet(String id) {
        refuse(!id.isEmpty(), "NotFound.source", id);
    }

    /** Refuses to resize the system's disk of a machine that runs. */
    private static void requireStopped(Draft disk) {
        Resource before = disk.resourceBefore();
        boolean runs = disk.store()
                .find(before.text("managedBy"), ResourceType.MACHINES)
                .filter(machine -> !machine.isHidden(MachineViews.POWER, "deallocated"))
                .isPresent();
        boolean same = disk.at("properties.diskSizeGB")
                .asText()
                .equals(before.at("properties.diskSizeGB").asText());
        refuse(
                runs && !same && !disk.textBefore("properties.osType").isEmpty(),
                "OperationNotAllowed.resizeDisk",
                disk.name(),
                disk.textBefore("managedBy"));
    }

    /** Keeps what the service knows of a disk, and refuses to make it smaller. */
    private static void keep(Draft disk) {
        ObjectNode before = disk.resourceBefore().properties();
        MachineRules.keep(before, disk.properties());
        disk.properties().put("diskState", Bodies.text(before, "diskState"));
        String owner = disk.resourceBefore().text("managedBy");
        if (!owner.isEmpty()) {
            disk.body().put("managedBy", owner);
        }
        int now = disk.number("properties.diskSizeGB", 0);
        int was = before.path("diskSizeGB").asInt();
        refuse(now < was, "ResizeDiskError", now, was);
    }

    private static void requireDetached(Resource disk) {
        DiskAccess.requireNone(disk);
        String owner = disk.text("managedBy");
        refuse(!owner.isEmpty(), "OperationNotAllowed.attachedDisk", disk.name(), owner);
    }

    /** The disks of a machine's profile, as separate resources. */
    static void make(Draft machine) {
        if (machine.before() != null) {
            detach(machine);
        }
        String name = machine.name();
        ObjectNode os = machine.make("properties.storageProfile.osDisk");
        Bodies.standard(
                os, "name", name + "_OsDisk_1_" + UUID.randomUUID().toString().replace("-", ""));
        Bodies.standard(os, "deleteOption", "Detach");
        requireName(os);
        make(machine, os, Bodies.text(os, "osType"));
        int lun = 0;
        for (ObjectNode data : machine.objects("properties.storageProfile.dataDisks")) {
            Bodies.standard(data, "lun", lun);
            Bodies.standard(data, "name", name + "_DataDisk_" + lun);
            Bodies.standard(data, "createOption", "Empty");
            refuse(
                    Bodies.text(data, "createOption").equals("Empty") && !data.hasNonNull("diskSizeGB"),
                    "InvalidParameter.missing",
                    "dataDisk.diskSizeGB");
            Bodies.standard(data, "deleteOption", "Detach");
            Bodies.standard(data, "managedDisk.storageAccountType", "Premium_LRS");
            requireName(data);
            int number = data.path("lun").asInt();
            refuse(number < 0 || number > LAST_LUN, "InvalidParameter.range", number, "dataDisk.lun", 0, LAST_LUN);
            int gib = data.path("diskSizeGB").asInt(1);
            refuse(gib < 1 || gib > LARGEST, "InvalidParameter.range", gib, "dataDisk.diskSizeGB", 1, LARGEST);
            make(machine, data, "");
            lun++;
        }
    }

    private static void requireName(ObjectNode disk) {
        String name = Bodies.text(disk, "name");
        if (!name.matches(NAME)) {
            throw ArmException.of("InvalidParameter.entityName", name, NAME).at("disk.name");
        }
    }

    /** Lets go of the disks that a change no longer names. */
    private static void detach(Draft machine) {
        List<ObjectNode> disks = machine.objects("properties.storageProfile.dataDisks");
        for (ObjectNode old : machine.resourceBefore().objects("properties.storageProfile.dataDisks")) {
            String id = Bodies.text(old, "managedDisk.id");
            boolean stays = disks.stream()
                    .filter(disk -> !disk.path("toBeDetached").asBoolean())
                    .anyMatch(disk -> Bodies.text(disk, "managedDisk.id").equalsIgnoreCase(id)
                            || Bodies.text(disk, "name").equalsIgnoreCase(Bodies.text(old, "name")));
            if (!stays) {
                machine.store().find(id, ResourceType.DISKS).ifPresent(Disks::free);
            }
        }
        machine.array("properties.storageProfile.dataDisks")
                .removeIf(disk -> disk.path("toBeDetached").asBoolean());
    }

    private static void free(Resource disk) {
        disk.body().remove("managedBy");
        disk.properties().put("diskState", "Unattached");
    }

    private static void make(Draft machine, ObjectNode disk, String system) {
        Cloud cloud = machine.cloud();
        String owner = machine.id().toString();
        ObjectNode managed = Bodies.make(disk, "managedDisk");
        String given = Bodies.text(managed, "id");
        refuse(isAttached(disk) && given.isEmpty(), "InvalidParameter.missing", "dataDisk.managedDisk.id");
        requireSet(Bodies.text(managed, "diskEncryptionSet.id"));
        ArmId id = ArmId.isResource(given)
                ? ArmId.of(given)
                : machine.id().resource(ResourceType.DISKS, Bodies.text(disk, "name"));
        managed.put("id", id.toString());
        Optional<Resource> existing = cloud.store().find(id);
        if (existing.isPresent()) {
            String other = existing.get().text("managedBy");
            refuse(!other.isEmpty() && !other.equalsIgnoreCase(owner), "ConflictingUserInput", id, other);
            if (other.isEmpty() && !isAttached(disk)) {
                throw ArmException.of("ConflictingUserInput.exists", id.name(), id.group())
                        .at(id.toString());
            }
            requireNear(machine, existing.get());
            DiskAccess.requireNone(existing.get());
            resize(machine, existing.get(), disk);
            existing.get().body().put("managedBy", owner);
            existing.get().properties().put("diskState", "Attached");
            return;
        }
        refuse(isAttached(disk), "NotFound.disk", id.name());
        ObjectNode body = Json.object()
                .put("name", id.name())
                .put("id", id.toString())
                .put("type", id.type())
                .put("location", machine.region())
                .put("managedBy", owner);
        // A disk that is made along with a machine has the machine's tags.
        if (machine.at("tags").isObject()) {
            body.set("tags", machine.body().get("tags").deepCopy());
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

    /** Refuses a disk of another region or zone than the machine's. */
    private static void requireNear(Draft machine, Resource disk) {
        JsonNode zone = disk.body().path("zones").path(0);
        refuse(
                !disk.location().equals(machine.region()),
                "BadRequest.diskRegion",
                disk.name(),
                disk.location(),
                machine.region());
        refuse(
                !zone.isMissingNode()
                        && !zone.equals(machine.body().path("zones").path(0)),
                "BadRequest.diskZone",
                disk.name(),
                zone.asText());
    }

    /** Gives the disk of a machine the size that the machine names, which needs the machine deallocated. */
    private static void resize(Draft machine, Resource existing, ObjectNode disk) {
        int was = existing.number("properties.diskSizeGB", 0);
        int now = disk.path("diskSizeGB").asInt(was);
        refuse(now < was, "ResizeDiskError", now, was);
        boolean stopped =
                machine.before() != null && machine.resourceBefore().isHidden(MachineViews.POWER, "deallocated");
        refuse(now > was && !stopped, "Conflict.diskSize");
        existing.properties().put("diskSizeGB", now);
    }

    private static boolean isAttached(ObjectNode disk) {
        return Bodies.text(disk, "createOption").equals("Attach");
    }

    /** Gives a machine that was made anew a new disk of the system; the old one is deleted or kept as its delete option says. */
    static void renew(Cloud cloud, Resource machine) {
        ObjectNode os = machine.make("properties.storageProfile.osDisk");
        Resource old = cloud.store().require(ArmId.of(Bodies.text(os, "managedDisk.id")));
        release(cloud, os);
        ArmId id = machine.id()
                .resource(
                        ResourceType.DISKS,
                        machine.name() + "_OsDisk_1_"
                                + UUID.randomUUID().toString().replace("-", ""));
        ObjectNode body = old.body().deepCopy();
        body.put("name", id.name())
                .put("id", id.toString())
                .put("managedBy", machine.id().toString());
        Bodies.properties(body)
                .put("diskState", "Attached")
                .put("uniqueId", UUID.randomUUID().toString())
                .put("timeCreated", cloud.clock().now().toString());
        cloud.store().add(id, cloud.clock().now(), body);
        os.put("name", id.name());
        Bodies.make(os, "managedDisk").put("id", id.toString());
    }

    /** Detaches the disks of a machine, or deletes them where its delete options say so. */
    static void release(Cloud cloud, Resource machine) {
        JsonNode storage = machine.at("properties.storageProfile");
        release(cloud, storage.path("osDisk"));
        storage.path("dataDisks").forEach(disk -> release(cloud, disk));
    }

    private static void release(Cloud cloud, JsonNode disk) {
        String id = Bodies.text(disk, "managedDisk.id");
        cloud.store().find(id, ResourceType.DISKS).ifPresent(found -> {
            if (Bodies.text(disk, "deleteOption").equals("Delete")) {
                cloud.store().remove(found.id());
            } else {
                free(found);
            }
        });
    }
}
