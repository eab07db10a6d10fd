package io.clusterwright.mpi.internal.launch;

import io.clusterwright.mpi.MpiInstallation;
import io.clusterwright.mpi.spi.JobFolder;
import io.clusterwright.mpi.spi.LaunchCommand;
import io.clusterwright.mpi.spi.LaunchRequest;
import io.clusterwright.mpi.spi.Launcher;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** The launcher of Open MPI 2 to 4 (ORTE), also in HPC-X. */
public final class OpenMpiLauncher implements Launcher {
    private static final OpenMpiOptions WORDS = new OpenMpiOptions(
            "--mca", "plm_rsh_agent", "plm_rsh_no_tree_spawn", "orte_tmpdir_base", "socket", List.of("--tag-output"));
    private static final Pattern LABEL = Pattern.compile("\\[\\d+,(\\d+)]<std(?:out|err)>:");

    /** Creates the launcher; it has no state. */
    public OpenMpiLauncher() {}

    @Override
    public boolean supports(MpiInstallation mpi) {
        return mpi.isOpenMpi() && Pattern.matches("[234]\\..*", mpi.version());
    }

    @Override
    public LaunchCommand command(LaunchRequest request) {
        return WORDS.command(request);
    }

    @Override
    public Optional<Pattern> rankLabel(JobFolder folder) {
        return Optional.of(LABEL);
    }
}
