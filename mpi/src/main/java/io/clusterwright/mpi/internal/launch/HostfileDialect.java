package io.clusterwright.mpi.internal.launch;

import io.clusterwright.core.spec.MpiFlavour;
import java.util.Locale;

/** How a launcher wants its list of hosts written; each refuses or misreads the others'. */
public enum HostfileDialect {
    /** {@code 10.32.0.11:2}: Hydra of MPICH and Intel MPI. Equal hosts are merged. */
    HYDRA("%s:%d"),
    /** {@code 10.32.0.11 slots=2}: Open MPI. A host named again adds its slots. */
    OPEN_MPI("%s slots=%d"),
    /** {@code 10.32.0.11:2}: {@code mpirun_rsh}. Ranks beyond the last slot start again with the first host. */
    MVAPICH2("%s:%d"),
    /** {@code cluster11}: Slurm knows the cores of its nodes, and nodes by name only. */
    SLURM("%s"),
    /** {@code cluster11 2}: the machine file of MS-MPI. */
    MS_MPI("%s %d");

    private final String layout;

    HostfileDialect(String layout) {
        this.layout = layout;
    }

    /** The dialect of the launcher that comes with an MPI. */
    public static HostfileDialect of(MpiFlavour flavour) {
        return switch (flavour) {
            case MPICH, INTEL_MPI -> HYDRA;
            case OPEN_MPI, HPC_X -> OPEN_MPI;
            case MVAPICH2 -> MVAPICH2;
            case MS_MPI -> MS_MPI;
        };
    }

    String line(Hostfile.Host host) {
        return this == SLURM ? host.node().value() : String.format(Locale.ROOT, layout, host.address(), host.slots());
    }
}
