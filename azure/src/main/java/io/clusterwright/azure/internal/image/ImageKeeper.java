package io.clusterwright.azure.internal.image;

import com.azure.core.util.Context;
import com.azure.resourcemanager.compute.fluent.models.VirtualMachineInner;
import com.azure.resourcemanager.compute.models.ImageReference;
import com.azure.resourcemanager.compute.models.InstanceViewTypes;
import com.azure.resourcemanager.compute.models.VirtualMachineScaleSetVMProfile;
import io.clusterwright.azure.AzureException;
import io.clusterwright.azure.AzureException.Reason;
import io.clusterwright.azure.internal.arm.ArmClient;
import io.clusterwright.azure.internal.arm.Clients;
import io.clusterwright.azure.internal.arm.Errors;
import io.clusterwright.azure.internal.resource.Tags;
import io.clusterwright.core.StoredImage;
import io.clusterwright.core.internal.arm.ArmId;
import io.clusterwright.core.spi.ImageSource;
import io.clusterwright.core.spi.MachineProvider.ImageClaim;
import io.clusterwright.core.spi.MachineProvider.MachineRequest;
import io.clusterwright.core.type.ClusterId;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The captured images, in a separate resource group, which outlives clusters. */
public final class ImageKeeper {
    private static final Duration LIMIT = Duration.ofMinutes(60);
    private static final Pattern OF_GROUP = Pattern.compile("(?i)/subscriptions/[^/]+/resourceGroups/(?<group>[^/]+)"
            + "/providers/Microsoft\\.Compute/(galleries/[^/]+/)?images/(?<image>[^/]+)(/versions/[^/]+)?");

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
                .forEach((image, machines) -> {
                    target.used(image, clock.instant());
                    target.serve(image, region, machines);
                });
    }

    /** Tries to become the only builder of an image. */
    public ImageClaim claim(ClusterId builder, String image, String region) {
        return target.claim(builder, image, region, () -> requireGroup(region));
    }

    /** The clusters with machines that were made from images of the group, by image. */
    public Map<String, List<ClusterId>> users() {
        Map<String, Set<ClusterId>> users = new TreeMap<>();
        arm.list("list machines", () -> clients.compute().getVirtualMachines().list())
                .forEach(machine -> addUser(
                        users,
                        machine.tags(),
                        machine.storageProfile() == null
                                ? null
                                : machine.storageProfile().imageReference()));
        arm.list(
                        "list scale sets",
                        () -> clients.compute().getVirtualMachineScaleSets().list())
                .forEach(set -> addUser(users, set.tags(), image(set.virtualMachineProfile())));
        Map<String, List<ClusterId>> lists = new TreeMap<>();
        users.forEach((image, clusters) -> lists.put(image, List.copyOf(clusters)));
        return lists;
    }

    private static @Nullable ImageReference image(@Nullable VirtualMachineScaleSetVMProfile profile) {
        return profile == null || profile.storageProfile() == null
                ? null
                : profile.storageProfile().imageReference();
    }

    private void addUser(
            Map<String, Set<ClusterId>> users, @Nullable Map<String, String> tags, @Nullable ImageReference image) {
        if (image == null || image.id() == null) {
            return;
        }
        Matcher parts = OF_GROUP.matcher(image.id());
        Optional<ClusterId> cluster = Tags.cluster(tags);
        if (parts.matches() && parts.group("group").equalsIgnoreCase(group) && cluster.isPresent()) {
            users.computeIfAbsent(parts.group("image"), name -> new LinkedHashSet<>())
                    .add(cluster.get());
        }
    }

    private void requireGroup(String region) {
        ArmId images = ArmId.group(clients.subscription(), group);
        if (clients.find("look for resource group " + group, images).isEmpty()) {
            clients.putGroup(images, region, Map.of(Tags.IMAGES, "true"));
        }
    }

    /** Makes an image of a machine, from which this number of machines boot at a time. */
    public void capture(ArmId machine, String image, String owner, int count) {
        var machines = clients.compute().getVirtualMachines();
        VirtualMachineInner found = arm.read(
                "read machine " + machine.name(),
                () -> machines.getByResourceGroupWithResponse(
                                machine.group(), machine.name(), InstanceViewTypes.INSTANCE_VIEW, Context.NONE)
                        .getValue());
        requireGroup(found.location());
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
