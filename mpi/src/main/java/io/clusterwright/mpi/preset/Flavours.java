package io.clusterwright.mpi.preset;

import io.clusterwright.core.spec.MpiFlavour;
import java.util.Arrays;
import java.util.Optional;

/** Questions about flavours of MPI. */
final class Flavours {
    private Flavours() {}

    /** Whether it is Open MPI, under this name or as HPC-X. */
    static boolean ompi(MpiFlavour flavour) {
        return flavour == MpiFlavour.OPEN_MPI || flavour == MpiFlavour.HPC_X;
    }

    static boolean linuxOnly(MpiFlavour flavour) {
        return flavour != MpiFlavour.MS_MPI && flavour != MpiFlavour.INTEL_MPI;
    }

    static Optional<MpiFlavour> find(String name) {
        return Arrays.stream(MpiFlavour.values())
                .filter(flavour -> flavour.toString().equals(name))
                .findFirst();
    }
}
