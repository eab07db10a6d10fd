package io.clusterwright.windows.internal.jobs;

import io.clusterwright.core.spec.Binding;
import io.clusterwright.core.spec.MpiFlavour;
import io.clusterwright.core.type.InvalidValueException;
import io.clusterwright.mpi.job.MpiInstallation;
import io.clusterwright.mpi.spi.LaunchCommand;
import io.clusterwright.mpi.spi.LaunchNode;
import io.clusterwright.mpi.spi.LaunchRequest;
import io.clusterwright.mpi.spi.Launcher;
import java.util.List;
import java.util.Map;

/**
 * Writes the command of MS-MPI's {@code mpiexec} as a task of HPC Pack, which gives mpiexec its nodes. Outside of a task it would have none.
 */
public final class HpcPackLauncher implements Launcher {

    /** Creates the launcher; it has no state. */
    public HpcPackLauncher() {}

    @Override
    public boolean supports(MpiInstallation mpi) {
        return mpi.flavour() == MpiFlavour.MS_MPI;
    }

    @Override
    public LaunchCommand command(LaunchRequest request) {
        if (!request.jobArguments().isEmpty()) {
            throw InvalidValueException.of(
                    "HPC Pack's jobs take no arguments for mpiexec", "remove --launcher-arg (launcherArguments())");
        }
        MpiExec mpiexec = MpiExec.of(request.program());
        List<LaunchNode> used = request.usedNodes();
        int slots = used.get(0).slots();
        boolean even = used.stream().allMatch(node -> node.slots() == slots) && slots * used.size() == request.ranks();
        if (even) {
            mpiexec.coresPerNode(slots);
        } else {
            mpiexec.ranks(request.ranks());
        }
        if (request.coresPerRank() > 1) {
            throw InvalidValueException.of(
                    "mpiexec of MS-MPI cannot give a rank " + request.coresPerRank() + " cores of its own",
                    "leave out the binding (example: --threads " + request.coresPerRank() + " without --bind)");
        }
        switch (request.binding()) {
            case CORE -> mpiexec.affinity();
            case NONE -> mpiexec.affinityLayout("0");
            case DEFAULT -> {}
            case SOCKET, NUMA, L3 -> throw request.binding().unsupported("mpiexec of MS-MPI", Binding.CORE);
        }
        if (!request.workingDirectory().isEmpty()) {
            mpiexec.workingDirectory(request.workingDirectory());
        }
        for (Map.Entry<String, String> variable : request.environment().entrySet()) {
            mpiexec.env(variable.getKey(), variable.getValue());
        }
        return new LaunchCommand(mpiexec.command());
    }
}
