package io.clusterwright.core;

import io.clusterwright.core.type.ClusterId;
import io.clusterwright.core.type.VmSize;
import java.util.List;

/**
 * A cluster, or the remains of one, as its provider knows it: found by the marks on its resources and not from a
 * record. Use it to find clusters without a record: {@code ClusterManager.untracked}.
 *
 * @param id the name and the id in its marks
 * @param place where it is, in the provider's words: {@code resource group wing} or {@code this machine}
 * @param resources what carries its mark, in an order in which it can be deleted; empty while another running program uses it
 * @param running the sizes of its machines that run and are billed, one entry for each; empty where nothing is billed
 * @see ClusterManager
 */
public record MarkedCluster(ClusterId id, String place, List<ResourceId> resources, List<VmSize> running) {
    /** Copies the lists. */
    public MarkedCluster {
        resources = List.copyOf(resources);
        running = List.copyOf(running);
    }
}
