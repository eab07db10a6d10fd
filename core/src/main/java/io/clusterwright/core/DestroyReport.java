package io.clusterwright.core;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The outcome of deleting the resources of a cluster; nothing was deleted and nothing is left where there was no such cluster.
 * {@code ResourceRemoval} fills it.
 *
 * @param deleted the deleted resources
 * @param left the resources that could not be deleted, with the reason; the record is kept as long as this is not empty
 */
public record DestroyReport(List<ResourceId> deleted, Map<ResourceId, String> left) {
    /** Copies the collections, in their order. */
    public DestroyReport {
        deleted = List.copyOf(deleted);
        left = Collections.unmodifiableMap(new LinkedHashMap<>(left));
    }
}
