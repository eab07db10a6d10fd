package io.clusterwright.core;

import io.clusterwright.core.internal.json.JsonFields;
import io.clusterwright.core.type.ClusterName;
import io.clusterwright.core.type.HasJson;
import io.clusterwright.core.type.NodeName;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * The record of a cluster in the state store; its machines were not queried. Use it to list clusters without a query
 * to the provider. Immutable.
 *
 * <pre>{@code
 * for (ClusterSummary summary : clusters.list()) {
 *     Map<NodeName, MachineState> states = clusters.states(summary.name());
 *     System.out.println(summary.name() + " since " + summary.created() + ": " + states);
 * }
 * }</pre>
 */
public interface ClusterSummary extends HasJson {

    /** The cluster's name. */
    ClusterName name();

    /** The name of the provider that made it; {@code unknown} where a damaged record does not tell. */
    String provider();

    /** The progress of the cluster. */
    ClusterPhase phase();

    /** The time at which its creation began; empty where a damaged record does not tell. */
    Optional<Instant> created();

    /** The end of its time to live; empty when it lives until it is destroyed, or its record is damaged. */
    Optional<Instant> expires();

    /** Its nodes, by name, with a separate head node; of a damaged record the nodes that can be read. */
    List<Node> nodes();

    /** The name of its separate head node; empty where its first node is the head, or a damaged record does not tell. */
    default Optional<NodeName> headNode() {
        return Optional.empty();
    }

    /** The damage of its record with file and line; empty where the record can be read. */
    default Optional<String> damage() {
        return Optional.empty();
    }

    /** The version that wrote its record, if that version is newer than this one, and what to do; empty where this version can read it. */
    default Optional<String> newer() {
        return Optional.empty();
    }

    @Override
    default Map<String, Object> toMap() {
        return JsonFields.of("name", name())
                .and("provider", provider())
                .and("phase", phase())
                .and("created", created())
                .and("damage", damage())
                .and("newer", newer())
                .and("expires", expires())
                .and("headNode", headNode())
                .and("nodes", nodes());
    }

    /** The progress of a cluster according to its record. */
    enum ClusterPhase {
        /** It is being created, or its creator died. */
        CREATING,
        /** No cluster: an image is being built under this name, or the process that built it died. */
        BUILDING,
        /** It is complete. */
        READY,
        /** Its creation failed and some of its resources were kept. */
        FAILED,
        /** Its machines are being stopped, or the process that stopped them died. */
        STOPPING,
        /** Its machines are stopped. */
        STOPPED,
        /** Its machines are being started again, or the process that started them died. */
        STARTING,
        /** Its record cannot be read; its machines may exist. */
        DAMAGED,
        /** A newer version wrote its record; this version changes neither the record nor the cluster. */
        NEWER;

        /** Whether the machines are stopped, or on the way to it or from it. */
        public boolean asleep() {
            return this == STOPPING || this == STOPPED || this == STARTING;
        }

        /** The name in lower case, as programs print it: {@code ready}. */
        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }
}
