package io.clusterwright.core;

import io.clusterwright.core.type.ClusterName;
import java.util.List;
import java.util.Map;

/**
 * The outcome of destroying a cluster.
 *
 * @param cluster the name of the cluster
 * @param known whether a record of it, or a resource with its mark, existed
 * @param deleted the deleted resources
 * @param left the resources that could not be deleted, with the reason; the record is kept as long as this is not empty
 */
public record DestroyReport(
        ClusterName cluster, boolean known, List<ResourceId> deleted, Map<ResourceId, String> left) {
    /** Copies the collections. */
    public DestroyReport {
        deleted = List.copyOf(deleted);
        left = Map.copyOf(left);
    }
}
