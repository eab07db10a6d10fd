package io.clusterwright.mpi;

import io.clusterwright.core.Cluster;
import io.clusterwright.core.internal.text.PosixShell;
import io.clusterwright.core.spec.Binding;
import io.clusterwright.core.spec.MpiFlavour;
import io.clusterwright.core.type.InvalidValueException;
import io.clusterwright.mpi.internal.command.Arguments;
import io.clusterwright.mpi.internal.engine.JobDescription;
import io.clusterwright.mpi.internal.engine.JobDescription.LaunchPath;
import io.clusterwright.mpi.job.JobTarget;
import io.clusterwright.mpi.job.MpiInstallation;
import io.clusterwright.mpi.job.StagingFailedException;
import io.clusterwright.mpi.preset.MpiPreset;
import io.clusterwright.mpi.spi.RanksPerDomain;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A program to run under MPI: its arguments, its number of ranks, its variables and files. Use it to describe a job
 * once and run it on clusters, hosts and queues. Immutable; each method that names a part gives another job.
 *
 * <pre>{@code
 * JobResult result = MpiJob.of("/opt/app/solver", "case.xml")
 *     .ranksPerNode(2)
 *     .on(cluster)
 *     .onOutput(line -> System.out.println(line.text()))
 *     .run(Duration.ofHours(2));
 * }</pre>
 *
 * <p>A value that cannot be accepted is refused with {@link InvalidValueException}.
 */
public final class MpiJob {
    private final JobDescription description;

    private MpiJob(JobDescription description) {
        this.description = description;
    }

    /**
     * A job of a program and its arguments, which reach every rank unchanged.
     *
     * @throws InvalidValueException when an argument holds a NUL character, or the program's name is empty or starts
     *     with {@code -}
     */
    public static MpiJob of(String program, String... arguments) {
        List<String> all = new ArrayList<>();
        all.add(program);
        all.addAll(List.of(arguments));
        return of(all);
    }

    /**
     * A job of a complete argument list.
     *
     * @throws InvalidValueException as {@link #of(String, String...)} does
     */
    public static MpiJob of(List<String> program) {
        return new MpiJob(new JobDescription(program));
    }

    /** Sets the number of ranks, at least 1; by default one on each slot of the nodes. Of several programs: the ranks of the first. */
    public MpiJob ranks(int number) {
        positive(number, "number of ranks");
        return with(job -> job.ranks = number);
    }

    /**
     * Adds another program to the job, which then has one world of all ranks: {@link #ranks(int)} of the first program come first, and
     * the ranks of this program follow the ranks of the programs before it. Open MPI, MPICH, Intel MPI and {@code srun} start it;
     * others refuse it.
     *
     * <pre>{@code
     * MpiJob.of("ocean").ranks(2).and(4, "atmosphere", "case.xml").on(cluster).run();
     * }</pre>
     *
     * @throws InvalidValueException when the number is below 1, or as {@link #of(String, String...)} does
     */
    public MpiJob and(int ranks, String program, String... arguments) {
        List<String> all = new ArrayList<>(List.of(program));
        all.addAll(List.of(arguments));
        return and(ranks, all);
    }

    /**
     * As {@link #and(int, String, String...)}, with a complete argument list.
     *
     * @throws InvalidValueException as it does
     */
    public MpiJob and(int ranks, List<String> program) {
        return new MpiJob(description.withProgram(ranks, program));
    }

    /** Sets the number of ranks on each node, at least 1. Default: as the spec of the cluster says, or one on each slot of the node. */
    public MpiJob ranksPerNode(int number) {
        positive(number, "number of ranks per node");
        return with(job -> {
            job.ranksPerNode = number;
            job.ranksPerDomain = null;
        });
    }

    /** Sets the number of ranks on each socket of each node, at least 1, in the place of {@link #ranksPerNode(int)}. */
    public MpiJob ranksPerSocket(int number) {
        return ranksPer(Binding.SOCKET, number);
    }

    /** Sets the number of ranks in each NUMA domain of each node, at least 1, in the place of {@link #ranksPerNode(int)}. */
    public MpiJob ranksPerNuma(int number) {
        return ranksPer(Binding.NUMA, number);
    }

