package io.clusterwright.mpi.internal.launch;

import io.clusterwright.core.type.AddressRange;
import io.clusterwright.mpi.MpiInstallation;
import io.clusterwright.mpi.internal.launch.Hostfile.HostfileDialect;
import io.clusterwright.mpi.spi.JobFolder;
import io.clusterwright.mpi.spi.LaunchCommand;
import io.clusterwright.mpi.spi.LaunchCommand.StagedFile;
import io.clusterwright.mpi.spi.LaunchNode;
import io.clusterwright.mpi.spi.LaunchRequest;
import io.clusterwright.mpi.spi.LaunchRequest.LaunchOption;
import io.clusterwright.mpi.spi.Launcher;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

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

    /**
     * The command of Open MPI, whose run-time system calls the same things by other names from release 5 on.
     *
     * @param option how a parameter of the run-time system is given
     * @param agent the parameter that names the program to call in the place of ssh
     * @param noTreeSpawn the parameter that makes all connections start on the launch node
     * @param folder the parameter that names the folder for session files
     * @param socket what {@code --bind-to} calls a socket
     * @param labels the options that label output with its rank
     */
    record OpenMpiOptions(
            String option, String agent, String noTreeSpawn, String folder, String socket, List<String> labels) {

        LaunchCommand command(LaunchRequest request) {
            JobFolder job = request.folder();
            List<String> argv = new ArrayList<>();
            argv.add(request.mpi().mpirun());
            if (request.has(LaunchOption.AS_ROOT)) {
                argv.add("--allow-run-as-root");
            }
            // The list's second entry serves the other nodes: they start nothing, yet refuse to run without an agent.
            argv.addAll(List.of(option, agent, job.path(SshAgent.FILE) + ":ssh"));
            argv.addAll(List.of(option, noTreeSpawn, "1"));
            argv.addAll(List.of(option, folder, job.path()));
            if (!request.networks().isEmpty()) {
                String networks =
                        request.networks().stream().map(AddressRange::toString).collect(Collectors.joining(","));
                argv.addAll(List.of("--mca", "btl_tcp_if_include", networks));
                argv.addAll(List.of(option, "oob_tcp_if_include", networks));
            }
            argv.addAll(List.of("--hostfile", job.path("hostfile"), "-n", Integer.toString(request.ranks())));
            argv.addAll(List.of("--map-by", mapping(request.nodes())));
            Bindings.openMpi(request, socket).ifPresent(word -> argv.addAll(List.of("--bind-to", word)));
            argv.addAll(request.launcherArguments());
            if (request.has(LaunchOption.LABEL_RANKS)) {
                argv.addAll(labels);
            }
            if (!request.workingDirectory().isEmpty()) {
                argv.addAll(List.of("--wdir", request.workingDirectory()));
            }
            argv.addAll(List.of("-x", JobFolder.VARIABLE + "=" + job.token()));
            request.environment().forEach((name, value) -> argv.addAll(List.of("-x", name + "=" + value)));
            argv.addAll(request.program());
            String hosts = Hostfile.of(request.nodes()).text(HostfileDialect.OPEN_MPI);
            return new LaunchCommand(
                    argv, Map.of(), List.of(new StagedFile("hostfile", hosts, 0600), SshAgent.file(job)));
        }

        private static String mapping(List<LaunchNode> nodes) {
            List<Integer> slots =
                    nodes.stream().map(LaunchNode::slots).distinct().toList();
            return slots.size() == 1 ? "ppr:" + slots.get(0) + ":node" : "slot";
        }
    }
}
