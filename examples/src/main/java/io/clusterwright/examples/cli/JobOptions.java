package io.clusterwright.examples.cli;

import io.clusterwright.azure.BatchPool;
import io.clusterwright.core.Cluster;
import io.clusterwright.core.internal.text.PrintableText;
import io.clusterwright.core.spec.Binding;
import io.clusterwright.core.spec.MpiFlavour;
import io.clusterwright.core.type.Interconnect;
import io.clusterwright.core.type.InvalidValueException;
import io.clusterwright.core.type.NodeSet;
import io.clusterwright.linux.Hosts;
import io.clusterwright.mpi.JobPolicy;
import io.clusterwright.mpi.MpiJob;
import io.clusterwright.mpi.PlacedMpiJob;
import io.clusterwright.mpi.job.JobAttempts;
import io.clusterwright.mpi.job.JobResult;
import io.clusterwright.mpi.job.JobTarget;
import io.clusterwright.mpi.job.MpiInstallation;
import io.clusterwright.mpi.preset.MpiPresets;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options that describe an MPI job on a cluster or on hosts, whether it is run at once or submitted to a queue. */
final class JobOptions {
    private static final String EVERY_FLAVOUR =
            Arrays.stream(MpiFlavour.values()).map(MpiFlavour::toString).collect(Collectors.joining(", "));
    private static final Pattern DRIVE = Pattern.compile("[A-Za-z]:");
    private static final Duration LONGEST = Duration.ofDays(365);

    @Mixin
    private Ranks common = new Ranks();

    @Option(names = "--nodes", paramLabel = "EXPR", description = "Nodes, such as 'demo[1-2]'; default: all.")
    private @Nullable String nodes;

    @Option(
            names = "--mpi",
            paramLabel = "FLAVOUR",
            description =
                    "MPI that starts the job, such as mpich or open-mpi; default: the MPI of the spec, or the first"
                            + " MPI on the first node.")
    private @Nullable String flavour;

    @Option(
            names = "--no-mpi-environment",
            description = "Do not set the variables of the MPI's own scripts or modules.")
    private boolean withoutEnvironment;

    @Option(
            names = "--bind",
            paramLabel = "TO",
            description =
                    "Binding of each rank: ${COMPLETION-CANDIDATES}. The launcher decides without this option, and with default.")
    private @Nullable Binding binding;

    @Option(names = "--per-socket", paramLabel = "N", description = "Ranks on each socket, instead of --ppn.")
    private @Nullable Integer ranksPerSocket;

    @Option(names = "--per-numa", paramLabel = "N", description = "Ranks in each NUMA domain, instead of --ppn.")
    private @Nullable Integer ranksPerNuma;

    @Option(names = "--per-l3", paramLabel = "N", description = "Ranks on each level 3 cache, instead of --ppn.")
    private @Nullable Integer ranksPerL3;

    @Option(
            names = "--threads",
            paramLabel = "T",
            description = "Threads of each rank, with as many cores of its own; sets OMP_NUM_THREADS.")
    private @Nullable Integer threads;

    @Option(
            names = "--launcher-arg",
            paramLabel = "ARG",
            description =
                    "Option for mpirun or srun itself, such as --launcher-arg=--oversubscribe; may be given several"
                            + " times.")
    private List<String> launcherArguments = List.of();

    @Option(names = "--report-binding", description = "Say on which processors each rank may run.")
    private boolean reportBinding;

    @Option(
            names = "--workdir",
            paramLabel = "DIR",
            description =
                    "Folder in which the ranks start, on every node: absolute, or below the home folder of the account"
                            + " of jobs. Default: this home folder.")
    private @Nullable String workingDirectory;

    @Option(
            names = "--stage-in",
            paramLabel = "FILE[:PATH]",
            description = "Local file that is copied to every node before the job; PATH is absolute, below ~/, or below"
                    + " the folder in which the ranks start. Default: its name in this folder.")
    private List<String> stagedIn = List.of();

    /** The job; refuses what can be refused without the nodes. */
    MpiJob job(List<String> program) {
        MpiJob job = common.job(program, plain -> {
            MpiJob with = flavour == null ? plain : plain.flavour(flavour(flavour, "there is " + EVERY_FLAVOUR));
            with = withoutEnvironment ? with.withoutMpiEnvironment() : with;
            with = binding == null ? with : with.binding(binding);
            with = placed(with);
            with = with.launcherArguments(launcherArguments.toArray(String[]::new));
            with = reportBinding ? with.reportBinding() : with;
            return workingDirectory == null ? with : with.workingDirectory(workingDirectory);
        });
        for (String staged : stagedIn) {
            int end = endOfFile(staged, FileSystems.getDefault());
            Path local = Path.of(staged.substring(0, end));
            job = job.stageIn(
                    local, end < staged.length() ? staged.substring(end + 1) : String.valueOf(local.getFileName()));
        }
        return job;
    }

