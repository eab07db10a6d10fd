package io.clusterwright.mpi.internal.rules;

import io.clusterwright.core.catalog.VmSizeFacts;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.Verification;
import io.clusterwright.core.spi.Facts;
import io.clusterwright.core.type.Interconnect;
import java.util.Optional;

/** Questions about the network of a description that several rules ask. */
final class Network {
    private Network() {}

    static Optional<VmSizeFacts> size(ClusterSpec spec, Facts facts) {
        return spec.nodes().size().flatMap(facts.sizes()::find);
    }

    static boolean networkDirect(ClusterSpec spec, Facts facts) {
        return has(spec, facts, Interconnect.NETWORK_DIRECT);
    }

    static boolean sriov(ClusterSpec spec, Facts facts) {
        return has(spec, facts, Interconnect.SRIOV_INFINIBAND);
    }

    static boolean rdma(ClusterSpec spec, Facts facts) {
        return networkDirect(spec, facts) || sriov(spec, facts);
    }

    /** Whether ranks on different nodes are to talk over the fabric. */
    static boolean wanted(ClusterSpec spec, Facts facts) {
        return spec.nodes().count() > 1
                && rdma(spec, facts)
                && !spec.mpi().preset().endsWith("/tcp")
                && spec.verify().fabric() != Verification.Fabric.NONE;
    }

    private static boolean has(ClusterSpec spec, Facts facts, Interconnect interconnect) {
        return size(spec, facts)
                .filter(size -> size.interconnect() == interconnect)
                .isPresent();
    }
}
