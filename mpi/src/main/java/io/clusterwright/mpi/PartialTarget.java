package io.clusterwright.mpi;

import io.clusterwright.core.NodeSession;
import io.clusterwright.core.spec.MpiFlavour;
import io.clusterwright.core.type.AddressRange;
import io.clusterwright.core.type.Interconnect;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.mpi.spi.LaunchNode;
import io.clusterwright.mpi.spi.Launcher;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Some nodes of another target. */
final class PartialTarget implements JobTarget {
    private final JobTarget whole;
    private final List<LaunchNode> nodes;

    PartialTarget(JobTarget whole, List<NodeName> names) {
        this.whole = whole;
        this.nodes = names.stream().map(name -> find(whole, name)).toList();
        if (nodes.isEmpty()) {
            throw new IllegalArgumentException("a job needs at least one node");
        }
    }

    private static LaunchNode find(JobTarget whole, NodeName name) {
        return whole.nodes().stream()
                .filter(node -> node.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("node " + name + " is none of "
                        + whole.nodes().stream().map(LaunchNode::name).toList()));
    }

    @Override
    public List<LaunchNode> nodes() {
        return nodes;
    }

    @Override
    public NodeSession session(NodeName node) {
        return whole.session(node);
    }

    @Override
    public Optional<AddressRange> network() {
        return whole.network();
    }

    @Override
    public Interconnect interconnect() {
        return whole.interconnect();
    }

    @Override
    public Set<String> suppressed() {
        return whole.suppressed();
    }

    @Override
    public String preset() {
        return whole.preset();
    }

    @Override
    public Optional<MpiFlavour> flavour() {
        return whole.flavour();
    }

    @Override
    public Optional<Launcher> launcher() {
        return whole.launcher();
    }

    @Override
    public Optional<RemoteScheduler> scheduler() {
        return whole.scheduler();
    }

    @Override
    public Map<String, String> environment() {
        return whole.environment();
    }

    @Override
    public boolean sharesOneMachine() {
        return whole.sharesOneMachine();
    }
}
