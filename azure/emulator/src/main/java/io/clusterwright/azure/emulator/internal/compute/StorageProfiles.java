package io.clusterwright.azure.emulator.internal.compute;

import static io.clusterwright.azure.emulator.internal.arm.ArmException.refuse;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.clusterwright.azure.emulator.internal.arm.ArmException;
import io.clusterwright.azure.emulator.internal.arm.ArmId;
import io.clusterwright.azure.emulator.internal.arm.Bodies;
import io.clusterwright.azure.emulator.internal.arm.Cloud;
import io.clusterwright.azure.emulator.internal.arm.Draft;
import io.clusterwright.azure.emulator.internal.arm.Resource;
import io.clusterwright.azure.emulator.internal.arm.ResourceType;
import io.clusterwright.core.catalog.Architecture;
import io.clusterwright.core.catalog.ImageFacts;
import io.clusterwright.core.catalog.VmSizeFacts;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Boot sources of machines: a marketplace image, a managed image or one of a gallery. */
final class StorageProfiles {
    /** The image that a version was made from. */
    static final String CONTENT = "content";

    /** The plan of the machine that an image was captured from. */
    static final String PLAN = "plan";

    private static final String SUPPORTED = "TrustedLaunchSupported";
    private static final int MACHINES_PER_REPLICA = 20;
    private static final int LARGEST_DISK = 4095;
    private static final int LINUX_DISK = 30;
    private static final int WINDOWS_DISK = 127;
    private static final Pattern PREMIUM = Pattern.compile("Standard_(DS|GS|FS|[A-Z]+\\d+(-\\d+)?[a-z]*s).*");

    private final Cloud cloud;

    StorageProfiles(Cloud cloud) {
        this.cloud = cloud;
    }

    /**
     * Properties of an image that was found.
     *
     * @param system {@code Linux} or {@code Windows}
     * @param specialized whether it brings its accounts along
     * @param generation {@code V1} or {@code V2}
     * @param plan publisher, product and name of its plan, joined by colons; empty where it has none
     * @param security the type of security that its definition names; empty where it names none
     * @param diskGib the size of its disk
     */
    record Image(
            String system,
            boolean specialized,
            String generation,
            Architecture architecture,
            String plan,
            String security,
            int diskGib) {}

    /** Checks what a profile refers to and fills in what follows from it. */
    Image resolve(Draft machine, ObjectNode profile, VmSizeFacts size) {
        ObjectNode reference = Bodies.make(profile, "imageReference");
        refuse(reference.isEmpty(), "InvalidParameter.missing", "imageReference");
        Image image = Bodies.text(reference, "id").isEmpty()
                ? marketplace(reference)
                : stored(machine, Bodies.text(reference, "id"));
        ObjectNode disk = Bodies.make(profile, "osDisk");
        Bodies.standard(disk, "createOption", "FromImage");
        Bodies.standard(disk, "osType", image.system());
        Bodies.standard(disk, "caching", "ReadWrite");
        Bodies.standard(disk, "diskSizeGB", image.diskGib());
        Bodies.standard(disk, "managedDisk.storageAccountType", isPremium(size) ? "Premium_LRS" : "Standard_LRS");
        Bodies.array(profile, "dataDisks");
        requireDisks(profile, image, size);
        requireBootable(image.generation(), image.architecture(), size);
        return image;
    }

    /** Whether machines of a size can have disks of Premium storage: its name has an s after the cores, or the old families'. */
    private static boolean isPremium(VmSizeFacts size) {
        return PREMIUM.matcher(size.size().toString()).matches();
    }

