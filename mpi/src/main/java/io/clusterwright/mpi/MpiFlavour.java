package io.clusterwright.mpi;

import io.clusterwright.core.InvalidValueException;
import java.util.Arrays;
import java.util.stream.Collectors;

/** An implementation of MPI. */
public enum MpiFlavour {
    /** MPICH, started by Hydra. */
    MPICH("mpich", "MPICH", HostfileDialect.HYDRA),
    /** Open MPI. */
    OPEN_MPI("open-mpi", "Open MPI", HostfileDialect.OPEN_MPI),
    /** Intel MPI, started by its own Hydra. */
    INTEL_MPI("intel-mpi", "Intel MPI", HostfileDialect.HYDRA),
    /** NVIDIA's build of Open MPI. */
    HPC_X("hpc-x", "HPC-X", HostfileDialect.OPEN_MPI),
    /** MVAPICH2, started by {@code mpirun_rsh}. */
    MVAPICH2("mvapich2", "MVAPICH2", HostfileDialect.MVAPICH2),
    /** Microsoft MPI. */
    MS_MPI("ms-mpi", "MS-MPI", HostfileDialect.MS_MPI);

    private final String key;
    private final String title;
    private final HostfileDialect dialect;

    MpiFlavour(String key, String title, HostfileDialect dialect) {
        this.key = key;
        this.title = title;
        this.dialect = dialect;
    }

    /**
     * Reads the name used in specs, such as {@code open-mpi}.
     *
     * @throws InvalidValueException when there is no such flavour
     */
    public static MpiFlavour parse(String text) {
        return Arrays.stream(values())
                .filter(flavour -> flavour.key.equals(text))
                .findFirst()
                .orElseThrow(() -> new InvalidValueException(
                        "MPI flavour",
                        text,
                        "one of " + Arrays.stream(values()).map(MpiFlavour::key).collect(Collectors.joining(", ")),
                        OPEN_MPI.key));
    }

    /** The name used in specs. */
    public String key() {
        return key;
    }

    /** The name for people, such as {@code Open MPI}. */
    public String title() {
        return title;
    }

    /** How its hostfile is written. */
    public HostfileDialect dialect() {
        return dialect;
    }

    @Override
    public String toString() {
        return key;
    }
}
