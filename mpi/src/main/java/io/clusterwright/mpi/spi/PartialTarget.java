package io.clusterwright.mpi.spi;

import io.clusterwright.core.NodeSession;
import io.clusterwright.core.spec.MpiFlavour;
import io.clusterwright.core.type.AddressRange;
import io.clusterwright.core.type.Interconnect;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.mpi.MpiInstallation;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Some nodes of another target. */
final class PartialTarget implements NodeTarget {
    private final NodeTarget whole;
    private final List<LaunchNode> nodes;

    PartialTarget(NodeTarget whole, List<NodeName> names) {
        this.whole = whole;
        this.nodes = LaunchNode.select(whole.nodes(), names);
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
    public Optional<MpiInstallation> installation() {
        return whole.installation();
    }

    @Override
    public Optional<Launcher> launcher() {
        return whole.launcher();
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
