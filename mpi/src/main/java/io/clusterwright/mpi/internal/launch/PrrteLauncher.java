package io.clusterwright.mpi.internal.launch;

import io.clusterwright.mpi.MpiInstallation;
import io.clusterwright.mpi.internal.launch.OpenMpiLauncher.OpenMpiOptions;
import io.clusterwright.mpi.spi.JobFolder;
import io.clusterwright.mpi.spi.LaunchCommand;
import io.clusterwright.mpi.spi.LaunchRequest;
import io.clusterwright.mpi.spi.Launcher;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The launcher of Open MPI 5 and later (PRRTE), also in HPC-X.
 *
 * <p>Not proven by a run: taken from the help text of {@code prterun} and the parameters that PRRTE's ssh component registers ({@code
 * plm_ssh_agent}, whose value is a list of which the first that exists is used; {@code plm_ssh_no_tree_spawn}). PRRTE's own
 * parameters are given by {@code --prtemca}, those of the library by {@code --mca}; {@code package} is its word for socket, and {@code
 * --output tag} its labels, of which the blank after the colon is taken as part.
 */
public final class PrrteLauncher implements Launcher {
    private static final OpenMpiOptions WORDS = new OpenMpiOptions(
            "--prtemca",
            "plm_ssh_agent",
            "plm_ssh_no_tree_spawn",
            "prte_tmpdir_base",
            "package",
            List.of("--output", "tag"));
    private static final Pattern VERSION = Pattern.compile("(?:[5-9]|\\d{2,})\\..*");
    private static final Pattern LABEL = Pattern.compile("\\[(?:[^\\[\\],\\s]*@)?\\d+,(\\d+)]<std(?:out|err)>: ?");

    /** Creates the launcher; it has no state. */
    public PrrteLauncher() {}

    @Override
    public boolean supports(MpiInstallation mpi) {
        return mpi.isOpenMpi() && VERSION.matcher(mpi.version()).matches();
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
