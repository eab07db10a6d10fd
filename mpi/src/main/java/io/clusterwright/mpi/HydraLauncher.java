package io.clusterwright.mpi;

import io.clusterwright.core.spec.MpiFlavour;
import io.clusterwright.mpi.LaunchCommand.StagedFile;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** Hydra, the launcher of MPICH and Intel MPI. */
public final class HydraLauncher implements Launcher {

    /** Creates the launcher; it has no state. */
    public HydraLauncher() {}

    @Override
    public boolean supports(MpiInstallation mpi) {
        return mpi.flavour() == MpiFlavour.MPICH || mpi.flavour() == MpiFlavour.INTEL_MPI;
    }

    /** MPICH's only: whether Intel MPI's Hydra prints the same is not known. */
    @Override
    public boolean launchesOverSessions(MpiInstallation mpi) {
        return mpi.flavour() == MpiFlavour.MPICH;
    }

    @Override
    public LaunchCommand command(LaunchRequest request) {
        JobFolder folder = request.folder();
        List<String> argv = new ArrayList<>();
        argv.add(request.mpi().mpirun());
        Hostfile hosts = Hostfile.of(request.nodes());
        boolean overSessions = request.has(LaunchOption.OVER_SESSIONS);
        if (overSessions) {
            String address = request.nodes().get(0).address().toString();
            argv.addAll(List.of("-launcher", "manual", "-localhost", address));
            argv.addAll(
                    List.of("-hosts", hosts.text(HostfileDialect.HYDRA).strip().replace('\n', ',')));
        } else {
            argv.addAll(List.of("-launcher", "ssh", "-launcher-exec", folder.path(SshAgent.FILE)));
            argv.addAll(List.of("-f", folder.path("hostfile")));
        }
        argv.addAll(List.of("-n", Integer.toString(request.ranks())));
        argv.addAll(request.launcherArguments());
        if (request.has(LaunchOption.LABEL_RANKS)) {
            argv.addAll(List.of("-prepend-pattern", label(folder, "%r")));
        }
        if (!request.workingDirectory().isEmpty()) {
            argv.addAll(List.of("-wdir", request.workingDirectory()));
        }
        argv.addAll(List.of("-genv", JobFolder.VARIABLE, folder.token()));
        request.environment().forEach((name, value) -> argv.addAll(List.of("-genv", name, value)));
        argv.addAll(request.program());
        List<StagedFile> files = overSessions
                ? List.of()
                : List.of(new StagedFile("hostfile", hosts.text(HostfileDialect.HYDRA), 0600), SshAgent.file(folder));
        return new LaunchCommand(argv, Map.of(), files);
    }

    /** Hydra's own {@code -prepend-rank} cannot be told from a program's "[0] ": the job's token can. */
    @Override
    public Optional<Pattern> rankLabel(JobFolder folder) {
        return Optional.of(Pattern.compile(label(folder, "(\\d+)")));
    }

    private static String label(JobFolder folder, String rank) {
        return "<" + folder.token() + ":" + rank + ">";
    }
}
