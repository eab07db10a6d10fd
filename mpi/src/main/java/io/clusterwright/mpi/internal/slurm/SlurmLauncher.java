package io.clusterwright.mpi.internal.slurm;

import io.clusterwright.core.internal.text.PosixShell;
import io.clusterwright.core.internal.text.TextResource;
import io.clusterwright.core.plan.Finding;
import io.clusterwright.core.spec.Binding;
import io.clusterwright.core.spec.MpiFlavour;
import io.clusterwright.core.type.InvalidValueException;
import io.clusterwright.mpi.job.LaunchFailure;
import io.clusterwright.mpi.job.MpiInstallation;
import io.clusterwright.mpi.spi.JobFolder;
import io.clusterwright.mpi.spi.LaunchCommand;
import io.clusterwright.mpi.spi.LaunchNode;
import io.clusterwright.mpi.spi.LaunchRequest;
import io.clusterwright.mpi.spi.LaunchRequest.LaunchOption;
import io.clusterwright.mpi.spi.LaunchRequest.LaunchPart;
import io.clusterwright.mpi.spi.Launcher;
import io.clusterwright.mpi.spi.RanksPerDomain;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** {@code srun}, which starts the ranks of any MPI that speaks one of Slurm's process management interfaces. */
record SlurmLauncher(SlurmNodes target) implements Launcher {
    private static final String FILE = "slurm-run";
    private static final String PARTS = "parts";
    private static final String PART = "CLUSTERWRIGHT_PART_";
    private static final Pattern LABEL = Pattern.compile("^ *(\\d+): ");
    private static final Pattern LAUNCH =
            Pattern.compile("srun: error: Task launch for StepId=\\S+ failed on node (\\S+): (.+)");
    private static final Pattern NODE_FAILURE = Pattern.compile("srun: error: Node failure on (\\S+)");
    private static final Pattern WAITS =
            Pattern.compile("srun: (Required node not available \\(down, drained or reserved\\))");
    private static final String INTEL_LIBRARY = "I_MPI_PMI_LIBRARY";

    @Override
    public boolean supports(MpiInstallation mpi) {
        return mpi.flavour() != MpiFlavour.MS_MPI;
    }

    @Override
    public boolean startsParts() {
        return true;
    }

    /** The job's variables are srun's own, which hands on all of them: {@code --export} would split values at commas. */
    @Override
    public LaunchCommand command(LaunchRequest request) {
        JobFolder folder = request.folder();
        Map<String, String> environment = new LinkedHashMap<>(request.environment());
        environment.put(JobFolder.VARIABLE, folder.token());
        List<String> argv = new ArrayList<>();
        argv.add(folder.path(FILE));
        argv.add("--job-name=" + folder.token());
        argv.addAll(target.words());
        argv.addAll(placement(request));
        argv.addAll(step(request, environment));
        argv.add("--export=ALL");
        if (request.has(LaunchOption.LABEL_RANKS)) {
            argv.add("--label");
        }
        argv.addAll(programs(request, folder.path(PARTS), environment));
        List<String> release =
                List.of("/bin/sh", "-c", "read -r token\n" + resource("slurm-release.sh") + "release 12");
        Map<String, String> files = request.parts().size() > 1 ? Map.of(PARTS, multiProg(request)) : Map.of();
        return new LaunchCommand(argv, environment, files, Map.of(FILE, script(request)), release);
    }

    /** The program, or the option for a file of programs whose words stand in variables: Slurm has no quotes for all characters. */
    static List<String> programs(LaunchRequest request, String file, Map<String, String> environment) {
        List<LaunchPart> parts = request.parts();
        if (parts.size() == 1) {
            return request.rankProgram();
        }
        for (int i = 0; i < parts.size(); i++) {
            environment.put(
                    PART + i,
                    "exec " + PosixShell.quote(request.rankProgram(parts.get(i).program())));
        }
        return List.of("--multi-prog", file);
    }

    /** The ranks of each program, and the shell that runs it. */
    static String multiProg(LaunchRequest request) {
        StringBuilder lines = new StringBuilder();
        int first = 0;
        for (int i = 0; i < request.parts().size(); i++) {
            int next = first + request.parts().get(i).ranks();
            lines.append(first).append('-').append(next - 1);
            lines.append(" /bin/sh -c 'eval \"$" + PART).append(i).append("\"'\n");
            first = next;
        }
        return lines.toString();
    }

    /** The options that only srun knows. Adds the variables that a preset sets by arguments of mpirun. */
    List<String> step(LaunchRequest request, Map<String, String> environment) {
        requirePmiLibrary(request);
        List<String> words = new ArrayList<>();
        String plugin = target.plugin(request.mpi());
        words.add("--mpi=" + plugin);
        words.add("--kill-on-bad-exit=1");
        words.addAll(binding(request));
        if (request.has(LaunchOption.STDIN)) {
            words.add("--input=0");
        }
        if (!request.workingDirectory().isEmpty()) {
            words.add("--chdir=" + request.workingDirectory());
        }
        words.addAll(request.jobArguments());
        presetVariables(request).forEach(environment::putIfAbsent);
        if (request.has(LaunchOption.SHARED_MACHINE) && request.mpi().isOpenMpi()) {
            // Ranks that share cores must not spin; mpirun sees that itself, srun's ranks do not.
            environment.putIfAbsent("OMPI_MCA_mpi_yield_when_idle", "1");
        }
        if (plugin.startsWith("pmix") && !isOpenMpi5(request.mpi())) {
            // A rank of Open MPI may send while its peer is still in MPI_Init, which crashes the peer: in 4 with
            // Slurm's default, mixed, in 5 with a tree.
            environment.putIfAbsent("SLURM_PMIX_FENCE", "tree");
        }
        return words;
    }

