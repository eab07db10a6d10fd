package io.clusterwright.mpi.spi;

import io.clusterwright.core.internal.text.PosixShell;
import io.clusterwright.core.spec.Binding;
import io.clusterwright.core.type.AddressRange;
import io.clusterwright.core.type.InvalidValueException;
import io.clusterwright.mpi.internal.command.Arguments;
import io.clusterwright.mpi.internal.command.InfiniBandDevices;
import io.clusterwright.mpi.internal.command.MpiSetups;
import io.clusterwright.mpi.job.MpiInstallation;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The facts from which a launcher writes its command. A launcher reads the nodes, the ranks and the variables from
 * it. Immutable; each method that names a part gives another request.
 *
 * @see Launcher
 */
public final class LaunchRequest {
    /** Without the file, as on a node without an agent, the program runs all the same. */
    private static final String RUN = "exec \"$@\"";

    private static final String REPORTING = "[ ! -r \"$0\" ] || . \"$0\"; eval \"${CLUSTERWRIGHT_RANK-}\"; " + RUN;

    private static final Set<String> SEARCH_PATHS = Set.of("PATH", "LD_LIBRARY_PATH");

    private final MpiInstallation mpi;
    private final List<LaunchNode> nodes;
    private final JobFolder folder;
    private final List<String> program;
    private int ranks;
    private Map<String, String> environment;
    private String workingDirectory = "";
    private List<AddressRange> networks = List.of();
    private Set<LaunchOption> options = Set.of();
    private List<String> launcherArguments = List.of();
    private List<String> jobArguments = List.of();
    private Binding binding = Binding.DEFAULT;
    private @Nullable RanksPerDomain ranksPerDomain;
    private int threadsPerRank;
    private List<LaunchPart> parts = List.of();

    private LaunchRequest(MpiInstallation mpi, List<LaunchNode> nodes, JobFolder folder, List<String> program) {
        this.mpi = mpi;
        this.nodes = List.copyOf(nodes);
        this.folder = folder;
        this.program = List.copyOf(program);
        this.environment = mpi.environment();
        this.ranks = slots();
    }

    private LaunchRequest with(Consumer<LaunchRequest> change) {
        LaunchRequest copy = new LaunchRequest(mpi, nodes, folder, program);
        copy.ranks = ranks;
        copy.environment = environment;
        copy.workingDirectory = workingDirectory;
        copy.networks = networks;
        copy.options = options;
        copy.launcherArguments = launcherArguments;
        copy.jobArguments = jobArguments;
        copy.binding = binding;
        copy.ranksPerDomain = ranksPerDomain;
        copy.threadsPerRank = threadsPerRank;
        copy.parts = parts;
        change.accept(copy);
        return copy;
    }

    /**
     * A request for one rank on each slot of the nodes, with every other part left to the launcher's default.
     *
     * @param mpi the installation on the launch node
     * @param nodes the nodes in rank order, at least one; their slots are the ranks each takes
     * @param folder the job's folder on the launch node
     * @param program the program and its arguments; they reach every rank unchanged
     * @throws InvalidValueException when the program's name starts with {@code -}
     */
    public static LaunchRequest of(
            MpiInstallation mpi, List<LaunchNode> nodes, JobFolder folder, List<String> program) {
        // A launcher would misread the programs and variables that a job refuses.
        Arguments.check(program);
        return new LaunchRequest(mpi, nodes, folder, program);
    }

    /**
     * Sets the size of the world. Default: one rank on each slot.
     *
     * @throws InvalidValueException when it is not 1 to the sum of the slots
     */
    public LaunchRequest ranks(int number) {
        if (number < 1 || number > slots()) {
            throw new InvalidValueException(
                    "number of ranks",
                    number,
                    "1 to the " + slots() + " slots of " + nodes.size() + " nodes",
                    Integer.toString(Math.max(1, slots())));
        }
        return with(request -> request.ranks = number);
    }

    private int slots() {
        return nodes.stream().mapToInt(LaunchNode::slots).sum();
    }

    /**
     * Sets variables for every rank, beside the variables of the installation. Default: none. Where both set {@code PATH} or
     * {@code LD_LIBRARY_PATH}, the folders of the installation follow those given here.
     *
     * @throws InvalidValueException when a name is none
     */
    public LaunchRequest environment(Map<String, String> variables) {
        Arguments.check(variables);
        Map<String, String> all = new LinkedHashMap<>(mpi.environment());
        variables.forEach((name, value) -> all.merge(
                name,
                value,
                (installed, own) ->
                        SEARCH_PATHS.contains(name) && !own.contains(installed) ? own + ":" + installed : own));
        return with(request -> request.environment = Collections.unmodifiableMap(all));
    }

    /** Sets the folder in which ranks start. Default: the launcher's folder. */
    public LaunchRequest workingDirectory(String path) {
        return with(request -> request.workingDirectory = path);
    }

