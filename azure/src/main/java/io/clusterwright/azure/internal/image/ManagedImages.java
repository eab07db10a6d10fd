package io.clusterwright.azure.internal.image;

import com.azure.core.management.SubResource;
import com.azure.resourcemanager.compute.fluent.models.ImageInner;
import com.azure.resourcemanager.compute.fluent.models.VirtualMachineInner;
import com.azure.resourcemanager.compute.models.HyperVGenerationTypes;
import com.azure.resourcemanager.compute.models.ImageUpdate;
import io.clusterwright.azure.internal.arm.ArmClient;
import io.clusterwright.azure.internal.arm.Clients;
import io.clusterwright.azure.internal.resource.Tags;
import io.clusterwright.core.StoredImage;
import io.clusterwright.core.internal.arm.ArmId;
import io.clusterwright.core.internal.json.Json;
import io.clusterwright.core.spi.MachineProvider.ImageClaim;
import io.clusterwright.core.type.ClusterId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** Captured images as managed images. */
public final class ManagedImages implements ImageTarget {
    static final long GIB = 1L << 30;
    private static final Duration LIMIT = Duration.ofMinutes(60);

    private final Clients clients;
    private final ArmClient arm;
    private final String group;

    public ManagedImages(Clients clients, String group) {
        this.clients = clients;
        this.arm = clients.arm();
        this.group = group;
    }

    @Override
    public List<StoredImage> images() {
        return arm
                .listIfAny(
                        "list the images of " + group,
                        () -> clients.compute().getImages().listByResourceGroup(group))
                .stream()
                .filter(image -> Tags.areOfImage(image.tags()))
                .filter(image -> "Succeeded".equalsIgnoreCase(image.provisioningState()))
                .map(image -> Tags.image(image.name(), bytes(image), image.tags(), Tags.used(image.tags()), 1))
                .toList();
    }

    @Override
    public Optional<Kept> find(String image) {
        return get(image)
                .map(found -> new Kept(
                        Json.object().put("id", found.id()),
                        Objects.toString(found.hyperVGeneration(), ""),
                        found.tags() == null ? Map.of() : found.tags()));
    }

    @Override
    public void create(ArmId machine, VirtualMachineInner from, String image, Map<String, String> tags, int machines) {
        ImageInner body = new ImageInner()
                .withLocation(from.location())
                .withTags(tags)
                .withSourceVirtualMachine(new SubResource().withId(machine.toString()));
        var view = from.instanceView();
        if (view != null && view.hyperVGeneration() != null) {
            body.withHyperVGeneration(
                    HyperVGenerationTypes.fromString(view.hyperVGeneration().toString()));
        }
        clients.act(
                "create image " + image,
                LIMIT,
                id(image),
                () -> clients.compute().getImages().beginCreateOrUpdate(group, image, body));
    }

    @Override
    public void used(String image, Instant now) {
        find(image).flatMap(kept -> Tags.withUse(kept.tags(), now)).ifPresent(tags -> tag(image, tags));
    }

    /** Managed images are not claimed: of several programs that write one, the last succeeds. */
    @Override
    public ImageClaim claim(ClusterId builder, String image, String region, Runnable group) {
        return ImageClaim.OWN;
    }

    /** A managed image has no replicas. */
    @Override
    public void serve(String image, String region, int machines) {}

    @Override
    public void tag(String image, Map<String, String> tags) {
        clients.act(
                "tag image " + image,
                LIMIT,
                id(image),
                () -> clients.compute().getImages().beginUpdate(group, image, new ImageUpdate().withTags(tags)));
    }

    @Override
    public void delete(String image) {
        if (get(image).filter(found -> Tags.areOfImage(found.tags())).isPresent()) {
            arm.delete(
                    "delete image " + image, () -> clients.compute().getImages().beginDelete(group, image));
        }
    }

    private ArmId id(String image) {
        return ArmId.group(clients.subscription(), group).sibling(ArmId.IMAGE, image);
    }

    private Optional<ImageInner> get(String image) {
        return arm.find(
                "look for image " + image, () -> clients.compute().getImages().getByResourceGroup(group, image));
    }

    private static long bytes(ImageInner image) {
        var profile = image.storageProfile();
        if (profile == null || profile.osDisk() == null || profile.osDisk().diskSizeGB() == null) {
            return 0;
        }
        return profile.osDisk().diskSizeGB() * GIB;
    }
}