    private static boolean isOpenMpi5(MpiInstallation mpi) {
        return mpi.isOpenMpi() && mpi.version().matches("([5-9]|\\d\\d).*");
    }

    private static List<String> binding(LaunchRequest request) {
        return switch (request.binding()) {
            case NONE -> List.of("--cpu-bind=none");
            case CORE -> List.of("--cpu-bind=cores");
            case SOCKET -> List.of("--cpu-bind=sockets");
            case NUMA -> List.of("--cpu-bind=ldoms");
            case L3 -> throw Binding.L3.unsupported("srun", Binding.CORE, Binding.SOCKET, Binding.NUMA);
            case DEFAULT -> request.has(LaunchOption.SHARED_MACHINE) ? List.of("--cpu-bind=none") : List.of();
        };
    }

    static List<String> placement(LaunchRequest request) {
        List<LaunchNode> used = request.usedNodes();
        List<Integer> slots = used.stream().map(LaunchNode::slots).distinct().toList();
        List<String> words = new ArrayList<>(List.of(
                "--nodelist=" + names(used),
                "--nodes=" + used.size(),
                "--ntasks=" + request.ranks(),
                "--distribution=block" + inNode(request)));
        if (slots.size() == 1 && slots.get(0) * used.size() == request.ranks()) {
            words.add("--ntasks-per-node=" + slots.get(0));
        }
        request.ranksPerDomain()
                .filter(ranks -> ranks.domain() == Binding.SOCKET)
                .ifPresent(ranks -> words.add("--ntasks-per-socket=" + ranks.ranks()));
        words.addAll(cores(request));
        return words;
    }

    /** Of sbatch, and of srun in its script, which does not inherit it. */
    static List<String> cores(LaunchRequest request) {
        int cores = coresPerRank(request);
        return cores == 0 ? List.of() : List.of("--cpus-per-task=" + cores);
    }

    /** The cores that each rank gets; 0 where no number was chosen. A rank can be bound to cores that its job has, and no others. */
    static int coresPerRank(LaunchRequest request) {
        return inDomains(request)
                .map(ranks -> ranks.domain() != Binding.SOCKET
                        ? ranks.evenShare("srun")
                        : request.binding() == Binding.SOCKET
                                ? ranks.cores() / ranks.ranks()
                                : request.threadsPerRank())
                .orElse(request.threadsPerRank());
    }

    /** The order of ranks in a node: sockets in turn; NUMA domains and caches, of which Slurm has no count, are filled in order. */
    private static String inNode(LaunchRequest request) {
        return inDomains(request)
                .map(ranks -> ranks.domain() == Binding.SOCKET ? ":cyclic" : ":block")
                .orElse("");
    }

    private static Optional<RanksPerDomain> inDomains(LaunchRequest request) {
        return request.binding() == Binding.NONE || request.binding() == Binding.DEFAULT
                ? Optional.empty()
                : request.ranksPerDomain();
    }

    private static void requirePmiLibrary(LaunchRequest request) {
        if (request.mpi().flavour() == MpiFlavour.INTEL_MPI
                && !request.environment().containsKey(INTEL_LIBRARY)) {
            throw InvalidValueException.of(
                    request.mpi() + " under srun needs " + INTEL_LIBRARY
                            + ": the path of Slurm's PMI library on the nodes",
                    "set it (example: environment(\"" + INTEL_LIBRARY + "\", \"/usr/lib64/libpmi2.so\"))");
        }
    }

    /** Open MPI takes a parameter by argument of mpirun or by variable; srun only passes variables. */
    private static Map<String, String> presetVariables(LaunchRequest request) {
        Map<String, String> variables = new LinkedHashMap<>();
        List<String> all = request.launcherArguments();
        List<String> words = all.subList(0, all.size() - request.jobArguments().size());
        for (int i = 0; request.mpi().isOpenMpi() && i + 2 < words.size(); i++) {
            if (words.get(i).matches("--?mca")) {
                variables.put("OMPI_MCA_" + words.get(i + 1), words.get(i + 2));
            }
        }
        return variables;
    }

    private String script(LaunchRequest request) {
        return resource("slurm-run.sh")
                .replace("@RELEASE@", resource("slurm-release.sh"))
                .replace("@TOKEN@", request.folder().token())
                .replace("@NODES@", names(request.usedNodes()))
                .replace("@REFUSAL@", SlurmRefusal.check(request, target));
    }

    private static String resource(String name) {
        return TextResource.read(SlurmLauncher.class.getResourceAsStream(name), name);
    }

    static String names(List<LaunchNode> nodes) {
        return nodes.stream().map(node -> node.name().value()).collect(Collectors.joining(","));
    }

    /** Slurm labels whole lines at their start only, so that no program can print what is taken for a label. */
    @Override
    public Optional<Pattern> rankLabel(LaunchRequest request) {
        return Optional.of(LABEL);
    }

    @Override
    public Optional<LaunchFailure> failure(String line) {
        Matcher launch = LAUNCH.matcher(line);
        if (launch.matches()) {
            return Optional.of(LaunchFailure.byScheduler(launch.group(1), "srun says: " + launch.group(2)));
        }
        Matcher node = NODE_FAILURE.matcher(line);
        if (node.matches()) {
            return Optional.of(LaunchFailure.byScheduler(node.group(1), "srun says that the node failed"));
        }
        Matcher waits = WAITS.matcher(line);
        return waits.matches()
                ? Optional.of(LaunchFailure.byScheduler("a node of the job", "srun says: " + waits.group(1)))
                : Optional.empty();
    }

    @Override
    public boolean reportsAsSrun() {
        return true;
    }

    @Override
    public Optional<Finding> refusal(String line) {
        return SlurmRefusal.finding(line);
    }
}
