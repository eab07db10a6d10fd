package io.clusterwright.core.internal.lifecycle;

import io.clusterwright.core.ImageRetention;
import io.clusterwright.core.ResourceId;
import io.clusterwright.core.StoredImage;
import io.clusterwright.core.internal.state.ClusterRecord;
import io.clusterwright.core.internal.state.ClusterRecords;
import io.clusterwright.core.spi.MachineProvider;
import io.clusterwright.core.spi.MachineProvider.ImageClaim;
import io.clusterwright.core.type.ClusterId;
import io.clusterwright.core.type.InvalidValueException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** The captured images of a provider, with the images among them that this state store captured. */
public final class CapturedImages {
    private final ClusterRecords records;
    private final MachineProvider provider;
    private final Clock clock;

    CapturedImages(ClusterRecords records, MachineProvider provider, Clock clock) {
        this.records = records;
        this.provider = provider;
        this.clock = clock;
    }

    /** All of them, newest first. */
    public List<StoredImage> all() {
        return provider.images();
    }

    Optional<StoredImage> find(String name) {
        return all().stream().filter(image -> image.name().equals(name)).findFirst();
    }

    /** Whether this state store captured an image. */
    public boolean owns(StoredImage image) {
        return !image.owner().isEmpty()
                && records.store().owner().filter(image.owner()::equals).isPresent();
    }

    /** The mark of an image that is about to be captured. */
    String mark() {
        return records.store().makeOwner().orElse("");
    }

    /** Deletes an image; refuses a name that none has. */
    public StoredImage delete(String name) {
        StoredImage image = find(name).orElseThrow(() -> {
            List<String> known = all().stream().map(StoredImage::name).toList();
            return known.isEmpty()
                    ? InvalidValueException.of(
                            "there is no image " + name + ": no image was captured",
                            "nothing to do; image build makes one")
                    : new InvalidValueException(
                            "captured image", name, "one of " + String.join(", ", known), known.get(0));
        });
        provider.deleteImage(name);
        return image;
    }

    /** The clusters with machines that were made from images, by image. */
    public Map<String, List<ClusterId>> users() {
        return provider.imageUsers();
    }

    /** The image of each of these names that is still there. */
    List<StoredImage> among(Set<String> names) {
        return names.isEmpty()
                ? List.of()
                : all().stream().filter(image -> names.contains(image.name())).toList();
    }

    /** Deletes the images of this store that are neither kept, nor used by a cluster, nor made by an operation of this store. */
    public List<StoredImage> prune(ImageRetention retention) {
        Set<String> used = users().keySet();
        return prune(retention.surplus(all().stream().filter(this::owns).toList(), clock.instant()).stream()
                .filter(image -> !used.contains(image.name()))
                .toList());
    }

    /** Deletes the images of everyone, apart from those that an operation of this store is making. */
    public List<StoredImage> pruneOfEveryone() {
        return prune(all());
    }

    private List<StoredImage> prune(List<StoredImage> images) {
        List<StoredImage> deleted = new ArrayList<>();
        for (StoredImage image : images) {
            // The records are read for each image: another process may have begun to make it again.
            if (!unfinished().contains(image.name())) {
                provider.deleteImage(image.name());
                deleted.add(image);
            }
        }
        return deleted;
    }

    /** The names of the images that a record of this store announces: what made them goes on, or is undone with its cluster. */
    private Set<String> unfinished() {
        return records.ofProvider().stream()
                .map(ClusterRecord::resources)
                .flatMap(Set::stream)
                .filter(resource -> resource.kind().equals(ClusterWork.IMAGE))
                .map(ResourceId::name)
                .collect(Collectors.toSet());
    }

    /**
     * Deletes an image that an operation of this store announced, unless it counts meanwhile, was captured by another store, or another
     * cluster builds it now. Ends the claim on it that a killed process left.
     *
     * @param cluster the cluster whose operation it was
     * @return whether there was one to delete
     */
    boolean undo(ClusterId cluster, String name) {
        ImageClaim claim = provider.claimImage(cluster, name, "");
        try {
            Optional<StoredImage> there = find(name);
            if (claim.builder().isPresent() || isOthers(there)) {
                return false;
            }
            provider.deleteImage(name);
            return there.isPresent();
        } finally {
            claim.close();
        }
    }

    private boolean isOthers(Optional<StoredImage> image) {
        return image.filter(there -> there.proven() || !there.owner().isEmpty() && !owns(there))
                .isPresent();
    }
}