    /** Sets the number of ranks on each level 3 cache of each node, at least 1, in the place of {@link #ranksPerNode(int)}. */
    public MpiJob ranksPerL3(int number) {
        return ranksPer(Binding.L3, number);
    }

    private MpiJob ranksPer(Binding domain, int number) {
        RanksPerDomain ranks = RanksPerDomain.of(domain, number);
        return with(job -> {
            job.ranksPerNode = null;
            job.ranksPerDomain = ranks;
        });
    }

    /**
     * Sets the number of threads of each rank, at least 1. With {@link Binding#DEFAULT} or {@link Binding#CORE} a rank gets as many cores of
     * its own; on nodes that share one machine, and in HPC Pack and Azure Batch, only with {@code CORE}. Sets {@code OMP_NUM_THREADS}, and
     * for own cores {@code OMP_PLACES} and {@code OMP_PROC_BIND}, unless the job sets them. Default: as the spec
     * of the cluster says, or the program decides.
     */
    public MpiJob threadsPerRank(int number) {
        positive(number, "number of threads per rank");
        return with(job -> job.threadsPerRank = number);
    }

    private static void positive(int number, String what) {
        if (number < 1) {
            throw new InvalidValueException(what, number, "1 or more", "4");
        }
    }

    private MpiJob with(Consumer<JobDescription> change) {
        return new MpiJob(description.with(change));
    }

    /**
     * Binds each rank to this resource. Default: as the spec of the cluster says, or {@link Binding#DEFAULT}.
     *
     * <p>A launcher that cannot express it refuses at the start; the options of each are in {@code docs/mpi-launch.md}.
     */
    public MpiJob binding(Binding kind) {
        Objects.requireNonNull(kind, "kind");
        return with(job -> job.binding = kind);
    }

    /**
     * Adds options for the launcher itself, such as {@code mpirun} or {@code srun}, behind the options of this library. HPC Pack
     * refuses them.
     *
     * @throws InvalidValueException when an option is empty, a lone {@code :} or holds a NUL character
     */
    public MpiJob launcherArguments(String... options) {
        Arguments.checkOptions(List.of(options));
        return with(job -> job.launcherArguments = Stream.concat(job.launcherArguments.stream(), Stream.of(options))
                .toList());
    }

    /**
     * Lets each rank report the processors on which it may run, as its kernel says: {@link
     * io.clusterwright.mpi.job.JobResult#bindings()}. A queued job of Slurm has them in its output, in Slurm's words.
     */
    public MpiJob reportBinding() {
        return with(job -> job.reportBinding = true);
    }

    /** Adds an environment variable for every rank. */
    public MpiJob environment(String name, String value) {
        return new MpiJob(description.withVariable(name, value));
    }

    /**
     * Sets the folder in which ranks start; it must exist on every node. {@code ~} and a relative path start at the home folder of the
     * account of jobs. Default: this home folder.
     */
    public MpiJob workingDirectory(String folder) {
        return with(job -> job.workingDirectory = PosixShell.fromHome(folder));
    }

    /** Sets the standard input of rank 0. Default: empty. */
    public MpiJob stdin(byte[] content) {
        byte[] copy = content.clone();
        return with(job -> job.input = (session, path) -> session.write(copy, path, 0600));
    }

    /** Sets a local file as the standard input of rank 0. It is copied when the job starts. */
    public MpiJob stdin(Path file) {
        return with(job -> job.input = (session, path) -> session.upload(file, path, 0600));
    }

    /**
     * Adds a local file that is copied to every node before the job starts, over the sessions of the target, at
     * most 8 copies at a time, or as its scheduler brings files to nodes. A copy appears under its name when it is whole, with the
     * permissions of the original. When a node does not get it, the start of the job throws {@link
     * StagingFailedException}, or its scheduler
     * ends it, and nothing is launched.
     *
     * @param local a regular file of this machine
     * @param remotePath the path of the copy, in a folder that exists on every node: absolute, below {@code ~/}, or relative to the folder
     *     in which the ranks start
     */
    public MpiJob stageIn(Path local, String remotePath) {
        return with(job -> job.files = job.files.withIn(local, remotePath));
    }

