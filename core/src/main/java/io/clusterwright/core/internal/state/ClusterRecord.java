package io.clusterwright.core.internal.state;

import io.clusterwright.core.ClusterSummary;
import io.clusterwright.core.ResourceId;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spi.Machine;
import io.clusterwright.core.type.ClusterId;
import io.clusterwright.core.type.NodeName;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The journal of a cluster, read from the beginning: whole, or as far as it can be read. */
public sealed interface ClusterRecord extends ClusterSummary permits ClusterState, DamagedRecord {

    /** Its name and random id; null when it is damaged and does not tell. */
    @Nullable ClusterId id();

    /** The latest spec; null when it is damaged and does not tell. */
    @Nullable ClusterSpec spec();

    /** The resources that were announced and not deleted, in order of announcement. */
    Set<ResourceId> resources();

    /** The machines that were made, by node, in order of creation. */
    Map<NodeName, Machine> machines();

    /** Its name and random id; empty when it is damaged and does not tell. */
    default Optional<ClusterId> knownId() {
        return Optional.ofNullable(id());
    }
}
