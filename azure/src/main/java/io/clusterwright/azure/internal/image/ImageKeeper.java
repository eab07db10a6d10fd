package io.clusterwright.azure.internal.image;

import com.azure.core.util.Context;
import com.azure.resourcemanager.compute.fluent.models.VirtualMachineInner;
import com.azure.resourcemanager.compute.models.InstanceViewTypes;
import io.clusterwright.azure.AzureException;
import io.clusterwright.azure.AzureException.Reason;
import io.clusterwright.azure.internal.arm.ArmClient;
import io.clusterwright.azure.internal.arm.Clients;
import io.clusterwright.azure.internal.arm.Errors;
import io.clusterwright.azure.internal.resource.Tags;
import io.clusterwright.core.StoredImage;
import io.clusterwright.core.internal.arm.ArmId;
import io.clusterwright.core.spi.ImageSource;
import io.clusterwright.core.spi.MachineProvider.MachineRequest;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The captured images, in a separate resource group, which outlives clusters. */
public final class ImageKeeper {
    private static final Duration LIMIT = Duration.ofMinutes(60);

    private final Clients clients;
    private final ArmClient arm;
    private final String group;
    private final ImageTarget target;
    private final BootImages bootImages;
    private final Clock clock;

    public ImageKeeper(Clients clients, String group, ImageTarget target, BootImages bootImages, Clock clock) {
        this.clients = clients;
        this.arm = clients.arm();
        this.group = group;
        this.target = target;
        this.bootImages = bootImages;
        this.clock = clock;
    }

    /** Finished images of this library, newest first. */
    public List<StoredImage> images() {
        return target.images().stream()
                .sorted(Comparator.comparing(StoredImage::created).reversed())
                .toList();
    }

    /** Prepares the images that these machines boot from for all of them at a time. */
    public void serve(List<MachineRequest> requests, String region) {
        requests.stream()
                .flatMap(request -> request.image() instanceof ImageSource.Captured captured
                        ? Stream.of(captured.name())
                        : Stream.empty())
                .collect(Collectors.groupingBy(name -> name, Collectors.summingInt(name -> 1)))
                .forEach((image, machines) -> target.serve(image, region, machines));
    }

    /** Makes an image of a machine, from which this number of machines boot at a time. */
    public void capture(ArmId machine, String image, String owner, int count) {
        var machines = clients.compute().getVirtualMachines();
        VirtualMachineInner found = arm.read(
                "read machine " + machine.name(),
                () -> machines.getByResourceGroupWithResponse(
                                machine.group(), machine.name(), InstanceViewTypes.INSTANCE_VIEW, Context.NONE)
                        .getValue());
        ArmId images = ArmId.group(clients.subscription(), group);
        if (clients.find("look for resource group " + group, images).isEmpty()) {
            clients.putGroup(images, found.location(), Map.of(Tags.IMAGES, "true"));
        }
        clients.act(
                "deallocate " + machine.name(),
                LIMIT,
                machine,
                () -> machines.beginDeallocate(machine.group(), machine.name()));
        arm.write(
                "generalize " + machine.name(),
                () -> machines.generalizeWithResponse(machine.group(), machine.name(), Context.NONE));
        delete(image);
        try {
            target.create(machine, found, image, tags(found, image, owner), count);
        } catch (AzureException e) {
            try {
                delete(image);
            } catch (AzureException other) {
                e.addSuppressed(other);
            }
            throw e;
        }
    }

    public void proven(String image) {
        ImageTarget.Kept found = target.find(image)
                .orElseThrow(() -> Errors.of(
                        Reason.NOT_FOUND,
                        "record that image " + image + " passed its test",
                        "it is no longer in resource group " + group + "; run create again"));
        Map<String, String> tags = new LinkedHashMap<>(found.tags());
        tags.put(Tags.PROVEN, Instant.now(clock).toString());
        target.tag(image, tags);
    }

    public void delete(String image) {
        bootImages.forget(image);
        target.delete(image);
    }

    private Map<String, String> tags(VirtualMachineInner from, String image, String owner) {
        Map<String, String> tags = new LinkedHashMap<>();
        tags.put(Tags.IMAGE, image);
        tags.put(Tags.CREATED, Instant.now(clock).toString());
        if (!owner.isEmpty()) {
            tags.put(Tags.OWNER, owner);
        }
        if (from.plan() != null) {
            tags.put(
                    Tags.PLAN,
                    String.join(
                            ":",
                            from.plan().publisher(),
                            from.plan().product(),
                            from.plan().name()));
        }
        return tags;
    }
}