    private static void requireDisks(ObjectNode profile, Image image, VmSizeFacts size) {
        ObjectNode system = Bodies.make(profile, "osDisk");
        refuse(
                !Bodies.text(system, "createOption").equals("FromImage"),
                "InvalidParameter.value",
                "osDisk.createOption");
        refuse(!Bodies.text(system, "osType").equals(image.system()), "InvalidParameter.value", "osDisk.osType");
        refuse(
                system.has("diffDiskSettings")
                        && !Bodies.text(system, "caching").equals("ReadOnly"),
                "InvalidParameter.value",
                "osDisk.caching");
        int gib = system.path("diskSizeGB").asInt();
        refuse(gib < 1 || gib > LARGEST_DISK, "InvalidParameter.range", gib, "osDisk.diskSizeGB", 1, LARGEST_DISK);
        refuse(gib < image.diskGib(), "OperationNotAllowed.smallDisk", gib, image.diskGib());
        refuse(
                DiskTypes.isAdjustable(Bodies.text(system, "managedDisk.storageAccountType")),
                "InvalidParameter.systemDisk",
                Bodies.text(system, "managedDisk.storageAccountType"));
        Stream.concat(Stream.of(system), Bodies.objects(profile, "dataDisks").stream())
                .filter(disk ->
                        Bodies.text(disk, "managedDisk.storageAccountType").startsWith("Premium") && !isPremium(size))
                .findFirst()
                .ifPresent(disk -> {
                    throw ArmException.of(
                            "InvalidParameter.premium",
                            size.size(),
                            Bodies.text(disk, "managedDisk.storageAccountType"),
                            Bodies.text(disk, "name"));
                });
    }

    /** Refuses a size that cannot boot the image of a machine that exists. */
    void requireBootable(ObjectNode profile, VmSizeFacts size) {
        ObjectNode reference = Bodies.make(profile, "imageReference");
        requireBootable(generation(profile), architecture(reference), size);
    }

    private static void requireBootable(String generation, Architecture architecture, VmSizeFacts size) {
        refuse(
                generation.equals("V1") && size.isGeneration2Only()
                        || generation.equals("V2") && size.isGeneration1Only(),
                "BadRequest.generation",
                size.size(),
                generation.substring(1));
        refuse(
                architecture != size.architecture(),
                "BadRequest.architecture",
                size.size(),
                name(size.architecture()),
                name(architecture));
    }

    static String name(Architecture architecture) {
        return architecture == Architecture.ARM64 ? "Arm64" : "x64";
    }

    private static Image marketplace(ObjectNode reference) {
        ImageFacts facts = ImageCatalog.require(reference);
        String plan = facts.needsPlan()
                ? Bodies.text(reference, "publisher") + ":" + Bodies.text(reference, "offer") + ":"
                        + Bodies.text(reference, "sku")
                : "";
        String generation = facts.generation().orElse(1) == 2 ? "V2" : "V1";
        return new Image(
                ImageCatalog.system(facts),
                false,
                generation,
                facts.architecture(),
                plan,
                generation.equals("V2") ? SUPPORTED : "",
                ImageCatalog.system(facts).equals("Windows") ? WINDOWS_DISK : LINUX_DISK);
    }

    /** The architecture of an image. */
    Architecture architecture(ObjectNode reference) {
        String id = Bodies.text(reference, "id");
        if (id.isEmpty()) {
            return ImageCatalog.require(reference).architecture();
        }
        String text = find(id).filter(image -> image.id().isOfType(ResourceType.GALLERY_VERSIONS))
                .map(image ->
                        Bodies.text(cloud.store().require(image.id().parent()).body(), "properties.architecture"))
                .orElse("");
        return text.equals("Arm64") ? Architecture.ARM64 : Architecture.X64;
    }

