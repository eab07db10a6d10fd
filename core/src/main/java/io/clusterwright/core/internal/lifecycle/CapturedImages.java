package io.clusterwright.core.internal.lifecycle;

import io.clusterwright.core.ResourceId;
import io.clusterwright.core.StoredImage;
import io.clusterwright.core.internal.state.ClusterRecord;
import io.clusterwright.core.internal.state.ClusterRecords;
import io.clusterwright.core.spi.MachineProvider;
import io.clusterwright.core.type.InvalidValueException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** The captured images of a provider, with the images among them that this state store captured. */
public final class CapturedImages {
    private final ClusterRecords records;
    private final MachineProvider provider;

    CapturedImages(ClusterRecords records, MachineProvider provider) {
        this.records = records;
        this.provider = provider;
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

    /** Deletes the images of this store, or of everyone, apart from those that an operation of this store is making. */
    public List<StoredImage> prune(boolean everyone) {
        List<StoredImage> deleted = new ArrayList<>();
        for (StoredImage image : all()) {
            // The records are read for each image: another process may have begun to make it again.
            if ((everyone || owns(image)) && !unfinished().contains(image.name())) {
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

    /** Deletes an image that an operation of this store announced, unless it counts meanwhile, or was captured by another store. */
    void undo(String name) {
        Optional<StoredImage> there = find(name);
        boolean others =
                there.filter(image -> !image.owner().isEmpty() && !owns(image)).isPresent();
        if (!others && there.filter(StoredImage::proven).isEmpty()) {
            provider.deleteImage(name);
        }
    }
}
