package io.clusterwright.core;

import io.clusterwright.core.type.ClusterName;
import java.util.List;
import java.util.Map;

/**
 * What destroying a cluster did.
 *
 * @param cluster which
 * @param known whether there was a record of it, or anything that carries its mark
 * @param deleted what is gone
 * @param left what could not be deleted, with the reason; the record is kept as long as this is not empty
 */
public record DestroyReport(
        ClusterName cluster, boolean known, List<ResourceId> deleted, Map<ResourceId, String> left) {
    /** Copies the collections. */
    public DestroyReport {
        deleted = List.copyOf(deleted);
        left = Map.copyOf(left);
    }
}
