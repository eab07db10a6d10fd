package io.clusterwright.mpi.internal.launch;

import io.clusterwright.core.internal.text.TextResource;
import io.clusterwright.core.spec.Binding;
import io.clusterwright.core.type.AddressRange;
import io.clusterwright.core.type.InvalidValueException;
import io.clusterwright.mpi.internal.launch.Hostfile.HostfileDialect;
import io.clusterwright.mpi.job.MpiInstallation;
import io.clusterwright.mpi.spi.JobFolder;
import io.clusterwright.mpi.spi.LaunchCommand;
import io.clusterwright.mpi.spi.LaunchNode;
import io.clusterwright.mpi.spi.LaunchRequest;
import io.clusterwright.mpi.spi.LaunchRequest.LaunchOption;
import io.clusterwright.mpi.spi.LaunchRequest.LaunchPart;
import io.clusterwright.mpi.spi.Launcher;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The launcher of Open MPI, also in HPC-X. Its run-time system is ORTE in the releases 2 to 4, and PRRTE from 5 on, which calls the same
 * things by other names.
 *
 * <p>PRRTE's own parameters are given by {@code --prtemca}, parameters of the library by {@code --mca}; {@code package} is its word for
 * socket, and {@code --output tag} its labels, of which the blank after the colon is taken as part.
 */
public final class OpenMpiLauncher implements Launcher {
    /** The parameter that makes a rank yield its core while it waits. */
    private static final String YIELD = "mpi_yield_when_idle";

    /**
     * The variable by which hwloc leaves out parts of its search. That for devices takes a third of a daemon's time, and what it finds serves
     * the choice of a fast network, which nodes that share one machine do not have. Ranks get it, too, unless the job sets it.
     */
    private static final String SEARCH = "HWLOC_COMPONENTS";

    /** The parts that search devices. */
    private static final String NO_DEVICES = "-pci,-linuxio,-opencl,-gl";

    /** The program that mpirun calls in the place of ssh where the library starts the daemons. */
    private static final String HELPER = "helper";

    /** {@code ORTE_IOF_BASE_TAGGED_OUT_MAX} of its sources. */
    private static final int ORTE_PIECE = 8192;

    private static final Pattern SYSTEM_PATH = Pattern.compile("/usr/(local/)?bin/[^/]+");
    private static final Pattern ORTE_VERSION = Pattern.compile("[234]\\..*");
    private static final Pattern PRRTE_VERSION = Pattern.compile("(?:[5-9]|\\d{2,})\\..*");
    private static final RunTime ORTE = new RunTime(
            "--mca",
            "plm_rsh_agent",
            "plm_rsh_no_tree_spawn",
            "orte_tmpdir_base",
            "oob_tcp_if_include",
            "socket",
            List.of("--tag-output"),
            Pattern.compile("\\[\\d+,(\\d+)]<std(?:out|err)>:"));
    private static final RunTime PRRTE = new RunTime(
            "--prtemca",
            "plm_ssh_agent",
            "plm_ssh_no_tree_spawn",
            "prte_tmpdir_base",
            "prte_if_include",
            "package",
            List.of("--output", "tag"),
            Pattern.compile("\\[(?:[^\\[\\],\\s]*@)?\\d+,(\\d+)]<std(?:out|err)>: ?"));

    /** Creates the launcher; it has no state. */
    public OpenMpiLauncher() {}

    @Override
    public boolean supports(MpiInstallation mpi) {
        return mpi.isOpenMpi()
                && (ORTE_VERSION.matcher(mpi.version()).matches()
                        || PRRTE_VERSION.matcher(mpi.version()).matches());
    }

    /**
     * Where neither daemons nor ranks need variables to find their libraries: then a daemon's command is its words alone.
     */
    @Override
    public boolean launchesOverSessions(MpiInstallation mpi) {
        return supports(mpi)
                && SYSTEM_PATH.matcher(mpi.mpirun()).matches()
                && mpi.environment().isEmpty();
    }

