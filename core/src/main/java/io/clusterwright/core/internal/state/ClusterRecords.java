package io.clusterwright.core.internal.state;

import io.clusterwright.core.ClusterException;
import io.clusterwright.core.MarkedCluster;
import io.clusterwright.core.StateStore;
import io.clusterwright.core.type.ClusterId;
import io.clusterwright.core.type.ClusterName;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.core.type.NodeSet;
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
                        + " is damaged and has no cluster id: "
                        + record.damage().orElse("")
                        + "; run: clusterwright adopt " + record.name()
                        + " --on WHERE, which writes the record again, and then:"
                        + " clusterwright destroy " + record.name()));
    }

    /**
     * A cluster of this provider that has machines.
     *
     * @throws ClusterException.NotFound when there is none of this name
     */
    public ClusterState withMachines(ClusterName name) {
        ClusterState state = recorded(name);
        if (state.machines().isEmpty() && !state.booting().isEmpty()) {
            NodeName first = state.booting().keySet().iterator().next();
            throw new ClusterwrightException("no node of cluster " + name + " is ready; "
                    + NodeSet.fold(state.booting().keySet()) + (state.booting().size() == 1 ? " exists" : " exist")
                    + ": examine it with: clusterwright describe " + name + " " + first + ", or: clusterwright ssh "
                    + name
                    + " " + first + "; run create again to continue, or: clusterwright destroy " + name);
        }
        if (state.machines().isEmpty()) {
            throw new ClusterwrightException("cluster " + name + " has no machines: its creation stopped before; "
                    + "run create again to continue, or: clusterwright destroy " + name);
        }
        return state;
    }

    /**
     * A cluster of this provider whose machines exist, ready or not.
     *
     * @throws ClusterException.NotFound when no cluster has this name
     */
    public ClusterState withAnyMachines(ClusterName name) {
        ClusterState state = recorded(name);
        return state.booting().isEmpty() ? withMachines(name) : state;
    }

    private ClusterState recorded(ClusterName name) {
        ClusterState state = find(name).orElseThrow(() -> unknown(name));
        requireOwn(state);
        return state;
    }

    /** Refuses a temporary cluster of a name that has a record, of this provider or another, damaged or not. */
    public void requireNew(ClusterName name, String refusal) {
        readable(name).ifPresent(existing -> {
            existing.requireReadable();
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
                    + ") with id " + marked.id().id() + ", and this state folder has no record of it. It may belong to"
                    + " another user. If it is yours, set CLUSTERWRIGHT_STATE to the state folder that created it"
                    + " (StateStore.in), or run: clusterwright adopt "
                    + marked.id().name() + " --id " + marked.id().id() + " --on " + provider
                    + " (ClusterManager.adopt)");
        }
    }

    /** Refuses a cluster of another provider. */
    public void requireOwn(ClusterRecord state) {
        if (!state.provider().equals(provider) && !state.provider().equals(ClusterRecord.UNKNOWN)) {
            throw new ClusterwrightException("cluster " + state.name() + " was created on " + state.provider()
                    + ", not on " + provider + "; run the command with --on " + state.provider());
        }
    }

    /** Refuses a cluster whose machines are stopped. */
    public static void requireAwake(ClusterState state) {
        if (state.phase().asleep()) {
            throw new ClusterException.Stopped(
                    state.name(),
                    "cluster " + state.name() + " is " + state.phase()
                            + ", so its nodes cannot be reached; run: clusterwright start " + state.name());
        }
    }

    private ClusterwrightException unknown(ClusterName name) {
        List<String> names =
                ofProvider().stream().map(summary -> summary.name().value()).toList();
        String known = names.isEmpty() ? "no cluster was created yet" : "the clusters are " + String.join(", ", names);
        return new ClusterException.NotFound(name, "there is no cluster " + name + "; " + known);
    }
}