    private MpiJob placed(MpiJob plain) {
        long counts = Stream.of(common.ranksPerNode, ranksPerSocket, ranksPerNuma, ranksPerL3)
                .filter(Objects::nonNull)
                .count();
        if (counts > 1) {
            throw new RefusedException(
                    "--ppn, --per-socket, --per-numa and --per-l3 exclude each other: write one of them");
        }
        MpiJob job = ranksPerSocket == null ? plain : plain.ranksPerSocket(ranksPerSocket);
        job = ranksPerNuma == null ? job : job.ranksPerNuma(ranksPerNuma);
        job = ranksPerL3 == null ? job : job.ranksPerL3(ranksPerL3);
        return threads == null ? job : job.threadsPerRank(threads);
    }

    /**
     * The MPI of this name; refuses a name that is not known.
     *
     * @param remedy the end of the refusal, such as {@code write hpc-x or open-mpi}
     */
    private static MpiFlavour flavour(String name, String remedy) {
        return Arrays.stream(MpiFlavour.values())
                .filter(known -> known.toString().equals(name))
                .findFirst()
                .orElseThrow(() -> new RefusedException("--mpi " + name + ": this MPI is not known; " + remedy));
    }

    /** Where the local file ends: at the end of the text, at the first {@code :/}, or at the last colon. */
    static int endOfFile(String staged, FileSystem system) {
        int drive = endOfDrive(staged, system);
        int absolute = staged.indexOf(":/", Math.max(drive, 1));
        int colon = absolute > 0 ? absolute : staged.lastIndexOf(':');
        int end = colon < Math.max(drive, 1) || isFile(staged, system) ? staged.length() : colon;
        if (!isFile(staged.substring(0, end), system)) {
            throw new RefusedException("--stage-in " + staged + ": there is no file " + staged.substring(0, end)
                    + "; write FILE or FILE:/path/on/the/nodes");
        }
        return end;
    }

    /** Where the drive of a path of Windows ends, such as {@code C:}; 0 without a drive, and on other systems. */
    static int endOfDrive(String path, FileSystem system) {
        return system.getSeparator().equals("\\") && DRIVE.matcher(path).lookingAt() ? 2 : 0;
    }

    /** Whether this is a path of this machine, with a file. */
    static boolean isFile(String path, FileSystem system) {
        try {
            return Files.isRegularFile(system.getPath(path));
        } catch (InvalidPathException e) {
            // Windows allows no colon but behind a drive.
            return false;
        }
    }

    /**
     * A file of a node that is fetched after a job.
     *
     * @param path its path there
     * @param folder the local folder that it goes to
     */
    record StagedOut(String path, Path folder) {
        /** Reads {@code PATH[:DIR]}. */
        static StagedOut parse(String text) {
            return parse(text, FileSystems.getDefault());
        }

        static StagedOut parse(String text, FileSystem system) {
            int last = text.lastIndexOf(':');
            int before = text.lastIndexOf(':', last - 1);
            int colon = before > 0 && before == last - 2 && endOfDrive(text.substring(last - 1), system) > 0
                    ? before
                    : last;
            return colon < 0
                    ? new StagedOut(text, system.getPath("."))
                    : new StagedOut(text.substring(0, colon), system.getPath(text.substring(colon + 1)));
        }
    }

    /** The target without the nodes that were not chosen. */
    JobTarget chosen(Cluster cluster, JobTarget target) {
        return nodes == null ? target : target.only(NodeChoice.compute(cluster, nodes));
    }

    /** The time limit; a year where none was given. */
    Duration limit() {
        return common.limit(LONGEST);
    }

    /** Refuses a time limit that is none. */
    static void requireTime(int seconds) {
        if (seconds < 1) {
            throw new RefusedException("invalid --timeout \"" + seconds + "\": use 1 or more seconds");
        }
    }

    /** The options of an MPI job that every engine has: its ranks, its time, its preset and its variables. */
    static final class Ranks {
        @Option(
                names = {"-n", "-np"},
                paramLabel = "RANKS",
                description = "Number of ranks; default: every slot of the nodes.")
        private @Nullable Integer ranks;

