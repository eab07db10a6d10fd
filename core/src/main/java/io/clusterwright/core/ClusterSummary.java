package io.clusterwright.core;

import io.clusterwright.core.type.ClusterName;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** The record of a cluster in the state store; its machines were not queried. Immutable. */
public interface ClusterSummary {

    /** The cluster's name. */
    ClusterName name();

    /** The name of the provider that made it. */
    String provider();

    /** The progress of the cluster. */
    ClusterPhase phase();

    /** The time at which its creation began. */
    Instant created();

    /** The end of its time to live; empty when it lives until it is destroyed. */
    Optional<Instant> expires();

    /** Its nodes, by name. */
    List<Node> nodes();
}
