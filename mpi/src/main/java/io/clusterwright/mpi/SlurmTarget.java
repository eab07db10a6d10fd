package io.clusterwright.mpi;

import io.clusterwright.core.Cluster;
import io.clusterwright.core.NodeSession;
import io.clusterwright.core.spec.MpiFlavour;
import io.clusterwright.core.type.AddressRange;
import io.clusterwright.core.type.Interconnect;
import io.clusterwright.core.type.InvalidValueException;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.mpi.spi.LaunchNode;
import io.clusterwright.mpi.spi.Launcher;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Nodes whose jobs Slurm starts: the launcher is {@code srun} on the first node, in an allocation of its own that ends
 * with the job. Slurm must know the nodes by the names they have here. Immutable, and safe for use by several threads.
 *
 * <pre>{@code
 * JobResult result = MpiJob.of("/opt/app/solver", "case.xml")
 *     .on(SlurmTarget.of(cluster).partition("rdma").timeLimit(Duration.ofHours(3)))
 *     .run(Duration.ofHours(3));
 * }</pre>
 *
 * <p>A node that Slurm says is down, drained or not answering is told within seconds as one of {@link
 * JobResult#launchFailures()}; {@code srun} itself would wait for it without end. A job waits in the queue while its nodes
 * run other jobs; its time passes meanwhile.
 */
public final class SlurmTarget implements JobTarget {
    private static final Pattern WORD = Pattern.compile("[A-Za-z0-9_.][A-Za-z0-9_.-]*");

    private final JobTarget nodes;
    private final SlurmSettings settings;

    private SlurmTarget(JobTarget nodes, SlurmSettings settings) {
        this.nodes = nodes;
        this.settings = settings;
    }

    /**
     * The nodes of a cluster on which Slurm runs.
     *
     * @throws io.clusterwright.core.type.ClusterwrightException when a node does not answer
     */
    public static SlurmTarget of(Cluster cluster) {
        return of(JobTarget.of(cluster));
    }

    /** The nodes of another target on which Slurm runs. */
    public static SlurmTarget of(JobTarget nodes) {
        return new SlurmTarget(nodes, SlurmSettings.PLAIN);
    }

    /**
     * The same nodes through this partition; by default through the one Slurm takes.
     *
     * @throws InvalidValueException when the name holds other than letters, digits and {@code _ . -}
     */
    public SlurmTarget partition(String name) {
        return with(new SlurmSettings(
                word("partition", name, "debug"),
                settings.account(),
                settings.timeLimit(),
                settings.pmi(),
                settings.options()));
    }

    /**
     * The same nodes with jobs charged to this account.
     *
     * @throws InvalidValueException when the name holds other than letters, digits and {@code _ . -}
     */
    public SlurmTarget account(String name) {
        return with(new SlurmSettings(
                settings.partition(),
                word("account", name, "physics"),
                settings.timeLimit(),
                settings.pmi(),
                settings.options()));
    }

    /**
     * The same nodes with jobs that Slurm itself ends after this time ({@code --time}), in which the wait for nodes does
     * not count; by default the limit is the partition's. Slurm counts in whole minutes, rounded up.
     *
     * @throws IllegalArgumentException when the time is shorter than a second
     */
    public SlurmTarget timeLimit(Duration limit) {
        if (limit.toSeconds() < 1) {
            throw new IllegalArgumentException("a job's time under Slurm must be at least 1 s, not " + limit);
        }
        return with(
                new SlurmSettings(settings.partition(), settings.account(), limit, settings.pmi(), settings.options()));
    }

    /**
     * The same nodes with ranks that reach each other through this plugin ({@code --mpi}), such as {@code pmi2}; by default
     * {@code pmix} for Open MPI and HPC-X, {@code pmi2} for the others. A job of several ranks that would each be alone is
     * not started and has the finding {@code CW-MPI-042}: with {@code none}, and with {@code pmix} for an MPICH without it. With a
     * plugin of another name that the MPI does not speak each rank runs alone.
     *
     * @throws InvalidValueException when the name holds other than letters, digits and {@code _ . -}
     */
    public SlurmTarget pmi(String plugin) {
        return with(new SlurmSettings(
                settings.partition(),
                settings.account(),
                settings.timeLimit(),
                word("PMI plugin", plugin, "pmi2"),
                settings.options()));
    }

    /**
     * The same nodes with one more option of {@code srun} and {@code sbatch}, such as {@code --exclusive} or {@code --qos=long}.
     *
     * @throws InvalidValueException when it does not start with {@code --}, or holds a line break or a NUL character
     */
    public SlurmTarget addOption(String word) {
        if (!word.startsWith("--") || word.length() < 3 || word.matches("(?s).*[\\n\\r\\x00].*")) {
            throw new InvalidValueException("option of srun", word, "one word that starts with --", "--qos=long");
        }
        List<String> all = new ArrayList<>(settings.options());
        all.add(word);
        return with(
                new SlurmSettings(settings.partition(), settings.account(), settings.timeLimit(), settings.pmi(), all));
    }

    private SlurmTarget with(SlurmSettings other) {
        return new SlurmTarget(nodes, other);
    }

    private static String word(String what, String name, String example) {
        if (!WORD.matcher(name).matches()) {
            throw new InvalidValueException(what, name, "letters, digits and _ . -, not starting with -", example);
        }
        return name;
    }

    SlurmSettings settings() {
        return settings;
    }

    @Override
    public Optional<Launcher> launcher() {
        return Optional.of(new SlurmLauncher(settings));
    }

    @Override
    public List<LaunchNode> nodes() {
        return nodes.nodes();
    }

    @Override
    public NodeSession session(NodeName node) {
        return nodes.session(node);
    }

    @Override
    public Optional<AddressRange> network() {
        return nodes.network();
    }

    @Override
    public Interconnect interconnect() {
        return nodes.interconnect();
    }

    @Override
    public Optional<MpiFlavour> flavour() {
        return nodes.flavour();
    }

    @Override
    public String preset() {
        return nodes.preset();
    }

    @Override
    public Set<String> suppressed() {
        return nodes.suppressed();
    }

    @Override
    public Map<String, String> environment() {
        return nodes.environment();
    }

    @Override
    public boolean sharesOneMachine() {
        return nodes.sharesOneMachine();
    }

    /** The same settings over some of the nodes, in the given order. */
    @Override
    public SlurmTarget only(Collection<NodeName> names) {
        return new SlurmTarget(nodes.only(names), settings);
    }
}
