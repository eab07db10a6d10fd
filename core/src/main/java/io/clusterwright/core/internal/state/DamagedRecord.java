package io.clusterwright.core.internal.state;

import io.clusterwright.core.Node;
import io.clusterwright.core.ResourceId;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spi.Machine;
import io.clusterwright.core.type.ClusterId;
import io.clusterwright.core.type.ClusterName;
import io.clusterwright.core.type.NodeName;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

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
public record DamagedRecord(
        ClusterName name,
        @Nullable ClusterId id,
        @Nullable ClusterSpec spec,
        String provider,
        @Nullable Instant since,
        Set<ResourceId> resources,
        Map<NodeName, Machine> machines,
        String reason)
        implements ClusterRecord {
    /** The name of the provider where it cannot be read. */
    static final String UNKNOWN = "unknown";

    @Override
    public ClusterPhase phase() {
        return ClusterPhase.DAMAGED;
    }

    @Override
    public Optional<Instant> created() {
        return Optional.ofNullable(since);
    }

    @Override
    public Optional<Instant> expires() {
        return Optional.empty();
    }

    @Override
    public List<Node> nodes() {
        return ClusterState.nodes(machines);
    }

    @Override
    public Optional<String> damage() {
        return Optional.of(reason);
    }
}
