package io.clusterwright.azure.internal.image;

import com.azure.resourcemanager.compute.fluent.models.GalleryImageInner;
import com.azure.resourcemanager.compute.fluent.models.GalleryImageVersionInner;
import com.azure.resourcemanager.compute.fluent.models.GalleryInner;
import com.azure.resourcemanager.compute.fluent.models.VirtualMachineInner;
import com.azure.resourcemanager.compute.models.Architecture;
import com.azure.resourcemanager.compute.models.GalleryArtifactVersionFullSource;
import com.azure.resourcemanager.compute.models.GalleryImageFeature;
import com.azure.resourcemanager.compute.models.GalleryImageIdentifier;
import com.azure.resourcemanager.compute.models.GalleryImageUpdate;
import com.azure.resourcemanager.compute.models.GalleryImageVersionPublishingProfile;
import com.azure.resourcemanager.compute.models.GalleryImageVersionStorageProfile;
import com.azure.resourcemanager.compute.models.GalleryImageVersionUpdate;
import com.azure.resourcemanager.compute.models.HyperVGeneration;
import com.azure.resourcemanager.compute.models.ImagePurchasePlan;
import com.azure.resourcemanager.compute.models.OperatingSystemStateTypes;
import com.azure.resourcemanager.compute.models.OperatingSystemTypes;
import com.azure.resourcemanager.compute.models.SecurityTypes;
import com.azure.resourcemanager.compute.models.TargetRegion;
import io.clusterwright.azure.internal.arm.ArmClient;
import io.clusterwright.azure.internal.arm.Clients;
import io.clusterwright.azure.internal.resource.Tags;
import io.clusterwright.core.StoredImage;
import io.clusterwright.core.catalog.VmSizes;
import io.clusterwright.core.internal.arm.ArmId;
import io.clusterwright.core.internal.json.Json;
import io.clusterwright.core.spi.MachineProvider.ImageClaim;
import io.clusterwright.core.type.ClusterId;
import io.clusterwright.core.type.VmSize;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Captured images as versions of a Compute Gallery: one definition for each recipe, with one generalised version, and a replica for every
 * 20 machines that boot at a time. Source: Microsoft, "Azure Compute Gallery", scaling (20 in the earlier editions, 50 in the edition of 2025,
 * "always overprovision") and limits (100 replicas of a version).
 */
public final class GalleryImages implements ImageTarget {
    private static final Duration LIMIT = Duration.ofHours(2);
    private static final String VERSION = "1.0.0";
    static final String SECURITY_TYPE = "SecurityType";
    private static final int MACHINES_OF_REPLICA = 20;
    private static final int MOST_REPLICAS = 100;

    private final Clients clients;
    private final ArmClient arm;
    private final String group;
    private final String gallery;
    private final ImageClaims claims;

    public GalleryImages(Clients clients, String group, String gallery, Clock clock) {
        this.clients = clients;
        this.arm = clients.arm();
        this.group = group;
        this.gallery = gallery;
        this.claims = new ImageClaims(clients, group, gallery, clock);
    }

    @Override
    public List<StoredImage> images() {
        return arm
                .listIfAny(
                        "list the images of gallery " + gallery,
                        () -> clients.compute().getGalleryImages().listByGallery(group, gallery))
                .stream()
                .filter(image -> Tags.areOfImage(image.tags()))
                .flatMap(image -> version(image.name()).stream()
                        .filter(version -> "Succeeded".equalsIgnoreCase(String.valueOf(version.provisioningState())))
                        .map(version -> Tags.image(
                                image.name(),
                                bytes(version),
                                version.tags(),
                                Tags.used(image.tags()),
                                copies(version))))
                .toList();
    }

    @Override
    public Optional<Kept> find(String image) {
        return version(image)
                .map(version -> new Kept(
                        Json.object().put("id", version.id()),
                        definition(image)
                                .map(GalleryImageInner::hyperVGeneration)
                                .map(HyperVGeneration::toString)
                                .orElse(""),
                        version.tags() == null ? Map.of() : version.tags()));
    }

