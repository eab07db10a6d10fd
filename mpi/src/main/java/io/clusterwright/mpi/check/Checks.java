package io.clusterwright.mpi.check;

import io.clusterwright.core.Cluster;
import io.clusterwright.core.spec.MpiFlavour;
import io.clusterwright.mpi.JobTarget;
import io.clusterwright.mpi.internal.check.HostnameRun;
import io.clusterwright.mpi.internal.check.MemlockProof;
import io.clusterwright.mpi.internal.check.PingPongRun;
import io.clusterwright.mpi.internal.fabric.FabricSettings;
import io.clusterwright.mpi.spi.LaunchTarget;
import io.clusterwright.mpi.spi.NodeTarget;

/** The one door from the checks to the code behind them. */
final class Checks {
    private Checks() {}

    static HostnameCheck hostnames(JobTarget target) {
        return HostnameRun.on(target);
    }

    static MemlockCheck memlock(Cluster cluster) {
        return new MemlockProof(cluster)::run;
    }

    static PingPongCheck pingPong(LaunchTarget pair) {
        return PingPongRun.between(pair);
    }

    /** The nodes of a target on which a shell can start a benchmark. */
    static LaunchTarget nodes(JobTarget target) {
        LaunchTarget known = LaunchTarget.of(target);
        boolean windows = known.installation()
                .filter(mpi -> mpi.flavour() == MpiFlavour.MS_MPI)
                .isPresent();
        return windows ? NodeTarget.of(target) : known;
    }

    static FabricCheck fabric(JobTarget target, FabricEnvelope envelope) {
        return new FabricSettings(nodes(target), envelope);
    }
}