    /**
     * Adds a file that is copied from the first node after the job, also when the job failed, and not when it was
     * cancelled or never started. It keeps its name and replaces a file of that name when it is whole. A file that
     * cannot be fetched is a finding of the result, {@code CW-MPI-051}.
     *
     * @param remotePath its path on the node: absolute, below {@code ~/}, or relative to the folder in which the ranks start
     * @param localFolder the folder it goes to; made when it does not exist
     */
    public MpiJob stageOut(String remotePath, Path localFolder) {
        return with(job -> job.files = job.files.withOut(remotePath, localFolder, false));
    }

    /**
     * As {@link #stageOut(String, Path)}, from every node: each node's file goes into a folder of the node's name below the
     * local one.
     */
    public MpiJob stageOutFromAll(String remotePath, Path localFolder) {
        return with(job -> job.files = job.files.withOut(remotePath, localFolder, true));
    }

    /** Sets the time limit for copying files before the job, and again after it. Default: 1 h. */
    public MpiJob stagingLimit(Duration limit) {
        return with(job -> job.files = job.files.withLimit(limit));
    }

    /** Sets the MPI that starts the job. Default: the first MPI found on the launch node. */
    public MpiJob flavour(MpiFlavour name) {
        return with(job -> {
            job.flavour = name;
            job.installation = null;
        });
    }

    /** Sets the installation that starts the job; the launch node is then not searched. */
    public MpiJob installation(MpiInstallation mpi) {
        return with(job -> {
            job.flavour = mpi.flavour();
            job.installation = mpi;
        });
    }

    /**
     * Leaves out the variables that the scripts or modules of its MPI set ({@link MpiInstallation#environment()}); by default the
     * launcher, its helpers and all ranks get them. An MPI that was moved from where it was built, such as HPC-X, does not run then.
     */
    public MpiJob withoutMpiEnvironment() {
        return with(job -> job.withEnvironment = false);
    }

    /**
     * Sets the preset, which brings variables and launcher options. Default: the target's preset. Variables of the
     * target and of the job win over it. The job is started by an MPI that the preset is for.
     */
    public MpiJob preset(MpiPreset name) {
        Objects.requireNonNull(name, "name");
        return with(job -> job.preset = name);
    }

    /** Passes output on unchanged, without the rank that wrote a line. */
    public MpiJob withoutRankLabels() {
        return with(job -> job.labelled = false);
    }

    /**
     * Lets the launcher start its helpers by ssh from the launch node, which must be able to log in to the other nodes; by
     * default MPICH's are started over the sessions of this library, and all others by ssh.
     */
    public MpiJob launchOverSsh() {
        return with(job -> job.path = LaunchPath.SSH);
    }

    /**
     * Starts the launcher's helpers over the sessions of this library, without handshakes and without a private key on
     * any node. The start refuses a launcher that cannot: MPICH's Hydra can, and Open MPI in {@code /usr/bin}
     * or {@code /usr/local/bin}.
     */
    public MpiJob launchOverSessions() {
        return with(job -> job.path = LaunchPath.SESSIONS);
    }

    /**
     * This job on the nodes of a cluster, ready to start; through its scheduler where its spec names one.
     *
     * @throws io.clusterwright.core.type.ClusterwrightException when a node does not answer
     */
    public PlacedMpiJob on(Cluster cluster) {
        return on(JobTarget.scheduled(cluster));
    }

    /** This job on this target, ready to start. */
    public PlacedMpiJob on(JobTarget target) {
        return PlacedMpiJob.of(description, target);
    }

    /** The program and its arguments, of several programs the first. */
    public List<String> program() {
        return description.program;
    }

    /** The ranks in all, when they were set. */
    public OptionalInt ranks() {
        return optional(description.ranks);
    }

    /** The ranks on each node, when they were set. */
    public OptionalInt ranksPerNode() {
        return optional(description.ranksPerNode);
    }

    private static OptionalInt optional(@Nullable Integer number) {
        return number == null ? OptionalInt.empty() : OptionalInt.of(number);
    }

    /** The variables of every rank. */
    public Map<String, String> environment() {
        return description.environment;
    }
}
