package io.clusterwright.mpi;

import io.clusterwright.core.NodeSession;
import io.clusterwright.core.spec.MpiFlavour;
import java.util.List;
import java.util.Optional;

/**
 * An MPI found on a node.
 *
 * @param flavour its kind
 * @param version as it reports itself, such as {@code 4.1.4}
 * @param mpirun the absolute path of its launcher
 * @param library the absolute path of the library that programs load, such as {@code /usr/lib/x86_64-linux-gnu/libmpich.so.12}; empty
 *     when it was not found
 */
public record MpiInstallation(MpiFlavour flavour, String version, String mpirun, Optional<String> library) {

    /** An installation whose library is not known. */
    public MpiInstallation(MpiFlavour flavour, String version, String mpirun) {
        this(flavour, version, mpirun, Optional.empty());
    }

    /**
     * The MPIs of a node, those whose launcher has a distinct name (such as {@code mpirun.openmpi}) first: each launcher that is there is asked
     * for its kind and version.
     *
     * @throws io.clusterwright.core.NodeUnreachableException when the node cannot be reached
     */
    public static List<MpiInstallation> on(NodeSession session) {
        return Factories.installationsOn(session);
    }

    /** The folder of the launcher, in which its helpers and compilers lie. */
    public String folder() {
        return mpirun.substring(0, Math.max(1, mpirun.lastIndexOf('/')));
    }

    /** The installation for people, such as {@code Open MPI 4.1.4}. */
    @Override
    public String toString() {
        return title(flavour) + " " + version;
    }

    /** A flavour's name for people, such as {@code Open MPI}. */
    public static String title(MpiFlavour flavour) {
        return switch (flavour) {
            case INTEL_MPI -> "Intel MPI";
            case OPEN_MPI -> "Open MPI";
            case HPC_X -> "HPC-X";
            case MPICH -> "MPICH";
            case MVAPICH2 -> "MVAPICH2";
            case MS_MPI -> "MS-MPI";
        };
    }

    /** Whether it is Open MPI, under this name or as HPC-X. */
    public boolean isOpenMpi() {
        return flavour == MpiFlavour.OPEN_MPI || flavour == MpiFlavour.HPC_X;
    }
}
