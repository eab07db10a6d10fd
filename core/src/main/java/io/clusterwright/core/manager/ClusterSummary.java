package io.clusterwright.core.manager;

import io.clusterwright.core.cluster.Node;
import io.clusterwright.core.type.ClusterName;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What the state store knows of a cluster, without looking at its machines.
 *
 * @param name its name
 * @param provider who made it
 * @param phase how far it came: {@code creating}, {@code ready} or {@code failed}; or {@code stopping}, {@code stopped} or
 *     {@code starting}
 * @param created when it was begun
 * @param expiry when its time to live passes, as {@link #expires()} tells
 * @param nodes its nodes
 */
public record ClusterSummary(
        ClusterName name, String provider, String phase, Instant created, Instant expiry, List<Node> nodes) {
    /** The time of a cluster that lives for ever. */
    static final Instant NEVER = Instant.MAX;

    /** Copies the list. */
    public ClusterSummary {
        nodes = List.copyOf(nodes);
    }

    /** When its time to live passes; empty when it lives until it is destroyed. */
    public Optional<Instant> expires() {
        return expiry.equals(NEVER) ? Optional.empty() : Optional.of(expiry);
    }
}
