package io.clusterwright.azure.internal.resource;

import io.clusterwright.core.StoredImage;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.type.ClusterId;
import io.clusterwright.core.type.ClusterName;
import io.clusterwright.core.type.InvalidValueException;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The tags by which this library knows what it made. */
public final class Tags {
    /** On everything of a cluster: the cluster's name. */
    public static final String CLUSTER = "clusterwright";

    /** On everything of a cluster: its random id, which distinguishes it from every other cluster of its name. */
    public static final String ID = "clusterwright-id";

    /** On the parts of a node: the node's name. */
    public static final String NODE = "clusterwright-node";

    /** On a captured image: its name. */
    public static final String IMAGE = "clusterwright-image";

    /** On a captured image: when it was captured. */
    public static final String CREATED = "clusterwright-created";

    /** On a captured image: the id of the state store that captured it. */
    public static final String OWNER = "clusterwright-owner";

    /** On a captured image: when a machine that was booted from it passed its test. */
    public static final String PROVEN = "clusterwright-proven";

    /** On a captured image: the last day on which machines were made from it, after the first. */
    public static final String USED = "clusterwright-used";

    /** On a claim: the image that is being built. */
    public static final String BUILDING = "clusterwright-building";

    /** On a claim: name and id of the cluster whose creation builds the image. */
    public static final String BUILDER = "clusterwright-builder";

    /** On a claim: when it counts as abandoned. */
    public static final String BUILDING_UNTIL = "clusterwright-building-until";

    /** On a captured image of a marketplace product: publisher, product and plan, separated by colons. */
    public static final String PLAN = "clusterwright-plan";

    /** On the group of images. */
    public static final String IMAGES = "clusterwright-images";

    private static final Duration USE_NOTED = Duration.ofDays(1);

    private Tags() {}

    /** The tags of a template, whose cluster has no id. */
    public static Map<String, String> of(ClusterSpec spec) {
        Map<String, String> tags = new LinkedHashMap<>(spec.tags());
        tags.put(CLUSTER, spec.name().value());
        return tags;
    }

    public static Map<String, String> of(ClusterSpec spec, ClusterId cluster) {
        Map<String, String> tags = of(spec);
        tags.put(ID, cluster.id());
        return tags;
    }

    public static Map<String, String> of(ClusterSpec spec, ClusterId cluster, String node) {
        Map<String, String> tags = of(spec, cluster);
        tags.put(NODE, node);
        return tags;
    }

    /** Whether these are the tags of an image that this library captured. */
    public static boolean areOfImage(@Nullable Map<String, String> tags) {
        return tags != null && tags.containsKey(IMAGE);
    }

    /**
     * The image with these tags.
     *
     * @param used when machines were made from it last
     * @param copies how many snapshots of it are billed
     */
    public static StoredImage image(
            String name, long bytes, @Nullable Map<String, String> tags, Instant used, int copies) {
        Map<String, String> all = tags == null ? Map.of() : tags;
        boolean proven = all.containsKey(PROVEN);
        return new StoredImage(name, time(all, CREATED), bytes, proven, all.getOrDefault(OWNER, ""))
                .usedAt(used)
                .billedAs(copies);
    }

    /** The later of the times at which an image was captured and used; the epoch without a tag. */
    public static Instant used(@Nullable Map<String, String> tags) {
        Map<String, String> all = tags == null ? Map.of() : tags;
        Instant created = time(all, CREATED);
        Instant used = time(all, USED);
        return used.isAfter(created) ? used : created;
    }

    /** The tags of an image of which machines are made now; empty where they say so to the day, and for what is no image. */
    public static Optional<Map<String, String>> withUse(@Nullable Map<String, String> tags, Instant now) {
        if (!areOfImage(tags) || now.isBefore(used(tags).plus(USE_NOTED))) {
            return Optional.empty();
        }
        Map<String, String> noted = new LinkedHashMap<>(tags == null ? Map.of() : tags);
        noted.put(USED, now.toString());
        return Optional.of(noted);
    }

    private static Instant time(Map<String, String> tags, String name) {
        try {
            return Instant.parse(tags.getOrDefault(name, ""));
        } catch (DateTimeParseException e) {
            return Instant.EPOCH;
        }
    }

    /** Whether these are the tags of something of this cluster. */
    public static boolean areOf(@Nullable Map<String, String> tags, ClusterId cluster) {
        return tags != null && areNamed(tags, cluster.name()) && cluster.id().equals(tags.get(ID));
    }

    /** The cluster that something with these tags belongs to; empty when they name none. */
    public static Optional<ClusterId> cluster(@Nullable Map<String, String> tags) {
        try {
            return tags == null || !tags.containsKey(CLUSTER) || !tags.containsKey(ID)
                    ? Optional.empty()
                    : Optional.of(new ClusterId(ClusterName.of(tags.get(CLUSTER)), tags.get(ID)));
        } catch (InvalidValueException e) {
            // Written by somebody else.
            return Optional.empty();
        }
    }

    /** Whether these are the tags of something of a cluster of this name, ours or another. */
    public static boolean areNamed(@Nullable Map<String, String> tags, ClusterName cluster) {
        return tags != null && cluster.value().equals(tags.get(CLUSTER));
    }
}
