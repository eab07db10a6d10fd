package io.clusterwright.mpi;

import io.clusterwright.core.spec.MpiFlavour;
import io.clusterwright.core.type.AddressRange;
import io.clusterwright.mpi.LaunchCommand.StagedFile;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The launcher of Open MPI 5 and later (PRRTE), also in HPC-X.
 *
 * <p>Not proven by a run: taken from the help text of {@code prterun} and the parameters that PRRTE's ssh component registers ({@code
 * plm_ssh_agent}, whose value is a list of which the first that exists is used; {@code plm_ssh_no_tree_spawn}). PRRTE's own
 * parameters are given by {@code --prtemca}, those of the library by {@code --mca}; {@code package} is its word for socket, and {@code
 * --output tag} its labels, of which the blank after the colon is taken as part.
 */
public final class PrrteLauncher implements Launcher {
    private static final Pattern VERSION = Pattern.compile("(?:[5-9]|\\d{2,})\\..*");
    private static final Pattern LABEL = Pattern.compile("\\[(?:[^\\[\\],\\s]*@)?\\d+,(\\d+)]<std(?:out|err)>: ?");

    /** Creates the launcher; it has no state. */
    public PrrteLauncher() {}

    @Override
    public boolean supports(MpiInstallation mpi) {
        return (mpi.flavour() == MpiFlavour.OPEN_MPI || mpi.flavour() == MpiFlavour.HPC_X)
                && VERSION.matcher(mpi.version()).matches();
    }

    @Override
    public LaunchCommand command(LaunchRequest request) {
        JobFolder folder = request.folder();
        List<String> argv = new ArrayList<>();
        argv.add(request.mpi().mpirun());
        if (request.has(LaunchOption.AS_ROOT)) {
            argv.add("--allow-run-as-root");
        }
        argv.addAll(List.of("--prtemca", "plm_ssh_agent", folder.path(SshAgent.FILE) + ":ssh"));
        argv.addAll(List.of("--prtemca", "plm_ssh_no_tree_spawn", "1"));
        argv.addAll(List.of("--prtemca", "prte_tmpdir_base", folder.path()));
        if (!request.networks().isEmpty()) {
            String networks =
                    request.networks().stream().map(AddressRange::toString).collect(Collectors.joining(","));
            argv.addAll(List.of("--mca", "btl_tcp_if_include", networks));
            argv.addAll(List.of("--prtemca", "oob_tcp_if_include", networks));
        }
        argv.addAll(List.of("--hostfile", folder.path("hostfile"), "-n", Integer.toString(request.ranks())));
        argv.addAll(List.of("--map-by", OpenMpiLauncher.mapping(request.nodes())));
        Bindings.openMpi(request, "package").ifPresent(word -> argv.addAll(List.of("--bind-to", word)));
        argv.addAll(request.launcherArguments());
        if (request.has(LaunchOption.LABEL_RANKS)) {
            argv.addAll(List.of("--output", "tag"));
        }
        if (!request.workingDirectory().isEmpty()) {
            argv.addAll(List.of("--wdir", request.workingDirectory()));
        }
        argv.addAll(List.of("-x", JobFolder.VARIABLE + "=" + folder.token()));
        request.environment().forEach((name, value) -> argv.addAll(List.of("-x", name + "=" + value)));
        argv.addAll(request.program());
        String hosts = Hostfile.of(request.nodes()).text(HostfileDialect.OPEN_MPI);
        return new LaunchCommand(
                argv, Map.of(), List.of(new StagedFile("hostfile", hosts, 0600), SshAgent.file(folder)));
    }

    @Override
    public Optional<Pattern> rankLabel(JobFolder folder) {
        return Optional.of(LABEL);
    }
}
