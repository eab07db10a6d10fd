package io.clusterwright.azure.internal.image;

import com.azure.resourcemanager.compute.fluent.models.GalleryImageInner;
import com.azure.resourcemanager.compute.models.GalleryImageIdentifier;
import com.azure.resourcemanager.compute.models.GalleryImageUpdate;
import com.azure.resourcemanager.compute.models.OperatingSystemStateTypes;
import com.azure.resourcemanager.compute.models.OperatingSystemTypes;
import io.clusterwright.azure.AzureException;
import io.clusterwright.azure.internal.arm.ArmClient;
import io.clusterwright.azure.internal.arm.Clients;
import io.clusterwright.azure.internal.resource.Tags;
import io.clusterwright.core.internal.concurrent.Deadline;
import io.clusterwright.core.internal.concurrent.Threads;
import io.clusterwright.core.internal.text.Nonce;
import io.clusterwright.core.spi.MachineProvider.ImageClaim;
import io.clusterwright.core.type.ClusterId;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Claims on the images of a gallery, so that one program alone builds an image, on whatever machine it runs. A claim is an image definition
 * without a version, which costs nothing. The identifier of a definition cannot be changed: of several programs that write the same
 * definition with identifiers of their own, one succeeds. A claim is renewed while its program lives, and counts as abandoned when it was
 * not renewed for {@link #LEASE}. Claims of an image are numbered: a program that finds the last claim abandoned writes the next number, so that
 * two who do so do not both hold a claim. Source: Microsoft, "Azure Compute Gallery", image definitions (properties that cannot be changed).
 */
final class ImageClaims {
    /** How long a claim holds after the end of a program that did not end it. */
    static final Duration LEASE = Duration.ofMinutes(10);

    private static final Logger LOG = LoggerFactory.getLogger(ImageClaims.class);
    private static final Duration RENEWAL = Duration.ofMinutes(3);
    private static final Duration LIMIT = Duration.ofMinutes(30);
    private static final Duration END = Duration.ofSeconds(10);
    private static final String NUMBER = "-building-";

    private final Clients clients;
    private final ArmClient arm;
    private final String group;
    private final String gallery;
    private final Clock clock;
    private final Map<String, Seen> seen = new ConcurrentHashMap<>();

    ImageClaims(Clients clients, String group, String gallery, Clock clock) {
        this.clients = clients;
        this.arm = clients.arm();
        this.group = group;
        this.gallery = gallery;
        this.clock = clock;
    }

    /**
     * Tries to claim an image.
     *
     * @param region where the gallery is made if it does not exist; empty to make no gallery, because then there is nothing to claim
     * @param makeGallery makes the gallery
     */
    ImageClaim claim(ClusterId builder, String image, String region, Runnable makeGallery) {
        List<GalleryImageInner> before = of(image);
        if (before.isEmpty() && region.isEmpty()) {
            return ImageClaim.OWN;
        }
        Optional<GalleryImageInner> last = last(before);
        if (last.filter(claim -> !isOf(claim, builder) && isAlive(claim)).isPresent()) {
            return new OthersClaim(last.get());
        }
        if (before.isEmpty()) {
            makeGallery.run();
        }
        String own = image + NUMBER + (last.map(ImageClaims::number).orElse(0) + 1);
        String place = last.map(GalleryImageInner::location).orElse(region);
        if (!write(own, image, builder, place)) {
            return new OthersClaim(null);
        }
        // A slow program may have written a number that was free again, while another one holds a higher one.
        List<GalleryImageInner> after = of(image);
        for (GalleryImageInner claim : after) {
            if (number(claim) > numberOf(own)) {
                delete(own);
                return new OthersClaim(claim);
            }
        }
        after.stream().filter(claim -> !claim.name().equals(own)).forEach(claim -> delete(claim.name()));
        return new OwnClaim(own, image, builder);
    }

    /** The claims on an image. */
    private List<GalleryImageInner> of(String image) {
        return arm
                .listIfAny(
                        "list the claims on image " + image,
                        () -> clients.compute().getGalleryImages().listByGallery(group, gallery))
                .stream()
                .filter(definition -> image.equals(tag(definition, Tags.BUILDING)))
                .toList();
    }

    private static Optional<GalleryImageInner> last(List<GalleryImageInner> claims) {
        return claims.stream().max(Comparator.comparingInt(ImageClaims::number));
    }

    private static int number(GalleryImageInner claim) {
        return numberOf(claim.name());
    }

    private static int numberOf(String claim) {
        try {
            return Integer.parseInt(claim.substring(claim.lastIndexOf('-') + 1));
        } catch (NumberFormatException e) {
            return 0;
        }
    }

    private static String tag(GalleryImageInner definition, String name) {
        return definition.tags() == null ? "" : definition.tags().getOrDefault(name, "");
    }

    private static boolean isOf(GalleryImageInner claim, ClusterId builder) {
        return tag(claim, Tags.BUILDER).equals(text(builder));
    }

    private static String text(ClusterId builder) {
        return builder.name() + " " + builder.id();
    }

    /** Abandoned is also a claim that this program saw unchanged for the whole time, whatever the clocks of others show. */
    private boolean isAlive(GalleryImageInner claim) {
        String until = tag(claim, Tags.BUILDING_UNTIL);
        Seen now = seen.compute(
                claim.name(),
                (name, known) -> known != null && known.until().equals(until)
                        ? known
                        : new Seen(until, arm.deadline("claim", LEASE)));
        try {
            return Instant.parse(until).isAfter(clock.instant()) && !now.end().passed();
        } catch (DateTimeParseException e) {
            return false;
        }
    }

    /** Writes a claim; returns whether it is this program's. */
    private boolean write(String name, String image, ClusterId builder, String region) {
        String nonce = Nonce.next();
        GalleryImageInner body = new GalleryImageInner();
        body.withLocation(region).withTags(tags(image, builder));
        body.withOsType(OperatingSystemTypes.LINUX)
                .withOsState(OperatingSystemStateTypes.GENERALIZED)
                .withIdentifier(new GalleryImageIdentifier()
                        .withPublisher("clusterwright")
                        .withOffer(nonce)
                        .withSku(name));
        AzureException refused = null;
        try {
            arm.write(
                    "claim the building of image " + image,
                    LIMIT,
                    () -> clients.compute().getGalleryImages().beginCreateOrUpdate(group, gallery, name, body));
        } catch (AzureException e) {
            refused = e;
        }
        Optional<GalleryImageInner> there = arm.find(
                "look for the claim on image " + image,
                () -> clients.compute().getGalleryImages().get(group, gallery, name));
        if (refused != null && there.isEmpty()) {
            throw refused;
        }
        return there.filter(claim -> claim.identifier() != null
                        && nonce.equals(claim.identifier().offer()))
                .isPresent();
    }

    private Map<String, String> tags(String image, ClusterId builder) {
        Map<String, String> tags = new LinkedHashMap<>();
        tags.put(Tags.BUILDING, image);
        tags.put(Tags.BUILDER, text(builder));
        tags.put(Tags.BUILDING_UNTIL, clock.instant().plus(LEASE).toString());
        return tags;
    }

    private void delete(String claim) {
        arm.delete(
                "end the claim " + claim,
                () -> clients.compute().getGalleryImages().beginDelete(group, gallery, claim));
    }

    /**
     * The end of a claim as it was last seen.
     *
     * @param end when it counts as abandoned if it does not change
     */
    private record Seen(String until, Deadline end) {}

    /** The claim of another program. */
    private final class OthersClaim implements ImageClaim {
        private final String builder;

        OthersClaim(@Nullable GalleryImageInner claim) {
            this.builder = claim == null
                    ? "another cluster"
                    : "cluster " + tag(claim, Tags.BUILDER).split(" ", -1)[0];
        }

        @Override
        public Optional<String> builder() {
            return Optional.of(builder);
        }

        @Override
        public void awaitChange() {
            arm.pause("wait for an image that " + builder + " builds");
        }

        @Override
        public void close() {}
    }

    /** A claim of this program, which is renewed until it is closed. */
    private final class OwnClaim implements ImageClaim {
        private final String name;
        private final String image;
        private final ClusterId builder;
        private final ScheduledExecutorService timer = Threads.timer("image-claim");

        OwnClaim(String name, String image, ClusterId builder) {
            this.name = name;
            this.image = image;
            this.builder = builder;
            timer.scheduleWithFixedDelay(this::renew, RENEWAL.toSeconds(), RENEWAL.toSeconds(), TimeUnit.SECONDS);
        }

        private void renew() {
            try {
                arm.write(
                        "renew the claim on image " + image,
                        LIMIT,
                        () -> clients.compute()
                                .getGalleryImages()
                                .beginUpdate(
                                        group, gallery, name, new GalleryImageUpdate().withTags(tags(image, builder))));
            } catch (RuntimeException e) {
                // The next renewal tries again; without any, the worst is that the image is built twice.
                LOG.debug("the claim {} was not renewed", name, e);
            }
        }

        @Override
        public void close() {
            Threads.end(timer, END);
            try {
                delete(name);
            } catch (AzureException e) {
                // The image is built; the claim is abandoned soon, and the next one deletes it.
                LOG.debug("the claim {} was not deleted", name, e);
            }
        }
    }
}
