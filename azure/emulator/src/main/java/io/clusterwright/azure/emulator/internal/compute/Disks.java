package io.clusterwright.azure.emulator.internal.compute;

import static io.clusterwright.azure.emulator.internal.arm.ArmException.refuse;
import static io.clusterwright.azure.emulator.internal.arm.ArmException.refuseMissing;
import static io.clusterwright.azure.emulator.internal.arm.ArmException.refuseValue;

import io.clusterwright.azure.emulator.internal.arm.ArmException;
import io.clusterwright.azure.emulator.internal.arm.Cloud;
import io.clusterwright.azure.emulator.internal.arm.Draft;
import io.clusterwright.azure.emulator.internal.arm.Resource;
import io.clusterwright.azure.emulator.internal.arm.ResourceType;
import io.clusterwright.azure.emulator.internal.arm.Row;
import io.clusterwright.azure.emulator.internal.arm.Work;
import io.clusterwright.core.internal.json.Json;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Managed disks and snapshots. */
final class Disks {
    static final int LARGEST = 32_767;

    private static final String SIZE = "properties.diskSizeGB";
    private static final String DATA = "properties.creationData.";
    private static final Pattern PLATFORM = Pattern.compile(
            "(?i)/subscriptions/[^/]+/providers/Microsoft.Compute/locations/[^/]+/publishers/([^/]+)/artifacttypes/vmimage"
                    + "/offers/([^/]+)/skus/([^/]+)/versions/([^/]+)");

    private Disks() {}

    static ResourceType disks(Cloud cloud) {
        ResourceType type = ResourceType.of(ResourceType.DISKS)
                .rows(
                        ComputeRows.name(ComputeRows.NAME),
                        ComputeRows.keep(),
                        Row.onUpdate(Disks::keepState, Disks::requireStopped),
                        Row.unchanged(
                                DATA + "createOption", "properties.osType", "properties.hyperVGeneration", "zones"),
                        Row.required(DATA + "createOption", "creationData", "disk.creationData.createOption"),
                        Row.onCreate(Disks::requireSource),
                        Row::zone,
                        Row.standard("sku.name", "Standard_LRS"),
                        Row.range(SIZE, "disk.diskSizeGB", 1, LARGEST),
                        disk -> requireSet(disk.text("properties.encryption.diskEncryptionSetId")),
                        DiskTypes::check,
                        Row.standard(SIZE, 30))
                .deleteCheck(Disks::requireDetached);
        return common(cloud, type);
    }

    static ResourceType snapshots(Cloud cloud) {
        ResourceType type = ResourceType.of(ResourceType.SNAPSHOTS)
                .rows(
                        ComputeRows.name(ComputeRows.NAME),
                        ComputeRows.keep(),
                        Row.unchanged(DATA + "createOption", "properties.incremental"),
                        Row.required(DATA + "createOption", "creationData", "snapshot.creationData.createOption"),
                        Row.onCreate(Disks::requireSource),
                        Row.standard("sku.name", "Standard_LRS"),
                        Row.standard("properties.incremental", false))
                .deleteCheck(DiskAccess::requireNone);
        return common(cloud, type);
    }

    private static ResourceType common(Cloud cloud, ResourceType type) {
        type.rows(
                        Row.standard("properties.diskState", "Unattached"),
                        Row.uuid("properties.uniqueId"),
                        Row.timeOf("properties.timeCreated"))
                .takes(Work.DISK, Work.DISK, Work.DISK)
                .created(202);
        return new DiskAccess(cloud).addTo(type);
    }

    /** Refuses a disk without what it is made from. */
    private static void requireSource(Draft disk) {
        String needed = switch (disk.text(DATA + "createOption")) {
            case "Empty" -> SIZE;
            case "FromImage" ->
                DATA + (disk.has(DATA + "galleryImageReference.id") ? "galleryImageReference.id" : "imageReference.id");
            case "Import", "ImportSecure" -> DATA + "sourceUri";
            case "Copy", "CopyStart", "Restore" -> DATA + "sourceResourceId";
            case "Upload", "UploadPreparedSecure" -> DATA + "uploadSizeBytes";
            default -> DATA + "createOption";
        };
        refuseMissing(!disk.has(needed), needed.replaceFirst("^properties", "disk"));
        refuseValue(disk.is(DATA + "createOption", "Attach"), "disk.creationData.createOption");
        String version = disk.text(DATA + "galleryImageReference.id");
        boolean known =
                disk.store().find(version, ResourceType.GALLERY_VERSIONS).isPresent();
        refuse(!version.isEmpty() && !known, "NotFound.source", version);
        if (disk.has(DATA + "imageReference.id")) {
            requirePlatform(disk.text(DATA + "imageReference.id"));
        }
        if (disk.has(DATA + "sourceResourceId")) {
            requireCopied(disk, disk.text(DATA + "sourceResourceId"));
        }
    }

    private static void requireCopied(Draft disk, String source) {
        Resource from = Optional.<Resource>empty()
                .or(() -> disk.store().find(source, ResourceType.DISKS))
                .or(() -> disk.store().find(source, ResourceType.SNAPSHOTS))
                .orElseThrow(() -> ArmException.of("NotFound.source", source));
        refuse(!from.location().equals(disk.region()), "InvalidParameter.sourceRegion", source, disk.region());
        int gib = from.number(SIZE, 0);
        disk.standard(SIZE, from.at(SIZE));
        requireNotSmaller(disk.number(SIZE, gib), gib);
    }

    static void requireNotSmaller(int now, int before) {
        refuse(now < before, "ResizeDiskError", now, before);
    }

    /** Refuses the id of an image of the marketplace that is not there. */
    private static void requirePlatform(String id) {
        Matcher words = PLATFORM.matcher(id);
        refuseValue(!words.matches(), "disk.creationData.imageReference.id");
        ImageCatalog.require(Json.object()
                .put("publisher", words.group(1))
                .put("offer", words.group(2))
                .put("sku", words.group(3))
                .put("version", words.group(4)));
    }

    /** Refuses every disk encryption set: they are not emulated. */
    static void requireSet(String id) {
        refuse(!id.isEmpty(), "NotFound.source", id);
    }

    /** Keeps what the service knows of a disk, and refuses to make it smaller. */
    private static void keepState(Draft disk) {
        Resource before = disk.resourceBefore();
        disk.properties().put("diskState", before.text("properties.diskState"));
        if (before.has("managedBy")) {
            disk.body().put("managedBy", before.text("managedBy"));
        }
        requireNotSmaller(disk.number(SIZE, 0), before.number(SIZE, 0));
    }

    /** Refuses to resize the system's disk of a machine that runs. */
    private static void requireStopped(Draft disk) {
        String owner = disk.textBefore("managedBy");
        boolean runs = disk.store()
                .find(owner, ResourceType.MACHINES)
                .filter(machine -> !MachineViews.isDeallocated(machine))
                .isPresent();
        boolean system = disk.resourceBefore().has("properties.osType");
        refuse(runs && system && disk.changes(SIZE), "OperationNotAllowed.resizeDisk", disk.name(), owner);
    }

    private static void requireDetached(Resource disk) {
        DiskAccess.requireNone(disk);
        refuse(disk.has("managedBy"), "OperationNotAllowed.attachedDisk", disk.name(), disk.text("managedBy"));
    }
}
