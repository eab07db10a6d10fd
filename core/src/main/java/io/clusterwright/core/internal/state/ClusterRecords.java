package io.clusterwright.core.internal.state;

import io.clusterwright.core.ClusterSummary;
import io.clusterwright.core.StateStore;
import io.clusterwright.core.type.ClusterId;
import io.clusterwright.core.type.ClusterName;
import io.clusterwright.core.type.ClusterwrightException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The records of the clusters of one provider.
 *
 * @param store holds the records of all providers
 * @param provider the provider's name
 */
public record ClusterRecords(StateStore store, String provider) {

    /**
     * The clusters of all providers, by name.
     *
     * @throws ClusterwrightException when a record cannot be read
     */
    public static List<ClusterSummary> all(StateStore store) {
        List<ClusterSummary> all = new ArrayList<>();
        for (ClusterName name : store.clusters()) {
            List<String> entries = store.read(name);
            if (!entries.isEmpty()) {
                all.add(ClusterState.replay(name, entries));
            }
        }
        return all;
    }

    /** The clusters of this provider, by name. */
    public List<ClusterSummary> ofProvider() {
        return all(store).stream()
                .filter(cluster -> cluster.provider().equals(provider))
                .toList();
    }

    /** Whether a cluster has a record, of this provider or another. */
    public boolean exists(ClusterName name) {
        return !store.read(name).isEmpty();
    }

    /** The record of a cluster, of this provider or another. */
    public Optional<ClusterState> find(ClusterName name) {
        List<String> entries = store.read(name);
        return entries.isEmpty() ? Optional.empty() : Optional.of(ClusterState.replay(name, entries));
    }

    /** As {@link #find}, but empty when the journal is damaged: the mark of the cluster's resources is enough to delete them. */
    public Optional<ClusterState> findReadable(ClusterName name) {
        try {
            return find(name);
        } catch (ClusterwrightException e) {
            return Optional.empty();
        }
    }

    /**
     * The id of a cluster that has a record, which may be damaged elsewhere.
     *
     * @throws ClusterwrightException when no entry tells it
     */
    public ClusterId id(ClusterName name) {
        return ClusterState.id(name, store.read(name));
    }

    /**
     * A cluster of this provider that has machines.
     *
     * @throws ClusterwrightException when there is none of this name
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

    /** Refuses a cluster of another provider. */
    public void requireOwn(ClusterState state) {
        if (!state.provider().equals(provider)) {
            throw new ClusterwrightException("cluster " + state.name() + " was made on " + state.provider()
                    + ", not on " + provider + "; name that provider");
        }
    }

    /** Refuses a cluster whose machines are stopped. */
    public static void requireAwake(ClusterState state) {
        if (state.phase().asleep()) {
            throw new ClusterwrightException("cluster " + state.name() + " is " + state.phase()
                    + ", so its nodes cannot be reached; start it first");
        }
    }

    private ClusterwrightException unknown(ClusterName name) {
        List<String> names =
                ofProvider().stream().map(summary -> summary.name().value()).toList();
        String known = names.isEmpty() ? "there is none; create one first" : "there is " + String.join(", ", names);
        return new ClusterwrightException("no cluster is named " + name + ": " + known);
    }
}