    /** Limits MPI traffic to these networks. Default: all networks. */
    public LaunchRequest networks(List<AddressRange> ranges) {
        return with(request -> request.networks = List.copyOf(ranges));
    }

    /** Sets the options of the launch. Default: none. */
    public LaunchRequest options(Set<LaunchOption> set) {
        return with(request -> request.options = Set.copyOf(set));
    }

    /** Adds an option of the launch. */
    public LaunchRequest option(LaunchOption one) {
        Set<LaunchOption> all = new HashSet<>(options);
        all.add(one);
        return options(all);
    }

    /** Sets further options for the launcher itself. Default: none. */
    public LaunchRequest launcherArguments(List<String> words) {
        return with(request -> request.launcherArguments = List.copyOf(words));
    }

    /** Sets the options for the launcher itself that the user of the job gives. Default: none. */
    public LaunchRequest jobArguments(List<String> words) {
        return with(request -> request.jobArguments = List.copyOf(words));
    }

    /** Binds each rank to this resource; by default {@link Binding#DEFAULT}. */
    public LaunchRequest binding(Binding kind) {
        return with(request -> request.binding = kind);
    }

    /** Sets the ranks in each socket, NUMA domain or level 3 cache. Default: ranks are counted by node. */
    public LaunchRequest ranksPerDomain(RanksPerDomain ranks) {
        return with(request -> request.ranksPerDomain = ranks);
    }

    /** Sets the number of threads of each rank; by default 0, which leaves it to the program. */
    public LaunchRequest threadsPerRank(int number) {
        return with(request -> request.threadsPerRank = number);
    }

    /**
     * Sets the programs of a job of several programs, in the order of their ranks; {@link #program()} stays the first. Default: one program.
     *
     * @throws InvalidValueException when they have other ranks than the world
     */
    public LaunchRequest parts(List<LaunchPart> programs) {
        int sum = programs.stream().mapToInt(LaunchPart::ranks).sum();
        if (sum != ranks) {
            throw new InvalidValueException("ranks of all programs", sum, "the " + ranks + " ranks of the job", ranks);
        }
        return with(request -> request.parts = List.copyOf(programs));
    }

    /** The installation on the launch node. */
    public MpiInstallation mpi() {
        return mpi;
    }

    /** The nodes in rank order; their slots are the ranks each takes. */
    public List<LaunchNode> nodes() {
        return nodes;
    }

    /** The nodes that get ranks when they are filled one after the other. */
    public List<LaunchNode> usedNodes() {
        List<LaunchNode> used = new ArrayList<>();
        int room = 0;
        for (LaunchNode node : nodes) {
            if (room < ranks) {
                used.add(node);
                room += node.slots();
            }
        }
        return used;
    }

    /** The job's folder on the launch node. */
    public JobFolder folder() {
        return folder;
    }

    /** The program and its arguments. */
    public List<String> program() {
        return program;
    }

    /** The programs of the job with their ranks, in the order of the ranks; a launcher that {@linkplain Launcher#startsParts starts parts} starts all. */
    public List<LaunchPart> parts() {
        return parts.isEmpty() ? List.of(new LaunchPart(ranks, program)) : parts;
    }

    /**
     * The words that start a rank: {@link #program()}, with {@link LaunchOption#REPORT_ENDS} behind a shell that tells the agent of its
     * node how the rank ended, and with {@link LaunchOption#INFINIBAND} behind one that names the devices to UCX. A launcher that uses
     * {@link #program()} in their place runs the job all the same.
     */
    public List<String> rankProgram() {
        return rankProgram(program);
    }

    /**
     * The same for the program of one of the {@link #parts()}. Launchers take a lone {@code :} for the start of another program, so
     * a shell gets it in its own text.
     */
    public List<String> rankProgram(List<String> program) {
        boolean reports = has(LaunchOption.REPORT_ENDS);
        boolean colon = program.contains(":");
        String asked = has(LaunchOption.REPORT_BINDING) ? "clusterwright_place=1; " : "";
        if (!reports && !colon && !has(LaunchOption.INFINIBAND)) {
            return program;
        }
        String shell =
                (has(LaunchOption.INFINIBAND) ? InfiniBandDevices.CHOICE : "") + (reports ? asked + REPORTING : RUN);
        List<String> words = new ArrayList<>(List.of("/bin/sh", "-c", shell, folder.path("rank")));
        if (colon) {
            words.set(2, "set -- " + PosixShell.quote(program) + "; " + shell);
        } else {
            words.addAll(program);
        }
        return words;
    }

    /** The size of the world, 1 to the sum of the slots. */
    public int ranks() {
        return ranks;
    }

    /** The variables of every rank, with the variables of the installation. */
    public Map<String, String> environment() {
        return environment;
    }

