package io.clusterwright.azure.internal;

import com.azure.core.management.SubResource;
import com.azure.core.util.Context;
import com.azure.resourcemanager.compute.fluent.models.ImageInner;
import com.azure.resourcemanager.compute.fluent.models.VirtualMachineInner;
import com.azure.resourcemanager.compute.models.HyperVGenerationTypes;
import com.azure.resourcemanager.compute.models.InstanceViewTypes;
import com.azure.resourcemanager.resources.fluent.models.ResourceGroupInner;
import io.clusterwright.azure.AzureException;
import io.clusterwright.azure.AzureException.Reason;
import io.clusterwright.core.spi.StoredImage;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The captured images: managed images in a resource group of their own, which outlives clusters. */
final class ImageKeeper {
    private static final long GIB = 1L << 30;
    private static final Duration LIMIT = Duration.ofMinutes(60);

    private final Clients clients;
    private final Arm arm;
    private final String group;
    private final BootImages bootImages;
    private final Clock clock;

    ImageKeeper(Clients clients, String group, BootImages bootImages, Clock clock) {
        this.clients = clients;
        this.arm = clients.arm();
        this.group = group;
        this.bootImages = bootImages;
        this.clock = clock;
    }

    /** Finished images of this library, newest first. */
    List<StoredImage> images() {
        return arm
                .find("list the images of " + group, () -> {
                    List<ImageInner> found = new ArrayList<>();
                    clients.compute().getImages().listByResourceGroup(group).forEach(found::add);
                    return found;
                })
                .orElse(List.of())
                .stream()
                .filter(image -> image.tags() != null && image.tags().containsKey(Tags.IMAGE))
                .filter(image -> "Succeeded".equalsIgnoreCase(image.provisioningState()))
                .map(image -> new StoredImage(image.name(), created(image), bytes(image)))
                .sorted(Comparator.comparing(StoredImage::created).reversed())
                .toList();
    }

    void capture(ArmId machine, String image) {
        var machines = clients.compute().getVirtualMachines();
        VirtualMachineInner found = arm.read(
                "read machine " + machine.name(),
                () -> machines.getByResourceGroupWithResponse(
                                machine.group(), machine.name(), InstanceViewTypes.INSTANCE_VIEW, Context.NONE)
                        .getValue());
        requireGroup(found.location());
        arm.write(
                "deallocate " + machine.name(), LIMIT, () -> machines.beginDeallocate(machine.group(), machine.name()));
        arm.write(
                "generalize " + machine.name(),
                () -> machines.generalizeWithResponse(machine.group(), machine.name(), Context.NONE));
        delete(image);
        try {
            arm.write(
                    "create image " + image,
                    LIMIT,
                    () -> clients.compute().getImages().beginCreateOrUpdate(group, image, body(machine, found, image)));
        } catch (AzureException e) {
            removeHalf(image, e);
            throw e;
        }
    }

    void delete(String image) {
        bootImages.forget(image);
        var images = clients.compute().getImages();
        boolean ours = arm.find("look for image " + image, () -> images.getByResourceGroup(group, image))
                .filter(found -> found.tags() != null && found.tags().containsKey(Tags.IMAGE))
                .isPresent();
        if (ours) {
            arm.delete("delete image " + image, () -> images.beginDelete(group, image));
        }
    }

    private void removeHalf(String image, AzureException cause) {
        if (cause.reason() == Reason.INTERRUPTED) {
            return;
        }
        try {
            delete(image);
        } catch (AzureException e) {
            cause.addSuppressed(e);
        }
    }

    private void requireGroup(String region) {
        var groups = clients.resources().getResourceGroups();
        if (arm.find("look for resource group " + group, () -> groups.get(group))
                .isEmpty()) {
            ResourceGroupInner body = new ResourceGroupInner().withLocation(region);
            body.withTags(Map.of(Tags.IMAGES, "true"));
            arm.write("create resource group " + group, () -> groups.createOrUpdate(group, body));
        }
    }

    private ImageInner body(ArmId machine, VirtualMachineInner from, String image) {
        Map<String, String> tags = new LinkedHashMap<>();
        tags.put(Tags.IMAGE, image);
        tags.put(Tags.CREATED, Instant.now(clock).toString());
        if (from.plan() != null) {
            tags.put(
                    Tags.PLAN,
                    String.join(
                            ":",
                            from.plan().publisher(),
                            from.plan().product(),
                            from.plan().name()));
        }
        ImageInner body = new ImageInner()
                .withLocation(from.location())
                .withTags(tags)
                .withSourceVirtualMachine(new SubResource().withId(machine.toString()));
        var view = from.instanceView();
        return view == null || view.hyperVGeneration() == null
                ? body
                : body.withHyperVGeneration(
                        HyperVGenerationTypes.fromString(view.hyperVGeneration().toString()));
    }

    private static Instant created(ImageInner image) {
        try {
            return Instant.parse(image.tags().getOrDefault(Tags.CREATED, ""));
        } catch (DateTimeParseException e) {
            return Instant.EPOCH;
        }
    }

    private static long bytes(ImageInner image) {
        var profile = image.storageProfile();
        if (profile == null || profile.osDisk() == null || profile.osDisk().diskSizeGB() == null) {
            return 0;
        }
        return profile.osDisk().diskSizeGB() * GIB;
    }
}
