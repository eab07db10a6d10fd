package io.clusterwright.core.internal.state;

import io.clusterwright.core.ClusterSummary;
import io.clusterwright.core.Node;
import io.clusterwright.core.ResourceId;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.HeadNode;
import io.clusterwright.core.spi.Machine;
import io.clusterwright.core.type.ClusterId;
import io.clusterwright.core.type.ClusterName;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.core.type.NodeName;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The journal of a cluster, read from the beginning: whole, or as far as it can be read. */
public sealed interface ClusterRecord extends ClusterSummary permits ClusterState, ClusterRecord.Unreadable {

    /** The name of the provider where it cannot be read. */
    String UNKNOWN = "unknown";

    /** Its name and random id; null when it is damaged and does not tell. */
    @Nullable
    ClusterId id();

    /** The latest spec; null when it is damaged and does not tell. */
    @Nullable
    ClusterSpec spec();

    /** The resources that were announced and not deleted, in order of announcement. */
    Set<ResourceId> resources();

    /** The machines that were made, by node, in order of creation. */
    Map<NodeName, Machine> machines();

    /** The machines that were made and did not become ready, by node. */
    default Map<NodeName, Machine> booting() {
        return Map.of();
    }

    /** The machines that were made, ready or not. */
    default List<Machine> allMachines() {
        return Stream.of(machines(), booting())
                .flatMap(some -> some.values().stream())
                .toList();
    }

    /**
     * Refuses a record that a newer version wrote: this version must not change what it does not know.
     *
     * @throws ClusterwrightException with the version to use
     */
    default void requireReadable() {
        newer().ifPresent(reason -> {
            throw new ClusterwrightException(reason);
        });
    }

    /** Its name and random id; empty when it is damaged and does not tell. */
    default Optional<ClusterId> knownId() {
        return Optional.ofNullable(id());
    }

    /** Its nodes, by name. */
    @Override
    default List<Node> nodes() {
        return machines().values().stream()
                .map(machine -> new Node(machine.name(), machine.address(), machine.hostKey(), machine.interconnect()))
                .sorted(Comparator.comparing(Node::name))
                .toList();
    }

    @Override
    default Optional<NodeName> headNode() {
        return Optional.ofNullable(spec()).flatMap(ClusterSpec::headNode).map(HeadNode::name);
    }

    /** A record that does not tell the state of its cluster. */
    sealed interface Unreadable extends ClusterRecord {
        /** The time of the first entry that can be read. */
        @Nullable
        Instant since();

        @Override
        default Optional<Instant> created() {
            return Optional.ofNullable(since());
        }

        @Override
        default Optional<Instant> expires() {
            return Optional.empty();
        }
    }

    /**
     * The readable part of a journal that is damaged.
     *
     * @param id its random id, if it can be read
     * @param spec the latest spec that can be read
     * @param provider the name of the provider, or {@link #UNKNOWN}
     * @param since the time of the first entry that can be read
     * @param resources the resources that were announced and not deleted, as far as can be read
     * @param machines the machines that were made, as far as can be read
     * @param reason the reason, with the file and the line
     */
    record Damaged(
            ClusterName name,
            @Nullable ClusterId id,
            @Nullable ClusterSpec spec,
            String provider,
            @Nullable Instant since,
            Set<ResourceId> resources,
            Map<NodeName, Machine> machines,
            String reason)
            implements Unreadable {

        @Override
        public ClusterPhase phase() {
            return ClusterPhase.DAMAGED;
        }

        @Override
        public Optional<String> damage() {
            return Optional.of(reason);
        }
    }

    /**
     * A record that a newer version wrote.
     *
     * @param id its random id, if it can be read
     * @param provider the name of the provider, or {@link #UNKNOWN}
     * @param since the time of the first entry that can be read
     * @param resources the resources that were announced and not deleted, as far as can be read
     * @param reason the version that wrote it, and what to do
     */
    record Newer(
            ClusterName name,
            @Nullable ClusterId id,
            String provider,
            @Nullable Instant since,
            Set<ResourceId> resources,
            String reason)
            implements Unreadable {

        @Override
        public @Nullable ClusterSpec spec() {
            return null;
        }

        @Override
        public Map<NodeName, Machine> machines() {
            return Map.of();
        }

        @Override
        public ClusterPhase phase() {
            return ClusterPhase.NEWER;
        }

        @Override
        public Optional<String> newer() {
            return Optional.of(reason);
        }
    }
}
