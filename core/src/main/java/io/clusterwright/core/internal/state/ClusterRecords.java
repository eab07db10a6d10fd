package io.clusterwright.core.internal.state;

import io.clusterwright.core.ClusterException;
import io.clusterwright.core.MarkedCluster;
import io.clusterwright.core.StateStore;
import io.clusterwright.core.type.ClusterId;
import io.clusterwright.core.type.ClusterName;
import io.clusterwright.core.type.ClusterwrightException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The records of the clusters of one provider.
 *
 * @param store holds the records of all providers
 * @param provider the provider's name
 */
public record ClusterRecords(StateStore store, String provider) {

    /** The clusters of all providers, by name; a damaged record is one among them. */
    public static List<ClusterRecord> all(StateStore store) {
        return store.clusters().stream()
                .flatMap(name -> record(store, name).stream())
                .toList();
    }

    private static Optional<ClusterRecord> record(StateStore store, ClusterName name) {
        try {
            List<String> entries = store.read(name);
            return entries.isEmpty()
                    ? Optional.empty()
                    : Optional.of(ClusterState.read(name, store.place(name), entries));
        } catch (ClusterwrightException e) {
            return Optional.of(new ClusterRecord.Damaged(
                    name, null, null, ClusterRecord.UNKNOWN, null, Set.of(), Map.of(), String.valueOf(e.getMessage())));
        }
    }

    /** The clusters of this provider, by name, with the damaged records that do not tell their provider. */
    public List<ClusterRecord> ofProvider() {
        return all(store).stream()
                .filter(cluster -> cluster.provider().equals(provider)
                        || cluster.provider().equals(ClusterRecord.UNKNOWN))
                .toList();
    }

    /** Whether a cluster has a record, of this provider or another, damaged or not. */
    public boolean exists(ClusterName name) {
        return readable(name).isPresent();
    }

    /**
     * The record of a cluster, of this provider or another.
     *
     * @throws ClusterwrightException when it is damaged
     */
    public Optional<ClusterState> find(ClusterName name) {
        List<String> entries = store.read(name);
        return entries.isEmpty()
                ? Optional.empty()
                : Optional.of(ClusterState.replay(name, store.place(name), entries));
    }

    /** The record of a cluster, of this provider or another, damaged or not. */
    public Optional<ClusterRecord> readable(ClusterName name) {
        return record(store, name);
    }

    /**
     * The id in a record, which may be damaged elsewhere.
     *
     * @throws ClusterwrightException when no entry tells it
     */
    public static ClusterId requireId(ClusterRecord record) {
        return record.knownId()
                .orElseThrow(() -> new ClusterwrightException("the record of cluster " + record.name()
                        + " does not tell the cluster's id: " + record.damage().orElse("")
                        + "; adopt the cluster to write its record anew from what the provider reports, and then"
                        + " destroy it"));
    }

    /**
     * A cluster of this provider that has machines.
     *
     * @throws ClusterException.NotFound when there is none of this name
     */
    public ClusterState withMachines(ClusterName name) {
        ClusterState state = find(name).orElseThrow(() -> unknown(name));
        requireOwn(state);
        if (state.machines().isEmpty()) {
            throw new ClusterwrightException("cluster " + name + " has no machines: its creation did not get that far; "
                    + "create it again to go on, or destroy it");
        }
        return state;
    }

    /** Refuses a temporary cluster of a name that has a record, of this provider or another, damaged or not. */
    public void requireNew(ClusterName name, String refusal) {
        readable(name).ifPresent(existing -> {
            throw new ClusterwrightException(refusal + ": cluster " + name + " exists (provider " + existing.provider()
                    + "), and a temporary cluster is deleted at its end; give the spec another name, use"
                    + " ClusterManager.create or open for a cluster that stays, or delete the existing cluster:"
                    + " clusterwright destroy " + name);
        });
    }

    /** Refuses a name without a record under which the provider has these clusters. */
    public void requireUnmarked(List<MarkedCluster> sameName, String refusal) {
        for (MarkedCluster marked : sameName) {
            throw new ClusterwrightException(refusal + ": it exists on " + provider + " (" + marked.place()
                    + ") under id " + marked.id().id() + ", which this state folder has no record of, so it may be"
                    + " somebody else's; if it is yours, name the state folder that made it in CLUSTERWRIGHT_STATE"
                    + " (StateStore.in), or adopt it: clusterwright adopt "
                    + marked.id().name() + " --id " + marked.id().id() + " --on " + provider
                    + " (ClusterManager.adopt)");
        }
    }

    /** Refuses a cluster of another provider. */
    public void requireOwn(ClusterRecord state) {
        if (!state.provider().equals(provider) && !state.provider().equals(ClusterRecord.UNKNOWN)) {
            throw new ClusterwrightException("cluster " + state.name() + " was made on " + state.provider()
                    + ", not on " + provider + "; name that provider");
        }
    }

    /** Refuses a cluster whose machines are stopped. */
    public static void requireAwake(ClusterState state) {
        if (state.phase().asleep()) {
            throw new ClusterException.Stopped(
                    state.name(),
                    "cluster " + state.name() + " is " + state.phase()
                            + ", so its nodes cannot be reached; start it first");
        }
    }

    private ClusterwrightException unknown(ClusterName name) {
        List<String> names =
                ofProvider().stream().map(summary -> summary.name().value()).toList();
        String known = names.isEmpty() ? "there is none; create one first" : "there is " + String.join(", ", names);
        return new ClusterException.NotFound(name, "no cluster is named " + name + ": " + known);
    }
}
