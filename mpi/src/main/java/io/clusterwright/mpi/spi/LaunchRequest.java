package io.clusterwright.mpi.spi;

import io.clusterwright.core.type.AddressRange;
import io.clusterwright.core.type.InvalidValueException;
import io.clusterwright.mpi.Binding;
import io.clusterwright.mpi.MpiInstallation;
import io.clusterwright.mpi.MpiJob;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The facts from which a launcher writes its command. Immutable. */
public final class LaunchRequest {
    private final MpiInstallation mpi;
    private final List<LaunchNode> nodes;
    private final JobFolder folder;
    private final List<String> program;
    private final int ranks;
    private final Map<String, String> environment;
    private final String workingDirectory;
    private final List<AddressRange> networks;
    private final Set<LaunchOption> options;
    private final List<String> launcherArguments;
    private final Binding binding;

    private LaunchRequest(Builder builder) {
        this.mpi = builder.mpi;
        this.nodes = List.copyOf(builder.nodes);
        this.folder = builder.folder;
        this.program = List.copyOf(builder.program);
        this.environment = Collections.unmodifiableMap(new LinkedHashMap<>(builder.environment));
        this.workingDirectory = builder.workingDirectory;
        this.networks = List.copyOf(builder.networks);
        this.options = Set.copyOf(builder.options);
        this.launcherArguments = List.copyOf(builder.launcherArguments);
        this.binding = builder.binding;
        int slots = nodes.stream().mapToInt(LaunchNode::slots).sum();
        this.ranks = builder.ranks == null ? slots : builder.ranks;
        if (ranks < 1 || ranks > slots) {
            throw new InvalidValueException(
                    "number of ranks",
                    Integer.toString(ranks),
                    "1 to the " + slots + " slots of " + nodes.size() + " nodes",
                    Integer.toString(Math.max(1, slots)));
        }
        // A launcher would misread the programs and variables that a job refuses.
        MpiJob job = MpiJob.of(program);
        environment.forEach(job::environment);
    }

    /**
     * Starts with one rank on each slot of the nodes, and every other part left to the launcher's default.
     *
     * @param mpi the installation on the launch node
     * @param nodes the nodes in rank order; their slots are the ranks each takes
     * @param folder the job's folder on the launch node
     * @param program the program and its arguments; they reach every rank unchanged
     */
    public static Builder builder(MpiInstallation mpi, List<LaunchNode> nodes, JobFolder folder, List<String> program) {
        return new Builder(mpi, nodes, folder, program);
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

    /** The size of the world, 1 to the sum of the slots. */
    public int ranks() {
        return ranks;
    }

    /** The variables of every rank. */
    public Map<String, String> environment() {
        return environment;
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

    /** Further options for the launcher itself, as a preset gives them. */
    public List<String> launcherArguments() {
        return launcherArguments;
    }

    /** The resource that ranks are bound to. */
    public Binding binding() {
        return binding;
    }

    /** Builds a request. */
    public static final class Builder {
        private final MpiInstallation mpi;
        private final List<LaunchNode> nodes;
        private final JobFolder folder;
        private final List<String> program;
        private @Nullable Integer ranks;
        private Map<String, String> environment = Map.of();
        private String workingDirectory = "";
        private List<AddressRange> networks = List.of();
        private Set<LaunchOption> options = Set.of();
        private List<String> launcherArguments = List.of();
        private Binding binding = Binding.DEFAULT;

        private Builder(MpiInstallation mpi, List<LaunchNode> nodes, JobFolder folder, List<String> program) {
            this.mpi = mpi;
            this.nodes = nodes;
            this.folder = folder;
            this.program = program;
        }

        /** The size of the world, 1 to the sum of the slots; by default that sum. */
        public Builder ranks(int number) {
            this.ranks = number;
            return this;
        }

        /** The variables of every rank; by default none. */
        public Builder environment(Map<String, String> variables) {
            this.environment = variables;
            return this;
        }

        /** The folder ranks start in; by default the launcher's own default. */
        public Builder workingDirectory(String path) {
            this.workingDirectory = path;
            return this;
        }

        /** The networks MPI traffic may take; by default all. */
        public Builder networks(List<AddressRange> ranges) {
            this.networks = ranges;
            return this;
        }

        /** The circumstances of the launch; by default none. */
        public Builder options(Set<LaunchOption> set) {
            this.options = set;
            return this;
        }

        /** Further options for the launcher itself; by default none. */
        public Builder launcherArguments(List<String> words) {
            this.launcherArguments = words;
            return this;
        }

        /** The resource that ranks are bound to; by default {@link Binding#DEFAULT}. */
        public Builder binding(Binding kind) {
            this.binding = kind;
            return this;
        }

        /**
         * Builds the request.
         *
         * @throws InvalidValueException when the ranks do not fit the slots, the program's name starts with {@code -}, an
         *     argument is a lone {@code :} (launchers read it as the start of another program), or a variable's name is not
         *     one
         */
        public LaunchRequest build() {
            return new LaunchRequest(this);
        }
    }

    /** The circumstances of a launch. */
    public enum LaunchOption {
        /** Label each piece of output with its rank. */
        LABEL_RANKS,
        /** The launcher runs as root, which some refuse without an option. */
        AS_ROOT,
        /** The nodes are parts of one machine: do not bind ranks to cores. */
        SHARED_MACHINE,
        /** Print the commands of the helpers, for the library to start them over its sessions; {@link Launcher#launchesOverSessions}. */
        OVER_SESSIONS,
        /**
         * Rank 0 reads the file {@code stdin} of the job's folder, and no other rank does: from the standard input the launcher is started with,
         * or as the command says when it names that file.
         */
        STDIN
    }
}
