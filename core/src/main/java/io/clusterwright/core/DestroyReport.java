package io.clusterwright.core;

import io.clusterwright.core.internal.json.JsonFields;
import io.clusterwright.core.type.HasJson;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The outcome of deleting the resources of a cluster; nothing was deleted and nothing is left where there was no such
 * cluster. Use it to report the resources that could not be deleted. {@code ResourceRemoval} fills it.
 *
 * <pre>{@code
 * DestroyReport report = clusters.destroy(name);
 * report.left().forEach((resource, reason) -> System.out.println(resource + " is still there: " + reason));
 * }</pre>
 *
 * @param deleted the deleted resources
 * @param left the resources that could not be deleted, with the reason; the record is kept as long as this is not empty
 * @param images the captured images that machines of the cluster were made from; they stay for the next cluster of the same recipe until
 *     {@link ClusterManager#deleteImage} or {@link ClusterManager#pruneImages()}
 */
public record DestroyReport(List<ResourceId> deleted, Map<ResourceId, String> left, List<StoredImage> images)
        implements HasJson {
    /** Copies the collections, in their order. */
    public DestroyReport {
        deleted = List.copyOf(deleted);
        left = Collections.unmodifiableMap(new LinkedHashMap<>(left));
        images = List.copyOf(images);
    }

    /** The outcome for a cluster whose images are not known. */
    public DestroyReport(List<ResourceId> deleted, Map<ResourceId, String> left) {
        this(deleted, left, List.of());
    }

    @Override
    public Map<String, Object> toMap() {
        return JsonFields.of("deleted", deleted)
                .and("left", JsonFields.list(left.entrySet(), each -> each.getKey() + ": " + each.getValue()))
                .and("images", JsonFields.list(images, StoredImage::toMap));
    }
}