        @Option(names = "--ppn", paramLabel = "N", description = "Ranks on each node.")
        private @Nullable Integer ranksPerNode;

        @Option(
                names = "--timeout",
                paramLabel = "SECONDS",
                description = "Time limit; default: one year, on Azure Batch 180 days.")
        private @Nullable Integer timeoutSeconds;

        @Option(
                names = "--preset",
                paramLabel = "P",
                description = "MPI preset, such as open-mpi/tcp; default: the preset of the spec.")
        private @Nullable String preset;

        @Option(
                names = "--env",
                paramLabel = "NAME=VALUE",
                description = "Environment variable of every rank; may be given several times.")
        private List<String> environment = List.of();

        /** The job of a program under these options, and under others. */
        MpiJob job(List<String> program, UnaryOperator<MpiJob> others) {
            List<List<String>> parts = split(program);
            MpiJob job = MpiJob.of(arguments(parts.get(0)));
            job = ranks == null ? job : job.ranks(ranks);
            for (List<String> part : parts.subList(1, parts.size())) {
                if (ranks == null) {
                    throw new RefusedException("a job of several programs needs the ranks of each: write -n RANKS"
                            + " before -- for " + parts.get(0).get(0));
                }
                job = job.and(ranksOf(part), arguments(part.subList(2, part.size())));
            }
            job = ranksPerNode == null ? job : job.ranksPerNode(ranksPerNode);
            job = preset == null ? job : job.preset(MpiPresets.named(preset));
            job = others.apply(job);
            for (String variable : environment) {
                String[] pair = variable.split("=", 2);
                if (pair.length < 2) {
                    throw new RefusedException("--env " + variable + " has no value: write --env " + variable
                            + "=VALUE, or --env " + variable + "= for an empty value");
                }
                job = job.environment(pair[0], pair[1]);
            }
            return job;
        }

        /** The programs between words that are a lone colon. */
        private static List<List<String>> split(List<String> words) {
            List<List<String>> parts = new ArrayList<>(List.of(new ArrayList<>()));
            for (String word : words) {
                if (word.equals(":")) {
                    parts.add(new ArrayList<>());
                } else {
                    parts.get(parts.size() - 1).add(word);
                }
            }
            if (parts.size() > 1 && parts.get(0).isEmpty()) {
                throw new RefusedException("there is no program before ':'; write -- PROGRAM : -n RANKS PROGRAM");
            }
            return parts;
        }

        private static int ranksOf(List<String> part) {
            boolean counted = part.size() > 2
                    && List.of("-n", "-np").contains(part.get(0))
                    && part.get(1).matches("[1-9][0-9]{0,8}");
            if (!counted) {
                throw new RefusedException("behind ':' stands \"" + String.join(" ", part)
                        + "\"; write : -n RANKS PROGRAM, such as : -n 4 ./solver; a lone ':' that is an argument is"
                        + " written \\:");
            }
            return Integer.parseInt(part.get(1));
        }

        /** An argument that is a lone colon is written behind a backslash, and a backslash before it behind another. */
        private static List<String> arguments(List<String> words) {
            return words.stream()
                    .map(word -> word.matches("\\\\+:") ? word.substring(1) : word)
                    .toList();
        }

        /** The time limit, or this one where none was given. */
        Duration limit(Duration longest) {
            if (timeoutSeconds == null) {
                return longest;
            }
            requireTime(timeoutSeconds);
            return Duration.ofSeconds(timeoutSeconds);
        }
    }

    /** The option to start a job again. */
    static final class Retry {
        @Option(
                names = "--retry",
                paramLabel = "N",
                description = "After the loss of a node, start again on the other nodes, at most N times; default: 0.")
        private int retries;

        /** Refuses what is no number of retries. */
        void check() {
            if (retries < 0 || retries == Integer.MAX_VALUE) {
                throw new RefusedException("invalid --retry \"" + retries + "\": use 0 or more");
            }
        }

        /** Runs a job, again as asked for, and prints the attempts that failed. */
        JobResult run(PlacedMpiJob placed, Duration limit) {
            if (retries == 0) {
                return placed.run(limit);
            }
            JobAttempts attempts = placed.run(limit, JobPolicy.attempts(retries + 1));
            ProgressPrinter notes = new ProgressPrinter();
            for (JobAttempts.JobAttempt attempt : attempts.attempts()) {
                if (!attempt.result().succeeded()) {
                    notes.line("attempt " + attempt.number() + " on " + NodeSet.fold(attempt.nodes()) + ": "
                            + PrintableText.word(attempt.result().outcome())
                            + (attempt.lost().isEmpty() ? "" : ", lost " + NodeSet.fold(attempt.lost()))
                            + (attempt.next().isEmpty() ? "" : "; " + attempt.next()));
                }
            }
            return attempts.result();
        }
    }

