package io.clusterwright.azure.internal;

import com.azure.core.util.Context;
import com.azure.resourcemanager.compute.fluent.models.GalleryImageInner;
import com.azure.resourcemanager.compute.fluent.models.VirtualMachineImageInner;
import com.azure.resourcemanager.compute.models.ImageReference;
import com.azure.resourcemanager.compute.models.OperatingSystemStateTypes;
import com.azure.resourcemanager.compute.models.Plan;
import io.clusterwright.azure.AzureException.Reason;
import io.clusterwright.core.catalog.SizeDefaults;
import io.clusterwright.core.catalog.VmSizeFacts;
import io.clusterwright.core.catalog.VmSizes;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spi.ImageSource;
import io.clusterwright.core.type.ImageReference.Auto;
import io.clusterwright.core.type.ImageReference.Marketplace;
import io.clusterwright.core.type.Interconnect;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What machines boot from: {@code latest} as the version that is newest now, so that all machines of a process agree, with the purchase
 * plan that a machine must repeat.
 */
final class BootImages {
    private static final Pattern GALLERY = Pattern.compile("(?i)/subscriptions/(?<subscription>[^/]+)"
            + "/resourceGroups/(?<group>[^/]+)/providers/Microsoft\\.Compute/galleries/(?<gallery>[^/]+)"
            + "/images/(?<image>[^/]+)(/versions/[^/]+)?");

    private final Clients clients;
    private final String imageGroup;
    private final ImageTarget target;
    private final Map<String, BootImage> known = new ConcurrentHashMap<>();

    BootImages(Clients clients, String imageGroup, ImageTarget target) {
        this.clients = clients;
        this.target = target;
        this.imageGroup = imageGroup;
    }

    BootImage of(ClusterSpec spec, ImageSource source) {
        if (source instanceof ImageSource.Captured captured) {
            return known.computeIfAbsent(captured.name(), this::captured);
        }
        return base(spec, ((ImageSource.Base) source).reference());
    }

    /** What the base image of a spec is now. */
    BootImage base(ClusterSpec spec, io.clusterwright.core.type.ImageReference reference) {
        io.clusterwright.core.type.ImageReference meant = reference instanceof Auto ? bySize(spec) : reference;
        return known.computeIfAbsent(spec.region().orElseThrow() + " " + meant, key -> resolve(spec.region().orElseThrow(), meant));
    }

    /** What an image of the marketplace is now in a region. */
    BootImage exact(String region, Marketplace image) {
        return known.computeIfAbsent(region + " " + image, key -> marketplace(region, image));
    }

    /** A captured image may be made again under its name. */
    void forget(String image) {
        known.remove(image);
    }

    static io.clusterwright.core.type.ImageReference bySize(ClusterSpec spec) {
        Interconnect interconnect = spec.nodes().size().flatMap(VmSizes.standard()::find)
                .map(VmSizeFacts::interconnect)
                .orElse(Interconnect.NONE);
        return SizeDefaults.of(interconnect, spec.operatingSystem()).image();
    }

    private BootImage resolve(String region, io.clusterwright.core.type.ImageReference meant) {
        if (meant instanceof Marketplace image) {
            return marketplace(region, image);
        }
        if (meant instanceof io.clusterwright.core.type.ImageReference.ResourceId image) {
            return stored(image);
        }
        throw Errors.of(
                Reason.NOT_FOUND,
                "",
                "use image " + meant,
                "Azure knows publisher:offer:sku:version and resource ids only",
                null);
    }

    private BootImage marketplace(String region, Marketplace image) {
        var images = clients.compute().getVirtualMachineImages();
        String version = image.isLatest() ? newest(region, image) : image.version();
        VirtualMachineImageInner found = clients.arm()
                .find(
                        "look for image " + image,
                        () -> images.get(region, image.publisher(), image.offer(), image.sku(), version))
                .orElseThrow(() -> absent(region, image));
        Plan plan = found.plan() == null
                ? null
                : new Plan()
                        .withName(found.plan().name())
                        .withPublisher(found.plan().publisher())
                        .withProduct(found.plan().product());
        ImageReference reference = new ImageReference()
                .withPublisher(image.publisher())
                .withOffer(image.offer())
                .withSku(image.sku())
                .withVersion(version);
        String generation =
                found.hyperVGeneration() == null ? "" : found.hyperVGeneration().toString();
        String exact = String.join(":", image.publisher(), image.offer(), image.sku(), version);
        return new BootImage(reference, plan, generation, exact, false);
    }

    /** An image by its id; of one in a gallery of this subscription the definition says more. */
    private BootImage stored(io.clusterwright.core.type.ImageReference.ResourceId image) {
        ImageReference reference = new ImageReference().withId(image.id());
        Matcher parts = GALLERY.matcher(image.id());
        if (!parts.matches() || !parts.group("subscription").equalsIgnoreCase(clients.subscription())) {
            return new BootImage(reference, null, "", image.id(), false);
        }
        GalleryImageInner found = clients.arm()
                .find(
                        "look for image " + parts.group("image"),
                        () -> clients.compute()
                                .getGalleryImages()
                                .get(parts.group("group"), parts.group("gallery"), parts.group("image")))
                .orElseThrow(() -> Errors.of(
                        Reason.NOT_FOUND,
                        "",
                        "use image " + image,
                        "gallery " + parts.group("gallery") + " in " + parts.group("group") + " has no image "
                                + parts.group("image"),
                        null));
        var bought = found.purchasePlan();
        Plan plan = bought == null
                ? null
                : new Plan()
                        .withName(bought.name())
                        .withPublisher(bought.publisher())
                        .withProduct(bought.product());
        return new BootImage(
                reference,
                plan,
                found.hyperVGeneration() == null ? "" : found.hyperVGeneration().toString(),
                image.id(),
                OperatingSystemStateTypes.SPECIALIZED.equals(found.osState()));
    }

    private String newest(String region, Marketplace image) {
        return clients.arm()
                .find(
                        "look for the newest " + image,
                        () -> clients.compute()
                                .getVirtualMachineImages()
                                .listWithResponse(
                                        region,
                                        image.publisher(),
                                        image.offer(),
                                        image.sku(),
                                        null,
                                        1,
                                        "name desc",
                                        Context.NONE)
                                .getValue())
                .flatMap(list -> list.stream().findFirst())
                .map(one -> one.name())
                .orElseThrow(() -> absent(region, image));
    }

    private static RuntimeException absent(String region, Marketplace image) {
        return Errors.of(
                Reason.NOT_FOUND,
                "",
                "use image " + image,
                "there is no such image in " + region + "; az vm image list --all --publisher " + image.publisher()
                        + " --location " + region + " lists those there are",
                null);
    }

    private BootImage captured(String name) {
        ImageTarget.Kept image = target.find(name)
                .orElseThrow(() -> Errors.of(
                        Reason.NOT_FOUND,
                        "",
                        "use image " + name,
                        "it is not in resource group " + imageGroup
                                + " any more; create the cluster with a fresh image",
                        null));
        String[] plan = image.tags().getOrDefault(Tags.PLAN, "").split(":", -1);
        return new BootImage(
                image.reference(),
                plan.length != 3
                        ? null
                        : new Plan().withPublisher(plan[0]).withProduct(plan[1]).withName(plan[2]),
                image.generation(),
                name,
                false);
    }
}
