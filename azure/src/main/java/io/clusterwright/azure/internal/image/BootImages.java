package io.clusterwright.azure.internal.image;

import com.azure.core.util.Context;
import com.azure.resourcemanager.compute.fluent.models.GalleryImageInner;
import com.azure.resourcemanager.compute.fluent.models.VirtualMachineImageInner;
import com.azure.resourcemanager.compute.models.GalleryImageFeature;
import com.azure.resourcemanager.compute.models.OperatingSystemStateTypes;
import com.azure.resourcemanager.compute.models.VirtualMachineImageFeature;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.clusterwright.azure.AzureException;
import io.clusterwright.azure.AzureException.Reason;
import io.clusterwright.azure.internal.arm.Clients;
import io.clusterwright.azure.internal.arm.Errors;
import io.clusterwright.azure.internal.resource.Tags;
import io.clusterwright.core.catalog.ImageFacts;
import io.clusterwright.core.catalog.Images;
import io.clusterwright.core.catalog.SizeDefaults;
import io.clusterwright.core.catalog.VmSizes;
import io.clusterwright.core.internal.arm.ComputeResources;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spi.ImageSource;
import io.clusterwright.core.type.ImageReference;
import io.clusterwright.core.type.ImageReference.Auto;
import io.clusterwright.core.type.ImageReference.Marketplace;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Resolves the images that machines start from: {@code latest} as the version that is newest now, so that all machines of a process
 * agree, with the purchase plan that a machine must repeat.
 */
public final class BootImages {
    private static final Pattern GALLERY = Pattern.compile("(?i)/subscriptions/(?<subscription>[^/]+)"
            + "/resourceGroups/(?<group>[^/]+)/providers/Microsoft\\.Compute/galleries/(?<gallery>[^/]+)"
            + "/images/(?<image>[^/]+)(/versions/[^/]+)?");

    private final Clients clients;
    private final String imageGroup;
    private final ImageTarget target;
    private final Map<String, BootImage> known = new ConcurrentHashMap<>();

    public BootImages(Clients clients, String imageGroup, ImageTarget target) {
        this.clients = clients;
        this.target = target;
        this.imageGroup = imageGroup;
    }

    public BootImage of(ClusterSpec spec, ImageSource source) {
        if (source instanceof ImageSource.Captured captured) {
            return known.computeIfAbsent(captured.name(), this::captured);
        }
        ImageReference reference = ((ImageSource.Base) source).reference();
        try {
            return base(spec, reference);
        } catch (AzureException e) {
            if (meant(spec, reference) instanceof Marketplace image
                    && Errors.isRefusal(e)
                    && e.reason() != Reason.NOT_FOUND) {
                return unread(image);
            }
            throw e;
        }
    }

    /** An image that Azure does not tell about: as it is named, with the plan that the catalog knows. */
    private static BootImage unread(Marketplace image) {
        boolean bought =
                Images.standard().find(image).map(ImageFacts::needsPlan).orElse(false);
        ObjectNode plan = bought ? ComputeResources.plan(image.publisher(), image.offer(), image.sku()) : null;
        return new BootImage(ComputeResources.image(image), plan, "", image.toString(), false, "");
    }

    /** The base image of a spec now. */
    public BootImage base(ClusterSpec spec, ImageReference reference) {
        ImageReference meant = meant(spec, reference);
        return known.computeIfAbsent(spec.requireRegion() + " " + meant, key -> resolve(spec.requireRegion(), meant));
    }

    private static ImageReference meant(ClusterSpec spec, ImageReference reference) {
        return reference instanceof Auto
                ? SizeDefaults.baseImage(spec, VmSizes.standard())
                : Images.standard().withoutClassicName(reference);
    }

    /** An image of the marketplace in a region now. */
    BootImage exact(String region, Marketplace image) {
        return known.computeIfAbsent(region + " " + image, key -> marketplace(region, image));
    }

    /** A captured image may be made again under its name. */
    void forget(String image) {
        known.remove(image);
    }

    private BootImage resolve(String region, ImageReference meant) {
        if (meant instanceof Marketplace image) {
            return marketplace(region, image);
        }
        if (meant instanceof ImageReference.ResourceId image) {
            return stored(image);
        }
        throw Errors.of(
                Reason.NOT_FOUND, "use image " + meant, "use publisher:offer:sku:version or a resource id on Azure");
    }

