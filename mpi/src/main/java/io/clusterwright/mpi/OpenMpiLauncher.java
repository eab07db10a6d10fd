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

/** The launcher of Open MPI 2 to 4 (ORTE), also in HPC-X. */
public final class OpenMpiLauncher implements Launcher {
    private static final Pattern LABEL = Pattern.compile("\\[\\d+,(\\d+)]<std(?:out|err)>:");

    /** Creates the launcher; it has no state. */
    public OpenMpiLauncher() {}

    @Override
    public boolean supports(MpiInstallation mpi) {
        return (mpi.flavour() == MpiFlavour.OPEN_MPI || mpi.flavour() == MpiFlavour.HPC_X)
                && Pattern.matches("[234]\\..*", mpi.version());
    }

    @Override
    public LaunchCommand command(LaunchRequest request) {
        JobFolder folder = request.folder();
        List<String> argv = new ArrayList<>();
        argv.add(request.mpi().mpirun());
        if (request.has(LaunchOption.AS_ROOT)) {
            argv.add("--allow-run-as-root");
        }
        // The list's second entry serves the other nodes: they start nothing, yet refuse to run without an agent.
        argv.addAll(List.of("--mca", "plm_rsh_agent", folder.path(SshAgent.FILE) + ":ssh"));
        argv.addAll(List.of("--mca", "plm_rsh_no_tree_spawn", "1"));
        argv.addAll(List.of("--mca", "orte_tmpdir_base", folder.path()));
        if (!request.networks().isEmpty()) {
            String networks =
                    request.networks().stream().map(AddressRange::toString).collect(Collectors.joining(","));
            argv.addAll(List.of("--mca", "btl_tcp_if_include", networks));
            argv.addAll(List.of("--mca", "oob_tcp_if_include", networks));
        }
        argv.addAll(List.of("--hostfile", folder.path("hostfile"), "-n", Integer.toString(request.ranks())));
        argv.addAll(List.of("--map-by", mapping(request.nodes())));
        Bindings.openMpi(request, "socket").ifPresent(word -> argv.addAll(List.of("--bind-to", word)));
        argv.addAll(request.launcherArguments());
        if (request.has(LaunchOption.LABEL_RANKS)) {
            argv.add("--tag-output");
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

    static String mapping(List<LaunchNode> nodes) {
        List<Integer> slots = nodes.stream().map(LaunchNode::slots).distinct().toList();
        return slots.size() == 1 ? "ppr:" + slots.get(0) + ":node" : "slot";
    }

    @Override
    public Optional<Pattern> rankLabel(JobFolder folder) {
        return Optional.of(LABEL);
    }
}
