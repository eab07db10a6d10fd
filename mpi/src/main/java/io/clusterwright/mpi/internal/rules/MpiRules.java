package io.clusterwright.mpi.internal.rules;

import io.clusterwright.core.catalog.VmSizeFacts;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.Verification;
import io.clusterwright.core.spi.Facts;
import io.clusterwright.core.spi.FindingKind;
import io.clusterwright.core.spi.Rule;
import io.clusterwright.core.spi.RuleSet;
import io.clusterwright.core.type.Interconnect;
import io.clusterwright.mpi.internal.finding.MpiFinding;
import io.clusterwright.mpi.internal.output.KnownFailures;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The rules that need to know what an MPI can do. */
public final class MpiRules implements RuleSet {

    /** Creates the rules; they have no state. */
    public MpiRules() {}

    @Override
    public List<Rule> rules() {
        return Stream.of(FabricRules.rules(), PresetRules.rules(), VariableRules.rules())
                .flatMap(List::stream)
                .toList();
    }

    @Override
    public List<FindingKind> otherKinds() {
        return Stream.of(MpiFinding.kinds(), KnownFailures.kinds())
                .flatMap(List::stream)
                .toList();
    }

    /** Questions about the network of a description that several rules ask. */
    static final class Network {
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
}