    @Override
    public void create(ArmId machine, VirtualMachineInner from, String image, Map<String, String> tags, int machines) {
        make(from.location());
        arm.write(
                "define image " + image,
                LIMIT,
                () -> clients.compute()
                        .getGalleryImages()
                        .beginCreateOrUpdate(group, gallery, image, definition(from, image, tags)),
                () -> state(definition(image).map(GalleryImageInner::provisioningState)));
        GalleryImageVersionInner version = new GalleryImageVersionInner();
        version.withLocation(from.location()).withTags(tags);
        version.withStorageProfile(new GalleryImageVersionStorageProfile()
                        .withSource(new GalleryArtifactVersionFullSource().withVirtualMachineId(machine.toString())))
                .withPublishingProfile(new GalleryImageVersionPublishingProfile()
                        .withTargetRegions(List.of(region(from.location(), machines))));
        arm.write(
                "create image " + image,
                LIMIT,
                () -> clients.compute()
                        .getGalleryImageVersions()
                        .beginCreateOrUpdate(group, gallery, image, VERSION, version),
                () -> state(version(image).map(GalleryImageVersionInner::provisioningState)));
    }

    @Override
    public ImageClaim claim(ClusterId builder, String image, String region, Runnable resourceGroup) {
        return claims.claim(builder, image, region, () -> {
            resourceGroup.run();
            make(region);
        });
    }

    /** Makes the gallery if it does not exist. */
    private void make(String region) {
        var galleries = clients.compute().getGalleries();
        if (arm.find("look for gallery " + gallery, () -> galleries.getByResourceGroup(group, gallery))
                .isPresent()) {
            return;
        }
        GalleryInner body = new GalleryInner();
        body.withLocation(region).withTags(Map.of(Tags.IMAGES, "true"));
        arm.write(
                "create gallery " + gallery,
                LIMIT,
                () -> galleries.beginCreateOrUpdate(group, gallery, body),
                () -> state(arm.find("look for gallery " + gallery, () -> galleries.getByResourceGroup(group, gallery))
                        .map(GalleryInner::provisioningState)));
    }

    private static GalleryImageInner definition(VirtualMachineInner from, String image, Map<String, String> tags) {
        GalleryImageInner definition = new GalleryImageInner();
        definition.withLocation(from.location()).withTags(tags);
        definition
                .withOsType(
                        from.osProfile() != null && from.osProfile().windowsConfiguration() != null
                                ? OperatingSystemTypes.WINDOWS
                                : OperatingSystemTypes.LINUX)
                .withOsState(OperatingSystemStateTypes.GENERALIZED)
                .withIdentifier(new GalleryImageIdentifier()
                        .withPublisher("clusterwright")
                        .withOffer("image")
                        .withSku(image));
        var view = from.instanceView();
        if (view != null && view.hyperVGeneration() != null) {
            definition.withHyperVGeneration(
                    HyperVGeneration.fromString(view.hyperVGeneration().toString()));
        }
        boolean arm = from.hardwareProfile() != null
                && VmSizes.standard()
                        .find(VmSize.of(from.hardwareProfile().vmSize().toString()))
                        .filter(size -> size.architecture() == io.clusterwright.core.catalog.Architecture.ARM64)
                        .isPresent();
        boolean trusted = from.securityProfile() != null
                && SecurityTypes.TRUSTED_LAUNCH.equals(from.securityProfile().securityType());
        // Absent features have another meaning in later versions, and a machine cannot be the source of what supports
        // both.
        definition
                .withArchitecture(arm ? Architecture.ARM64 : Architecture.X64)
                .withFeatures(List.of(new GalleryImageFeature()
                        .withName(SECURITY_TYPE)
                        .withValue(trusted ? "TrustedLaunch" : "Standard")));
        if (from.plan() != null) {
            definition.withPurchasePlan(new ImagePurchasePlan()
                    .withPublisher(from.plan().publisher())
                    .withProduct(from.plan().product())
                    .withName(from.plan().name()));
        }
        return definition;
    }

    private static TargetRegion region(String name, int machines) {
        return new TargetRegion().withName(name).withRegionalReplicaCount(replicas(machines));
    }

    /** The replicas for machines that boot at a time. */
    public static int replicas(int machines) {
        return Math.min(MOST_REPLICAS, (machines + MACHINES_OF_REPLICA - 1) / MACHINES_OF_REPLICA);
    }

