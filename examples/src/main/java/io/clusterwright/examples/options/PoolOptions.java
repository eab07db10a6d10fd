package io.clusterwright.examples.options;

import io.clusterwright.azure.BatchPool;
import io.clusterwright.core.spec.MpiFlavour;
import io.clusterwright.mpi.job.JobTarget;
import io.clusterwright.mpi.job.MpiInstallation;
import picocli.CommandLine.Option;

/** The MPI on the nodes of a pool. */
public final class PoolOptions {
    @Option(
            names = "--mpi",
            paramLabel = "FLAVOUR",
            description =
                    "MPI on the nodes: hpc-x, open-mpi, intel-mpi or mpich. Default: hpc-x, as in the HPC images of"
                            + " the marketplace.")
    private String flavour = MpiFlavour.HPC_X.toString();

    @Option(
            names = "--mpi-version",
            paramLabel = "VERSION",
            description =
                    "Its version, such as 4.1.7, which decides about the variables of a preset. Default: not known.")
    private String version = "";

    @Option(
            names = "--launcher",
            paramLabel = "PATH",
            description = "Its mpirun; default: mpirun, as the scripts or modules of the MPI put it on the path.")
    private String launcher = "mpirun";

    /** The nodes of a pool under this MPI. */
    public JobTarget target(BatchPool pool) {
        MpiFlavour known = JobOptions.flavour(flavour, "write hpc-x, open-mpi, intel-mpi or mpich");
        return pool.target(new MpiInstallation(known, version, launcher));
    }
}
