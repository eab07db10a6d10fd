package io.clusterwright.azure.emulator.internal.compute;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.clusterwright.azure.emulator.internal.arm.ArmException;
import io.clusterwright.azure.emulator.internal.arm.ArmId;
import io.clusterwright.azure.emulator.internal.arm.Bodies;
import io.clusterwright.azure.emulator.internal.arm.Cloud;
import io.clusterwright.azure.emulator.internal.arm.Draft;
import io.clusterwright.azure.emulator.internal.arm.Resource;
import io.clusterwright.azure.emulator.internal.arm.ResourceType;
import io.clusterwright.core.catalog.ImageFacts;
import io.clusterwright.core.catalog.VmSizeFacts;
import java.util.Optional;

/** Boot sources of machines: a marketplace image, a managed image or one of a gallery. */
final class StorageProfiles {
    /** The image that a version was made from. */
    static final String CONTENT = "content";

    private final Cloud cloud;

    StorageProfiles(Cloud cloud) {
        this.cloud = cloud;
    }

    /**
     * Properties of an image that was found.
     *
     * @param system {@code Linux} or {@code Windows}
     * @param specialized whether it brings its accounts along
     */
    record Image(String system, boolean specialized) {}

    /** Checks what a profile refers to and fills in what follows from it. */
    Image resolve(Draft machine, ObjectNode profile, VmSizeFacts size) {
        ObjectNode reference = Bodies.make(profile, "imageReference");
        Image image = Bodies.text(reference, "id").isEmpty()
                ? marketplace(machine, reference, size)
                : stored(machine, Bodies.text(reference, "id"));
        ObjectNode disk = Bodies.make(profile, "osDisk");
        Bodies.standard(disk, "createOption", "FromImage");
        Bodies.standard(disk, "osType", image.system());
        Bodies.standard(disk, "caching", "ReadWrite");
        Bodies.standard(disk, "diskSizeGB", 30);
        Bodies.standard(disk, "managedDisk.storageAccountType", "Premium_LRS");
        Bodies.array(profile, "dataDisks");
        return image;
    }

    private static Image marketplace(Draft machine, ObjectNode reference, VmSizeFacts size) {
        ImageFacts facts = ImageCatalog.require(reference);
        if (facts.needsPlan() && machine.text("plan.name").isEmpty()) {
            throw ArmException.of("VMMarketplaceInvalidInput");
        }
        int generation = facts.generation().orElse(0);
        if (generation == 1 && size.isGeneration2Only()) {
            throw ArmException.of("BadRequest.generation", size.size());
        }
        return new Image(ImageCatalog.system(facts), false);
    }

    private Image stored(Draft machine, String id) {
        String region = machine.region();
        Resource image = find(id).orElseThrow(() -> ArmException.of("NotFound.storedImage", id, region));
        if (!image.isSucceeded()) {
            throw ArmException.of("Conflict.image", id, machine.id(), image.state());
        }
        if (image.id().isOfType(ResourceType.IMAGES)) {
            if (!image.location().equals(region)) {
                throw ArmException.of("InvalidParameter.imageRegion", id, image.location(), region);
            }
            String system = Bodies.text(image.body(), "properties.storageProfile.osDisk.osType");
            return new Image(system, false);
        }
        Resource definition = cloud.store().require(image.id().parent());
        boolean specialized =
                Bodies.text(definition.body(), "properties.osState").equals("Specialized");
        return new Image(Bodies.text(definition.body(), "properties.osType"), specialized);
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
                .map(image -> Bodies.text(image.body(), "properties.hyperVGeneration"))
                .filter(generation -> !generation.isEmpty())
                .orElse("V1");
    }

    /** The content of the image of this id; nothing for a text that is no id. */
    Optional<ArmId> capturedBy(String id) {
        return find(id).map(StorageProfiles::captured);
    }

    /** The image that holds the content: a version may have been made from a managed image. */
    static ArmId captured(Resource image) {
        return image.hidden(CONTENT).map(ArmId::parse).orElse(image.id());
    }

    private Optional<Resource> find(String id) {
        if (!ArmId.isResource(id)) {
            return Optional.empty();
        }
        ArmId image = ArmId.parse(id);
        if (image.isOfType(ResourceType.GALLERY_IMAGES)) {
            return cloud.store().children(image, "versions").stream()
                    .filter(Resource::isSucceeded)
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
