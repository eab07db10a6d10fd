package io.clusterwright.core;

import io.clusterwright.core.internal.state.ClusterState;
import io.clusterwright.core.type.ClusterName;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
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

    /**
     * The clusters of every provider that a state store knows, by name.
     *
     * @throws io.clusterwright.core.type.ClusterwrightException when a record cannot be read
     */
    public static List<ClusterSummary> all(StateStore store) {
        List<ClusterSummary> all = new ArrayList<>();
        for (ClusterName name : store.clusters()) {
            List<String> entries = store.read(name);
            if (!entries.isEmpty()) {
                all.add(of(ClusterState.replay(name, entries)));
            }
        }
        return all;
    }

    static ClusterSummary of(ClusterState state) {
        List<Node> nodes = state.machines().values().stream()
                .map(machine -> new Node(machine.name(), machine.address(), machine.hostKey(), machine.interconnect()))
                .sorted((a, b) -> a.name().compareTo(b.name()))
                .toList();
        Instant expiry = state.spec()
                .timeToLive()
                .map(time -> state.created().plus(time))
                .orElse(NEVER);
        return new ClusterSummary(
                state.spec().name(),
                state.provider(),
                state.phase().name().toLowerCase(Locale.ROOT),
                state.created(),
                expiry,
                nodes);
    }

    /** When its time to live passes; empty when it lives until it is destroyed. */
    public Optional<Instant> expires() {
        return expiry.equals(NEVER) ? Optional.empty() : Optional.of(expiry);
    }
}