    private BootImage marketplace(String region, Marketplace image) {
        var images = clients.compute().getVirtualMachineImages();
        String version = image.isLatest() ? newest(region, image) : image.version();
        VirtualMachineImageInner found = clients.arm()
                .find(
                        "look for image " + image,
                        () -> images.get(region, image.publisher(), image.offer(), image.sku(), version))
                .orElseThrow(() -> absent(region, image));
        ObjectNode plan = found.plan() == null
                ? null
                : ComputeResources.plan(
                        found.plan().publisher(),
                        found.plan().product(),
                        found.plan().name());
        Marketplace exact = new Marketplace(image.publisher(), image.offer(), image.sku(), version);
        return new BootImage(
                ComputeResources.image(exact),
                plan,
                Objects.toString(found.hyperVGeneration(), ""),
                exact.toString(),
                false,
                found.features() == null
                        ? ""
                        : security(
                                found.features().stream(),
                                VirtualMachineImageFeature::name,
                                VirtualMachineImageFeature::value));
    }

    /** An image by its id; of one in a gallery of this subscription the definition says more. */
    private BootImage stored(ImageReference.ResourceId image) {
        ObjectNode reference = ComputeResources.image(image);
        Matcher parts = GALLERY.matcher(image.id());
        if (!parts.matches() || !parts.group("subscription").equalsIgnoreCase(clients.subscription())) {
            return new BootImage(reference, null, "", image.id(), false, "");
        }
        GalleryImageInner found = clients.arm()
                .find(
                        "look for image " + parts.group("image"),
                        () -> clients.compute()
                                .getGalleryImages()
                                .get(parts.group("group"), parts.group("gallery"), parts.group("image")))
                .orElseThrow(() -> Errors.of(
                        Reason.NOT_FOUND,
                        "use image " + image,
                        "gallery " + parts.group("gallery") + " in " + parts.group("group") + " has no image "
                                + parts.group("image")));
        var bought = found.purchasePlan();
        ObjectNode plan =
                bought == null ? null : ComputeResources.plan(bought.publisher(), bought.product(), bought.name());
        return new BootImage(
                reference,
                plan,
                Objects.toString(found.hyperVGeneration(), ""),
                image.id(),
                OperatingSystemStateTypes.SPECIALIZED.equals(found.osState()),
                found.features() == null
                        ? ""
                        : security(found.features().stream(), GalleryImageFeature::name, GalleryImageFeature::value));
    }

    private static <T> String security(Stream<T> features, Function<T, String> name, Function<T, String> value) {
        return features.filter(one -> GalleryImages.SECURITY_TYPE.equalsIgnoreCase(name.apply(one)))
                .map(value)
                .findFirst()
                .orElse("");
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
                "use image " + image,
                "there is no such image in " + region
                        + "; to list the images of its publisher, run: az vm image list --all" + " --publisher "
                        + image.publisher() + " --location " + region + " --output table");
    }

    private BootImage captured(String name) {
        ImageTarget.Kept image = target.find(name)
                .orElseThrow(() -> Errors.of(
                        Reason.NOT_FOUND,
                        "use image " + name,
                        "it is no longer in resource group " + imageGroup + "; run create with --fresh-image"));
        String[] plan = image.tags().getOrDefault(Tags.PLAN, "").split(":", -1);
        return new BootImage(
                image.reference(),
                plan.length != 3 ? null : ComputeResources.plan(plan[0], plan[1], plan[2]),
                image.generation(),
                name,
                false,
                "");
    }

    /**
     * The image of a machine, in Azure's terms.
     *
     * @param reference the exact image
     * @param plan the purchase plan that a machine must repeat; null where the image needs none
     * @param generation {@code V1} or {@code V2}; empty where Azure does not say
     * @param fingerprint the same text means the same content
     * @param specialized whether it has accounts, keys and a host name already, so that Azure gives its machines none
     * @param security the types of security that it supports, such as {@code TrustedLaunchSupported}; empty where Azure does not say
     */
    public record BootImage(
            ObjectNode reference,
            @Nullable ObjectNode plan,
            String generation,
            String fingerprint,
            boolean specialized,
            String security) {}
}