    private Image stored(Draft machine, String id) {
        String region = machine.region();
        Resource image = find(id).orElseThrow(() -> ArmException.of("NotFound.storedImage", id, region));
        refuse(!image.isSucceeded(), "Conflict.image", id, machine.id(), image.state());
        String plan = image.hidden(PLAN).orElse("");
        if (image.id().isOfType(ResourceType.IMAGES)) {
            refuse(!image.location().equals(region), "InvalidParameter.imageRegion", id, image.location(), region);
            String system = image.text("properties.storageProfile.osDisk.osType");
            int gib = image.number("properties.storageProfile.osDisk.diskSizeGB", LINUX_DISK);
            return new Image(system, false, generation(image), Architecture.X64, plan, "", gib);
        }
        Resource definition = cloud.store().require(image.id().parent());
        refuse(
                image.objects("properties.publishingProfile.targetRegions").stream()
                        .noneMatch(each ->
                                Bodies.text(each, "name").replace(" ", "").equalsIgnoreCase(region)),
                "NotFound.galleryImage",
                id,
                region);
        boolean specialized = definition.text("properties.osState").equals("Specialized");
        return new Image(
                definition.text("properties.osType"),
                specialized,
                generation(definition),
                architecture(Bodies.reference(id)),
                plan,
                security(definition),
                image.number("properties.storageProfile.osDiskImage.sizeInGB", LINUX_DISK));
    }

    /** The feature {@code SecurityType} of a definition; empty where it has none. */
    static String security(Resource definition) {
        return definition.objects("properties.features").stream()
                .filter(feature -> Bodies.text(feature, "name").equalsIgnoreCase("SecurityType"))
                .map(feature -> Bodies.text(feature, "value"))
                .findFirst()
                .orElse("");
    }

    private static String generation(Resource image) {
        String generation = image.text("properties.hyperVGeneration");
        return generation.isEmpty() ? "V1" : generation;
    }

    /** The number of machines that can be made from an image at one time: 20 for each of its replicas in the region. */
    Optional<Integer> most(String imageId, String region) {
        return find(imageId).map(image -> {
            ObjectNode body = image.body();
            int replicas = Bodies.objects(body, "properties.publishingProfile.targetRegions").stream()
                    .filter(each -> Bodies.text(each, "name").replace(" ", "").equalsIgnoreCase(region))
                    .map(each -> each.path("regionalReplicaCount").asInt(1))
                    .findFirst()
                    .orElse(1);
            return MACHINES_PER_REPLICA * replicas;
        });
    }

    /** {@code V1} or {@code V2}: what the machine of a profile started as. */
    String generation(ObjectNode profile) {
        ObjectNode reference = Bodies.make(profile, "imageReference");
        String id = Bodies.text(reference, "id");
        if (id.isEmpty()) {
            return ImageCatalog.require(reference).generation().orElse(1) == 2 ? "V2" : "V1";
        }
        return find(id).map(image -> image.id().isOfType(ResourceType.GALLERY_VERSIONS)
                        ? cloud.store().require(image.id().parent())
                        : image)
                .map(image -> image.text("properties.hyperVGeneration"))
                .filter(generation -> !generation.isEmpty())
                .orElse("V1");
    }

    /** The content of the image of this id; nothing for a text that is no id. */
    Optional<ArmId> capturedBy(String id) {
        return find(id).map(StorageProfiles::captured);
    }

    /** The image that holds the content: a version may have been made from a managed image. */
    static ArmId captured(Resource image) {
        return image.hidden(CONTENT).map(ArmId::of).orElse(image.id());
    }

    private Optional<Resource> find(String id) {
        if (!ArmId.isResource(id)) {
            return Optional.empty();
        }
        ArmId image = ArmId.of(id);
        if (image.isOfType(ResourceType.GALLERY_IMAGES)) {
            return cloud.store().children(image, "versions").stream()
                    .filter(Resource::isSucceeded)
                    .filter(version -> !version.isTrue("properties.publishingProfile.excludeFromLatest"))
                    .reduce((first, second) -> second);
        }
        if (image.isOfType(ResourceType.GALLERY_VERSIONS) && image.name().equalsIgnoreCase("latest")) {
            return find(image.parent().toString());
        }
        return image.isOfType(ResourceType.IMAGES) || image.isOfType(ResourceType.GALLERY_VERSIONS)
                ? cloud.store().find(image)
                : Optional.empty();
    }
}
