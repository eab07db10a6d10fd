package io.clusterwright.mpi.check;

import io.clusterwright.core.spec.MpiFlavour;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.mpi.MpiInstallation;

/** There is no benchmark on a node that belongs to the MPI in use. */
public final class BenchmarkNotFoundException extends ClusterwrightException {
    private static final long serialVersionUID = 1L;

    private final transient NodeName node;

    BenchmarkNotFoundException(NodeName node, MpiInstallation mpi) {
        super("no ping-pong benchmark for " + mpi + " is installed on " + node + ": install "
                + (mpi.flavour() == MpiFlavour.MPICH
                        ? "netpipe-mpich2"
                        : mpi.flavour() == MpiFlavour.OPEN_MPI ? "netpipe-openmpi" : "IMB or the OSU benchmarks")
                + " on every node, or Java 17 for the ping-pong of this library");
        this.node = node;
    }

    /** The node that was searched. */
    public NodeName node() {
        return node;
    }
}
