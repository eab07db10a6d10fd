package io.clusterwright.core;

import io.clusterwright.core.internal.spec.Durations;
import io.clusterwright.core.type.InvalidValueException;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;

/**
 * The images that pruning keeps, by age and number. Use it to keep a store of images small: {@link ClusterManager#pruneImages(ImageRetention)}.
 *
 * <pre>{@code
 * clusters.pruneImages(ImageRetention.none().unusedFor("30d").keep(5));
 * }</pre>
 *
 * @param unusedFor images that were used later than this long ago are kept; zero keeps none of them
 * @param keep this many images are kept in any case, the last used ones; 0 or more
 */
public record ImageRetention(Duration unusedFor, int keep) {
    private static final ImageRetention NONE = new ImageRetention(Duration.ZERO, 0);

    /**
     * Checks the values.
     *
     * @throws InvalidValueException when one of them is negative
     */
    public ImageRetention {
        Objects.requireNonNull(unusedFor, "unusedFor");
        if (unusedFor.isNegative()) {
            throw new InvalidValueException("age of images", unusedFor, "zero or more", "P30D");
        }
        if (keep < 0) {
            throw new InvalidValueException("number of images to keep", keep, "0 or more", "5");
        }
    }

    /** Keeps no image. */
    public static ImageRetention none() {
        return NONE;
    }

    /** Also keeps images that were used later than this long ago. */
    public ImageRetention unusedFor(Duration age) {
        return new ImageRetention(age, keep);
    }

    /**
     * As {@link #unusedFor(Duration)}, with a duration as specs write it, such as {@code 30d}.
     *
     * @throws InvalidValueException when the text is no such duration
     */
    public ImageRetention unusedFor(String age) {
        return unusedFor(Durations.parse(age));
    }

    /** Also keeps this many images, the last used ones. */
    public ImageRetention keep(int images) {
        return new ImageRetention(unusedFor, images);
    }

    /** The images among these that are not kept, the last used first. */
    public List<StoredImage> surplus(List<StoredImage> images, Instant now) {
        return images.stream()
                .sorted(Comparator.comparing(StoredImage::lastUsed).reversed())
                .skip(keep)
                .filter(image -> !image.lastUsed().isAfter(now.minus(unusedFor)))
                .toList();
    }
}