    @Override
    public boolean startsParts() {
        return true;
    }

    private static RunTime runTime(LaunchRequest request) {
        return ORTE_VERSION.matcher(request.mpi().version()).matches() ? ORTE : PRRTE;
    }

    @Override
    public Optional<Pattern> rankLabel(LaunchRequest request) {
        return Optional.of(runTime(request).label);
    }

    /** Of ORTE, measured; whether PRRTE cuts is not known. */
    @Override
    public OptionalInt pieceLimit(LaunchRequest request) {
        return runTime(request) == ORTE ? OptionalInt.of(ORTE_PIECE) : OptionalInt.empty();
    }

    @Override
    public LaunchCommand command(LaunchRequest request) {
        RunTime words = runTime(request);
        String option = words.option;
        JobFolder job = request.folder();
        List<String> argv = new ArrayList<>();
        argv.add(request.mpi().mpirun());
        if (request.has(LaunchOption.AS_ROOT)) {
            argv.add("--allow-run-as-root");
        }
        boolean overSessions = request.has(LaunchOption.OVER_SESSIONS);
        if (overSessions) {
            argv.addAll(List.of("--leave-session-attached", "--noprefix"));
        }
        // The list's second entry serves the other nodes: they start nothing, yet refuse to run without an agent.
        String agent = overSessions ? HELPER : SshAgent.FILE;
        argv.addAll(List.of(option, words.agent, job.path(agent) + ":ssh"));
        argv.addAll(List.of(option, words.noTreeSpawn, "1"));
        if (!overSessions && words == ORTE) {
            // A daemon that is alone ends unheard when it cannot start, and mpirun waits for it without end.
            argv.addAll(List.of(option, "orte_leave_session_attached", "1"));
        }
        argv.addAll(List.of(option, words.folder, job.path()));
        boolean skipsDevices = overSessions && words == ORTE && request.has(LaunchOption.SHARED_MACHINE);
        if (skipsDevices) {
            argv.addAll(List.of(option, "orte_launch_agent", "env " + SEARCH + "=" + NO_DEVICES + " orted"));
        }
        if (!request.networks().isEmpty()) {
            String networks =
                    request.networks().stream().map(AddressRange::toString).collect(Collectors.joining(","));
            argv.addAll(List.of("--mca", "btl_tcp_if_include", networks));
            argv.addAll(List.of(option, words.networks, networks));
        }
        Iterator<LaunchPart> parts = request.parts().iterator();
        LaunchPart first = parts.next();
        argv.addAll(List.of("--hostfile", job.path("hostfile"), "-n", Integer.toString(first.ranks())));
        argv.addAll(placement(request));
        if (mustYield(request)) {
            argv.addAll(List.of("--mca", YIELD, "1"));
        }
        argv.addAll(request.launcherArguments());
        if (request.has(LaunchOption.LABEL_RANKS)) {
            argv.addAll(words.labels);
        }
        argv.addAll(part(request, first));
        parts.forEachRemaining(next -> {
            argv.addAll(List.of(":", "-n", Integer.toString(next.ranks())));
            argv.addAll(part(request, next));
        });
        return new LaunchCommand(argv)
                .withVariables(skipsDevices ? Map.of(SEARCH, NO_DEVICES) : Map.of())
                .withVariables(request.launcherVariables())
                .withFile("hostfile", Hostfile.of(request.nodes()).text(HostfileDialect.OPEN_MPI))
                .withProgram(agent, overSessions ? helper(job) : SshAgent.script(job));
    }