    /** The options that name hosts which exist already, in the place of a cluster. */
    static final class OnHosts {
        private static final String THIS_JOB = "-";

        @Option(
                names = "--hostfile",
                paramLabel = "FILE",
                description =
                        "Run on existing hosts instead of a cluster: a machine file, or - for the nodes of the current"
                                + " Slurm or PBS job.")
        private @Nullable String file;

        @Option(names = "--user", paramLabel = "USER", description = "With --hostfile: the account; default: your own.")
        private @Nullable String user;

        @Option(
                names = "--key",
                paramLabel = "FILE",
                description = "With --hostfile: the private key; default: the first key in ~/.ssh.")
        private @Nullable Path key;

        @Option(
                names = "--known-hosts",
                paramLabel = "FILE",
                description =
                        "With --hostfile: the known host keys; default: ~/.ssh/known_hosts and the file of the system.")
        private @Nullable Path knownHosts;

        @Option(names = "--port", paramLabel = "N", description = "With --hostfile: the port of sshd; default: 22.")
        private @Nullable Integer port;

        @Option(
                names = "--interconnect",
                paramLabel = "WORD",
                description = "With --hostfile: the fast network of the hosts, which decides the MPI preset: none,"
                        + " network-direct, sriov-infiniband or roce; default: none.")
        private @Nullable String interconnect;

        /** Whether hosts were named. */
        boolean given() {
            return file != null;
        }

        /** Refuses an option that only hosts have, where none were named. */
        void check() {
            if (file == null && (user != null || key != null || knownHosts != null || port != null)) {
                throw new RefusedException(
                        "--user, --key, --known-hosts and --port need --hostfile: a cluster has its login in its record");
            }
            if (file == null && interconnect != null) {
                throw new RefusedException(
                        "--interconnect needs --hostfile: a cluster has the network of its nodes in its record");
            }
            network();
        }

        /** The fast network of the hosts; refuses a word that is none. */
        private Interconnect network() {
            if (interconnect == null) {
                return Interconnect.NONE;
            }
            try {
                return Interconnect.of(interconnect);
            } catch (InvalidValueException e) {
                throw new RefusedException("--interconnect " + interconnect + ": this network is not known; write "
                        + Arrays.stream(Interconnect.values())
                                .map(Interconnect::toString)
                                .collect(Collectors.joining(", ")));
            }
        }

        /** Connects to the hosts; the caller closes them. */
        Cluster connect() {
            String name = file == null ? THIS_JOB : file;
            Hosts hosts = name.equals(THIS_JOB) ? Hosts.ofThisJob() : Hosts.machineFile(Path.of(name));
            hosts = user == null ? hosts : hosts.user(user);
            hosts = key == null ? hosts : hosts.privateKey(key);
            hosts = knownHosts == null ? hosts : hosts.knownHosts(knownHosts);
            hosts = port == null ? hosts : hosts.port(port);
            hosts = hosts.interconnect(network());
            return hosts.connect();
        }
    }

    /** The options for the MPI on the nodes of a pool of Azure Batch. */
    static final class OfPool {
        @Option(
                names = "--mpi",
                paramLabel = "FLAVOUR",
                description =
                        "MPI on the nodes: hpc-x, open-mpi, intel-mpi or mpich. Default: hpc-x, as in the HPC images of"
                                + " the marketplace.")
        private String flavour = MpiFlavour.HPC_X.toString();

        @Option(
                names = "--mpi-version",
                paramLabel = "VERSION",
                description = "Version of the MPI, such as 4.1.7, which decides the variables of a preset. Default: not"
                        + " known.")
        private String version = "";

        @Option(
                names = "--launcher",
                paramLabel = "PATH",
                description =
                        "Path of mpirun on the nodes; default: mpirun from PATH, after the MPI's own setup scripts.")
        private String launcher = "mpirun";

        /** The nodes of a pool under this MPI. */
        JobTarget target(BatchPool pool) {
            MpiFlavour known = flavour(flavour, "write hpc-x, open-mpi, intel-mpi or mpich");
            return pool.target(new MpiInstallation(known, version, launcher));
        }
    }
}