    /**
     * The variables that may hold a secret: a launcher gives them to its ranks by name, and gets their values in its
     * own environment, not on a
     * command line that every user of a node can read. All of {@link #environment()} but variables that would change the launcher itself:
     * {@code PATH} and the settings of the dynamic loader ({@code LD_…}) that are not the installation's.
     */
    public Map<String, String> hiddenVariables() {
        Map<String, String> hidden = new LinkedHashMap<>(environment);
        hidden.entrySet()
                .removeIf(variable ->
                        (variable.getKey().equals("PATH") || variable.getKey().startsWith("LD_"))
                                && !variable.getValue().equals(mpi.environment().get(variable.getKey())));
        return Collections.unmodifiableMap(hidden);
    }

    /** The variables that the launcher is started with: the variables of the installation, and {@link #hiddenVariables()} over them. */
    public Map<String, String> launcherVariables() {
        Map<String, String> all = new LinkedHashMap<>(mpi.environment());
        all.putAll(hiddenVariables());
        return Collections.unmodifiableMap(all);
    }

    /**
     * Lines for bash that set the variables of the installation on a node, by its own scripts or modules; empty unless
     * {@link LaunchOption#SET_UP} is set.
     */
    public String setUp() {
        return has(LaunchOption.SET_UP) ? MpiSetups.forJob(mpi) : "";
    }

    /** The folder ranks start in; empty for the launcher's own default. */
    public String workingDirectory() {
        return workingDirectory;
    }

    /** The networks MPI traffic may take; empty for all. */
    public List<AddressRange> networks() {
        return networks;
    }

    /** Whether an option is set. */
    public boolean has(LaunchOption option) {
        return options.contains(option);
    }

    /** Further options for the launcher itself: the options of a preset, and {@link #jobArguments()} behind them. */
    public List<String> launcherArguments() {
        return Stream.concat(launcherArguments.stream(), jobArguments.stream()).toList();
    }

    /** The options for the launcher that the user of the job gives; the last of {@link #launcherArguments()}. */
    public List<String> jobArguments() {
        return jobArguments;
    }

    /**
     * Whether {@link #launcherArguments()} have an option, behind one dash or two. A launcher leaves out its own word then:
     * PRRTE and Hydra refuse an option that is given twice.
     *
     * @param name the option without its dashes, such as {@code map-by}
     */
    public boolean hasLauncherOption(String name) {
        return launcherArguments().stream()
                .map(word -> word.split("=", 2)[0])
                .anyMatch(word -> word.equals("-" + name) || word.equals("--" + name));
    }

    /** The resource that ranks are bound to. */
    public Binding binding() {
        return binding;
    }

    /** The ranks in each socket, NUMA domain or level 3 cache, where the job counts them so. */
    public Optional<RanksPerDomain> ranksPerDomain() {
        return Optional.ofNullable(ranksPerDomain);
    }

    /** The number of threads of each rank; 0 where the job does not say. */
    public int threadsPerRank() {
        return threadsPerRank;
    }

    /** The number of cores that each rank has of its own: one for each thread with {@link Binding#CORE}, else 0. */
    public int coresPerRank() {
        return binding == Binding.CORE ? Math.max(1, threadsPerRank) : 0;
    }

    /**
     * A program of a job of several programs.
     *
     * @param ranks the number of its ranks, at least 1
     * @param program the program and its arguments
     */
    public record LaunchPart(int ranks, List<String> program) {

        /**
         * Checks the parts.
         *
         * @throws InvalidValueException when there is no rank, or a launcher would misread the program
         */
        public LaunchPart {
            if (ranks < 1) {
                throw new InvalidValueException("number of ranks", ranks, "1 or more", "4");
            }
            program = List.copyOf(program);
            Arguments.check(program);
        }
    }

    /** The circumstances of a launch. */
    public enum LaunchOption {
        /** Label each piece of output with its rank. */
        LABEL_RANKS,
        /** The launcher runs as root, which some refuse without an option. */
        AS_ROOT,
        /** The nodes are parts of one machine: do not bind ranks to cores, and let ranks that wait yield theirs. */
        SHARED_MACHINE,
        /** Each rank reports how it ended, by means of {@link LaunchRequest#rankProgram()}. */
        REPORT_ENDS,
        /** Each rank reports where it may run, together with its end; a scheduler reports it in its own words. */
        REPORT_BINDING,
        /** The ranks use InfiniBand by UCX, and the job does not name the devices: each node's are chosen on that node. */
        INFINIBAND,
        /** The variables of the installation are not known here, and are to be set on the nodes. */
        SET_UP,
        /** Print the commands of the helpers, for the library to start them over its sessions; {@link Launcher#launchesOverSessions}. */
        OVER_SESSIONS,
        /**
         * Rank 0 reads the file {@code stdin} of the job's folder, and no other rank does: from the standard input
         * the launcher is started with,
         * or as the command says when it names that file.
         */
        STDIN
    }
}
