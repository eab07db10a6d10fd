package io.clusterwright.mpi.spi;

import io.clusterwright.core.NodeSession;
import io.clusterwright.core.catalog.VmSizeFacts;
import io.clusterwright.core.spec.MpiFlavour;
import io.clusterwright.core.spec.MpiSettings;
import io.clusterwright.core.type.AddressRange;
import io.clusterwright.core.type.Interconnect;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.mpi.job.MpiInstallation;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The nodes of another target with other facts: a method that is not overridden answers as the wrapped target does.
 * Implement it to change one fact of a target, such as its slots.
 *
 * <pre>{@code
 * record OneRankPerNode(NodeTarget wrapped) implements WrappedNodes {
 *     @Override
 *     public List<LaunchNode> nodes() {
 *         return wrapped.nodes().stream().map(node -> node.withSlots(1)).toList();
 *     }
 *
 *     @Override
 *     public NodeTarget only(Collection<NodeName> names) {
 *         return new OneRankPerNode(wrapped.only(names));
 *     }
 * }
 * }</pre>
 */
public interface WrappedNodes extends NodeTarget {

    /** The target whose nodes these are. */
    NodeTarget wrapped();

    @Override
    default List<LaunchNode> nodes() {
        return wrapped().nodes();
    }

    @Override
    default NodeSession session(NodeName node) {
        return wrapped().session(node);
    }

    @Override
    default Optional<Launcher> launcher() {
        return wrapped().launcher();
    }

    @Override
    default Optional<AddressRange> network() {
        return wrapped().network();
    }

    @Override
    default Interconnect interconnect() {
        return wrapped().interconnect();
    }

    @Override
    default Optional<VmSizeFacts> size() {
        return wrapped().size();
    }

    @Override
    default Optional<MpiFlavour> flavour() {
        return wrapped().flavour();
    }

    @Override
    default Optional<MpiInstallation> installation() {
        return wrapped().installation();
    }

    @Override
    default MpiSettings defaults() {
        return wrapped().defaults();
    }

    @Override
    default String preset() {
        return wrapped().preset();
    }

    @Override
    default Set<String> suppressed() {
        return wrapped().suppressed();
    }

    @Override
    default Map<String, String> environment() {
        return wrapped().environment();
    }

    @Override
    default boolean sharesOneMachine() {
        return wrapped().sharesOneMachine();
    }
}
