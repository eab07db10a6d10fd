package io.clusterwright.azure.emulator.internal.compute;

import static io.clusterwright.azure.emulator.internal.arm.ArmException.refuse;
import static io.clusterwright.azure.emulator.internal.arm.ArmException.refuseMissing;
import static io.clusterwright.azure.emulator.internal.arm.ArmException.refuseValue;
import static io.clusterwright.azure.emulator.internal.arm.ArmException.requireRange;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.clusterwright.azure.emulator.Fault;
import io.clusterwright.azure.emulator.internal.arm.ArmException;
import io.clusterwright.azure.emulator.internal.arm.Bodies;
import io.clusterwright.azure.emulator.internal.arm.Cloud;
import io.clusterwright.azure.emulator.internal.arm.Draft;
import io.clusterwright.azure.emulator.internal.arm.Resource;
import io.clusterwright.azure.emulator.internal.arm.ResourceBody;
import io.clusterwright.azure.emulator.internal.arm.ResourcePath;
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

    private static final String IMAGE = "properties.storageProfile.imageReference.id";
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
        refuseMissing(reference.isEmpty(), "imageReference");
        Image image =
                Bodies.has(reference, "id") ? stored(machine, Bodies.text(reference, "id")) : marketplace(reference);
        Draft disk = machine.part(Bodies.make(profile, "osDisk"));
        disk.standard("createOption", "FromImage");
        disk.standard("osType", image.system());
        disk.standard("caching", "ReadWrite");
        disk.standard("diskSizeGB", image.diskGib());
        disk.standard("managedDisk.storageAccountType", isPremium(size) ? "Premium_LRS" : "Standard_LRS");
        Bodies.array(profile, "dataDisks");
        requireDisks(disk, profile, image, size);
        requireBootable(image.generation(), image.architecture(), size);
        return image;
    }

    /** Whether machines of a size can have disks of Premium storage: its name has an s after the cores, or the old families'. */
    private static boolean isPremium(VmSizeFacts size) {
        return PREMIUM.matcher(size.size().toString()).matches();
    }

    private static void requireDisks(Draft system, ObjectNode profile, Image image, VmSizeFacts size) {
        refuseValue(!system.is("createOption", "FromImage"), "osDisk.createOption");
        refuseValue(!system.is("osType", image.system()), "osDisk.osType");
        refuseValue(system.has("diffDiskSettings") && !system.is("caching", "ReadOnly"), "osDisk.caching");
        int gib = system.number("diskSizeGB", 0);
        requireRange(gib, "osDisk.diskSizeGB", 1, LARGEST_DISK);
        refuse(gib < image.diskGib(), "OperationNotAllowed.smallDisk", gib, image.diskGib());
        String type = system.text("managedDisk.storageAccountType");
        refuse(DiskTypes.isAdjustable(type), "InvalidParameter.systemDisk", type);
        Stream.concat(Stream.of(system.body()), Bodies.objects(profile, "dataDisks").stream())
                .forEach(disk -> {
                    String own = Bodies.text(disk, "managedDisk.storageAccountType");
                    refuse(
                            own.startsWith("Premium") && !isPremium(size),
                            "InvalidParameter.premium",
                            size.size(),
                            own,
                            Bodies.text(disk, "name"));
                });
    }

    /** Refuses a size that cannot boot the image of a machine that exists. */
    void requireBootable(ObjectNode profile, VmSizeFacts size) {
        requireBootable(generation(profile), architecture(Bodies.make(profile, "imageReference")), size);
    }

    private static void requireBootable(String generation, Architecture architecture, VmSizeFacts size) {
        boolean boots = generation.equals("V1") ? !size.isGeneration2Only() : !size.isGeneration1Only();
        refuse(!boots, "BadRequest.generation", size.size(), generation.substring(1));
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
        String system = ImageCatalog.system(facts);
        String generation = ImageCatalog.generation(facts);
        String plan = facts.needsPlan() ? MachineParts.urn(reference) : "";
        String security = generation.equals("V2") ? SUPPORTED : "";
        int gib = system.equals("Windows") ? WINDOWS_DISK : LINUX_DISK;
        return new Image(system, false, generation, facts.architecture(), plan, security, gib);
    }

    /** The architecture of an image. */
    Architecture architecture(ObjectNode reference) {
        String id = Bodies.text(reference, "id");
        if (id.isEmpty()) {
            return ImageCatalog.require(reference).architecture();
        }
        return find(id).map(this::description)
                .filter(image -> image.is("properties.architecture", "Arm64"))
                .map(image -> Architecture.ARM64)
                .orElse(Architecture.X64);
    }

    private Image stored(Draft machine, String id) {
        String region = machine.region();
        Resource image = find(id).orElseThrow(() -> ArmException.of("NotFound.storedImage", id, region));
        refuse(!image.isSucceeded(), "Conflict.image", id, machine.id(), image.state());
        String plan = image.hidden(PLAN).orElse("");
        if (image.id().isOfType(ResourceType.IMAGES)) {
            refuse(!image.location().equals(region), "InvalidParameter.imageRegion", id, image.location(), region);
            String disk = "properties.storageProfile.osDisk.";
            int gib = image.number(disk + "diskSizeGB", LINUX_DISK);
            return new Image(image.text(disk + "osType"), false, generation(image), Architecture.X64, plan, "", gib);
        }
        Resource definition = description(image);
        refuse(target(image, region).isEmpty(), "NotFound.galleryImage", id, region);
        return new Image(
                definition.text("properties.osType"),
                definition.is("properties.osState", "Specialized"),
                generation(definition),
                architecture(Bodies.reference(id)),
                plan,
                security(definition),
                image.number("properties.storageProfile.osDiskImage.sizeInGB", LINUX_DISK));
    }

    private static Optional<ObjectNode> target(Resource version, String region) {
        return version.objects("properties.publishingProfile.targetRegions").stream()
                .filter(each -> Bodies.text(each, "name").replace(" ", "").equalsIgnoreCase(region))
                .findFirst();
    }

    /** The feature {@code SecurityType} of a definition; empty where it has none. */
    static String security(ResourceBody definition) {
        return definition.objects("properties.features").stream()
                .filter(feature -> Bodies.is(feature, "name", "SecurityType"))
                .map(feature -> Bodies.text(feature, "value"))
                .findFirst()
                .orElse("");
    }

    private static String generation(Resource image) {
        return image.has("properties.hyperVGeneration") ? image.text("properties.hyperVGeneration") : "V1";
    }

    /** The number of machines that can be made from an image at one time: 20 for each of its replicas in the region. */
    Optional<Integer> most(String imageId, String region) {
        return find(imageId)
                .map(image -> MACHINES_PER_REPLICA
                        * target(image, region)
                                .map(each -> each.path("regionalReplicaCount").asInt(1))
                                .orElse(1));
    }

    /** Whether a new machine, or instance, comes after as many as its image can serve, so that it does not boot in time. */
    boolean isCrowded(ResourcePath machine, ResourceBody body, String region) {
        String image = body.text(IMAGE);
        return most(image, region)
                .filter(most -> Stream.of(ResourceType.MACHINES, ResourceType.INSTANCES)
                                .flatMap(cloud.store()::ofType)
                                .filter(each -> each.state().equals("Creating"))
                                .filter(each -> !each.id().key().equals(machine.key()))
                                .filter(each -> each.is(IMAGE, image))
                                .count()
                        >= most)
                .isPresent();
    }

    static ArmException timeOut(String name) {
        return ArmException.of(Fault.Kind.OS_PROVISIONING_TIMED_OUT.code(), name);
    }

    /** {@code V1} or {@code V2}: what the machine of a profile started as. */
    String generation(ObjectNode profile) {
        ObjectNode reference = Bodies.make(profile, "imageReference");
        return Bodies.has(reference, "id")
                ? find(Bodies.text(reference, "id"))
                        .map(this::description)
                        .map(StorageProfiles::generation)
                        .orElse("V1")
                : ImageCatalog.generation(ImageCatalog.require(reference));
    }

    /** The resource that says what an image is: of a version its definition, else the image. */
    private Resource description(Resource image) {
        return image.id().isOfType(ResourceType.GALLERY_VERSIONS)
                ? cloud.store().require(image.id().parent())
                : image;
    }

    /** The content of the image of this id; empty for a text that is no id. */
    Optional<ResourcePath> capturedBy(String id) {
        return find(id).map(StorageProfiles::captured);
    }

    /** The image that holds the content: a version may have been made from a managed image. */
    static ResourcePath captured(Resource image) {
        return image.hidden(CONTENT).map(ResourcePath::of).orElse(image.id());
    }

    private Optional<Resource> find(String id) {
        if (!ResourcePath.isResource(id)) {
            return Optional.empty();
        }
        ResourcePath image = ResourcePath.of(id);
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