    /** The words that place and bind ranks, but those that the job gives itself: PRRTE takes each option once. */
    public static List<String> placement(LaunchRequest request) {
        String socket = runTime(request).socket;
        List<String> words = new ArrayList<>();
        if (!request.hasLauncherOption("map-by")) {
            words.addAll(List.of("--map-by", mapping(request, socket)));
        }
        if (request.ranksPerDomain().isPresent() && !request.hasLauncherOption("rank-by")) {
            words.addAll(List.of("--rank-by", "slot"));
        }
        if (!request.hasLauncherOption("bind-to")) {
            binding(request, socket).ifPresent(word -> words.addAll(List.of("--bind-to", word)));
        }
        return words;
    }

    /** The folder and the variables are of each program. */
    private static List<String> part(LaunchRequest request, LaunchPart part) {
        List<String> words = new ArrayList<>();
        if (!request.workingDirectory().isEmpty()) {
            words.addAll(List.of("--wdir", request.workingDirectory()));
        }
        words.addAll(List.of("-x", JobFolder.VARIABLE + "=" + request.folder().token()));
        Map<String, String> hidden = request.hiddenVariables();
        request.environment()
                .forEach((name, value) ->
                        words.addAll(List.of("-x", hidden.containsKey(name) ? name : name + "=" + value)));
        words.addAll(request.rankProgram(part.program()));
        return words;
    }

    private static String helper(JobFolder job) {
        return TextResource.read(OpenMpiLauncher.class.getResourceAsStream("helper.sh"), "helper.sh")
                .replace("@TOKEN@", job.token());
    }

    /** Ranks that share cores must not spin; mpirun sees only whether the slots of a node are exceeded. */
    private static boolean mustYield(LaunchRequest request) {
        return request.has(LaunchOption.SHARED_MACHINE)
                && !request.launcherArguments().contains(YIELD)
                && !request.environment().containsKey("OMPI_MCA_" + YIELD);
    }

    private static String mapping(LaunchRequest request, String socket) {
        List<Integer> slots =
                request.nodes().stream().map(LaunchNode::slots).distinct().toList();
        String cores = request.coresPerRank() > 1 ? ":pe=" + request.coresPerRank() : "";
        if (request.parts().size() > 1) {
            // It maps nothing when it counts the ranks of several programs.
            request.ranksPerDomain().ifPresent(ranks -> {
                throw InvalidValueException.of(
                        "Open MPI cannot count the ranks of several programs by " + ranks.domain(),
                        "set the ranks of each node (example: --ppn 4, or ranksPerNode(4))");
            });
            return "slot" + cores;
        }
        return request.ranksPerDomain()
                        .map(ranks -> "ppr:" + ranks.ranks() + ":"
                                + word(ranks.domain(), socket).orElseThrow())
                        .orElse(slots.size() == 1 ? "ppr:" + slots.get(0) + ":node" : "slot")
                + cores;
    }

    /** The word for {@code --bind-to}; empty for the launcher's default. */
    private static Optional<String> binding(LaunchRequest request, String socket) {
        boolean shared = request.binding() == Binding.DEFAULT && request.has(LaunchOption.SHARED_MACHINE);
        return word(shared ? Binding.NONE : request.binding(), socket);
    }

    private static Optional<String> word(Binding binding, String socket) {
        return switch (binding) {
            case DEFAULT -> Optional.empty();
            case NONE -> Optional.of("none");
            case CORE -> Optional.of("core");
            case SOCKET -> Optional.of(socket);
            case NUMA -> Optional.of("numa");
            case L3 -> Optional.of("l3cache");
        };
    }

    /**
     * The words of a run-time system.
     *
     * @param option the option that sets one of its parameters
     * @param agent the parameter that names the program to call in the place of ssh
     * @param noTreeSpawn the parameter that makes all connections start on the launch node
     * @param folder the parameter that names the folder for session files
     * @param networks the parameter that names the networks between daemons
     * @param socket the word of {@code --bind-to} for a socket
     * @param labels the options that label output with its rank
     * @param label the label before output; its group 1 is the rank
     */
    private record RunTime(
            String option,
            String agent,
            String noTreeSpawn,
            String folder,
            String networks,
            String socket,
            List<String> labels,
            Pattern label) {}
}
