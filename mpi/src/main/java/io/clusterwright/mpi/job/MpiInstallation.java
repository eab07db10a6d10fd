package io.clusterwright.mpi.job;

import io.clusterwright.core.NodeSession;
import io.clusterwright.core.spec.MpiFlavour;
import io.clusterwright.mpi.internal.launch.MpiDetection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * An MPI found on a node. Use it to choose among several MPIs, and to start jobs without a search.
 *
 * <pre>{@code
 * for (MpiInstallation mpi : MpiInstallation.on(session)) {
 *     System.out.println(mpi.flavour() + " " + mpi.version() + ": " + mpi.mpirun());
 * }
 * }</pre>
 *
 * @param flavour its kind
 * @param version as it reports itself, such as {@code 4.1.4}
 * @param mpirun the absolute path of its launcher
 * @param library the absolute path of the library that programs load, such as {@code /usr/lib/x86_64-linux-gnu/libmpich.so.12}; empty
 *     when it was not found
 * @param environment the variables that its own scripts or environment module set, such as {@code OPAL_PREFIX} of HPC-X; every job that it
 *     starts gets them, on all nodes. Empty when it sets no variables, and for {@link #withoutEnvironment()}
 */
public record MpiInstallation(
        MpiFlavour flavour, String version, String mpirun, Optional<String> library, Map<String, String> environment) {

    /** Copies the variables. */
    public MpiInstallation {
        environment = Collections.unmodifiableMap(new LinkedHashMap<>(environment));
    }

    /** An installation that needs no variables. */
    public MpiInstallation(MpiFlavour flavour, String version, String mpirun, Optional<String> library) {
        this(flavour, version, mpirun, library, Map.of());
    }

    /** An installation whose library is not known. */
    public MpiInstallation(MpiFlavour flavour, String version, String mpirun) {
        this(flavour, version, mpirun, Optional.empty());
    }

    /**
     * The MPIs of a node, MPIs whose launcher has a distinct name (such as {@code mpirun.openmpi}) first: each
     * launcher that is there is asked
     * for its kind and version, and the scripts and environment modules that come with MPIs are run once to see what they set.
     *
     * @throws io.clusterwright.core.NodeUnreachableException when the node cannot be reached
     */
    public static List<MpiInstallation> on(NodeSession session) {
        return MpiDetection.of(session).installations();
    }

    /** Returns the installation without the variables of its scripts. */
    public MpiInstallation withoutEnvironment() {
        return new MpiInstallation(flavour, version, mpirun, library);
    }

    /** The folder of the launcher, in which its helpers and compilers lie. */
    public String folder() {
        return mpirun.substring(0, Math.max(1, mpirun.lastIndexOf('/')));
    }

    /** The installation for people, such as {@code Open MPI 4.1.4}. */
    @Override
    public String toString() {
        boolean laterMvapich = flavour == MpiFlavour.MVAPICH2 && !version.startsWith("2.");
        return (laterMvapich ? "MVAPICH" : title(flavour)) + " " + version;
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