    /** Replicas are added, and never removed: other clusters may need them. */
    @Override
    public void serve(String image, String region, int machines) {
        Optional<GalleryImageVersionInner> version = version(image);
        if (version.isEmpty() || version.get().publishingProfile() == null) {
            return;
        }
        GalleryImageVersionPublishingProfile profile = version.get().publishingProfile();
        List<TargetRegion> there = profile.targetRegions() == null ? List.of() : profile.targetRegions();
        Predicate<TargetRegion> here = one -> plain(one.name()).equals(plain(region));
        int now = there.stream()
                .filter(here)
                .mapToInt(one -> Objects.requireNonNullElse(
                        one.regionalReplicaCount(), Objects.requireNonNullElse(profile.replicaCount(), 1)))
                .findFirst()
                .orElse(0);
        if (now >= replicas(machines)) {
            return;
        }
        List<TargetRegion> regions = new ArrayList<>(there);
        regions.removeIf(here);
        regions.add(region(region, machines));
        update(
                "replicate image " + image + " for " + machines + " machines",
                image,
                new GalleryImageVersionUpdate()
                        .withStorageProfile(version.get().storageProfile())
                        .withPublishingProfile(new GalleryImageVersionPublishingProfile().withTargetRegions(regions)));
    }

    /** As a tag of the definition: a change of the version would delay machines that boot from it. */
    @Override
    public void used(String image, Instant now) {
        definition(image)
                .flatMap(definition -> Tags.withUse(definition.tags(), now))
                .ifPresent(tags -> arm.write(
                        "note the use of image " + image,
                        LIMIT,
                        () -> clients.compute()
                                .getGalleryImages()
                                .beginUpdate(group, gallery, image, new GalleryImageUpdate().withTags(tags)),
                        () -> state(definition(image).map(GalleryImageInner::provisioningState))));
    }

    private static String plain(String region) {
        return region.replace(" ", "").toLowerCase(Locale.ROOT);
    }

    @Override
    public void tag(String image, Map<String, String> tags) {
        update("tag image " + image, image, new GalleryImageVersionUpdate().withTags(tags));
    }

    private void update(String what, String image, GalleryImageVersionUpdate change) {
        arm.write(
                what,
                LIMIT,
                () -> clients.compute().getGalleryImageVersions().beginUpdate(group, gallery, image, VERSION, change),
                () -> state(version(image).map(GalleryImageVersionInner::provisioningState)));
    }

    @Override
    public void delete(String image) {
        if (definition(image).filter(found -> Tags.areOfImage(found.tags())).isEmpty()) {
            return;
        }
        arm.delete(
                "delete the version of image " + image,
                () -> clients.compute().getGalleryImageVersions().beginDelete(group, gallery, image, VERSION));
        arm.delete(
                "delete image " + image,
                () -> clients.compute().getGalleryImages().beginDelete(group, gallery, image));
    }

    private static String state(Optional<?> state) {
        return state.map(Object::toString).orElse("");
    }

    private Optional<GalleryImageInner> definition(String image) {
        return arm.find(
                "look for image " + image,
                () -> clients.compute().getGalleryImages().get(group, gallery, image));
    }

    private Optional<GalleryImageVersionInner> version(String image) {
        return arm.find(
                "look for the version of image " + image,
                () -> clients.compute().getGalleryImageVersions().get(group, gallery, image, VERSION));
    }

    private static int copies(GalleryImageVersionInner version) {
        GalleryImageVersionPublishingProfile profile = version.publishingProfile();
        if (profile == null || profile.targetRegions() == null) {
            return 1;
        }
        int each = Objects.requireNonNullElse(profile.replicaCount(), 1);
        return profile.targetRegions().stream()
                .mapToInt(region -> Objects.requireNonNullElse(region.regionalReplicaCount(), each))
                .sum();
    }

    private static long bytes(GalleryImageVersionInner version) {
        var profile = version.storageProfile();
        Integer size = profile == null || profile.osDiskImage() == null
                ? null
                : profile.osDiskImage().sizeInGB();
        return size == null ? 0 : size * ManagedImages.GIB;
    }
}
