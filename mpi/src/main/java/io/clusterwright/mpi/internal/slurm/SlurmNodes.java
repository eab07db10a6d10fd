package io.clusterwright.mpi.internal.slurm;

import io.clusterwright.core.type.InvalidValueException;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.mpi.job.JobTarget;
import io.clusterwright.mpi.job.MpiInstallation;
import io.clusterwright.mpi.job.QueuedJob;
import io.clusterwright.mpi.job.SlurmTarget;
import io.clusterwright.mpi.spi.LaunchRequest;
import io.clusterwright.mpi.spi.Launcher;
import io.clusterwright.mpi.spi.NodeTarget;
import io.clusterwright.mpi.spi.ScheduledJob;
import io.clusterwright.mpi.spi.SchedulerTarget;
import io.clusterwright.mpi.spi.WrappedNodes;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The nodes of a {@link SlurmTarget}, and its settings. */
public final class SlurmNodes implements SlurmTarget, WrappedNodes, SchedulerTarget {
    private static final Pattern WORD = Pattern.compile("[A-Za-z0-9_.][A-Za-z0-9_.-]*");

    private static final String PARTITION = "--partition";
    private static final String ACCOUNT = "--account";
    private static final String TIME = "--time";
    private static final String MPI = "--mpi";
    private static final String OUTPUT = "--output";

    private final NodeTarget nodes;
    private final Map<String, String> settings;
    private final List<String> options;

    /** Nodes with settings by the options of Slurm that make them, and further options, one word each. */
    private SlurmNodes(NodeTarget nodes, Map<String, String> settings, List<String> options) {
        this.nodes = nodes;
        this.settings = Map.copyOf(settings);
        this.options = List.copyOf(options);
    }

    /** The nodes of another target, with Slurm's defaults. */
    public static SlurmNodes of(JobTarget nodes) {
        return new SlurmNodes(NodeTarget.of(nodes), Map.of(), List.of());
    }

    @Override
    public SlurmNodes partition(String name) {
        return with(PARTITION, word("partition", name, "debug"));
    }

    @Override
    public SlurmNodes account(String name) {
        return with(ACCOUNT, word("account", name, "physics"));
    }

    /** Slurm rounds {@code days-hours:minutes:seconds} up to whole minutes itself. */
    @Override
    public SlurmNodes timeLimit(Duration limit) {
        if (limit.toSeconds() < 1) {
            throw new InvalidValueException("Slurm time limit", limit, "1 s or more", "PT2H");
        }
        return with(
                TIME,
                String.format(
                        Locale.ROOT,
                        "%d-%02d:%02d:%02d",
                        limit.toDays(),
                        limit.toHoursPart(),
                        limit.toMinutesPart(),
                        limit.toSecondsPart()));
    }

    @Override
    public SlurmNodes pmi(String plugin) {
        return with(MPI, word("PMI plugin", plugin, "pmi2"));
    }

    @Override
    public SlurmNodes addOption(String word) {
        if (!word.startsWith("--") || word.length() < 3 || word.matches("(?s).*[\\n\\r\\x00].*")) {
            throw new InvalidValueException("srun option", word, "one word that starts with --", "--qos=long");
        }
        return new SlurmNodes(
                nodes,
                settings,
                Stream.concat(options.stream(), Stream.of(word)).toList());
    }

    @Override
    public SlurmNodes outputFile(String path) {
        if (!path.startsWith("/") || path.matches("(?s).*[\\n\\r\\x00].*")) {
            throw new InvalidValueException("job output file", path, "an absolute path", "/data/job-%j.out");
        }
        return with(OUTPUT, path);
    }

    private SlurmNodes with(String option, String value) {
        Map<String, String> all = new HashMap<>(settings);
        all.put(option, value);
        return new SlurmNodes(nodes, all, options);
    }

    private static String word(String what, String name, String example) {
        if (!WORD.matcher(name).matches()) {
            throw new InvalidValueException(what, name, "letters, digits or _ . -, not starting with -", example);
        }
        return name;
    }

    /** The options that {@code srun} and {@code sbatch} share. */
    List<String> words() {
        return Stream.concat(words(PARTITION, ACCOUNT, TIME), options.stream()).toList();
    }

    /** The option of {@code sbatch} for the file of the output, where it is set. */
    List<String> outputOption() {
        return words(OUTPUT).toList();
    }

    private Stream<String> words(String... names) {
        return Stream.of(names).filter(settings::containsKey).map(name -> name + "=" + settings.get(name));
    }

    boolean hasTimeLimit() {
        return settings.containsKey(TIME);
    }

    /** Whether the caller lets several ranks share a CPU. */
    boolean sharesCpus() {
        return options.contains(SlurmRefusal.OVERCOMMIT);
    }

    /** The named plugin, or the installed plugins' name of the interface that an MPI speaks. */
    String plugin(MpiInstallation mpi) {
        return settings.getOrDefault(MPI, mpi.isOpenMpi() ? "pmix" : "pmi2");
    }

    @Override
    public NodeTarget wrapped() {
        return nodes;
    }

    @Override
    public ScheduledJob submit(LaunchRequest request, Duration limit) {
        return SlurmJob.submit(this, request, limit);
    }

    @Override
    public ScheduledJob find(String id) {
        return SlurmJob.find(this, id);
    }

    @Override
    public List<QueuedJob.Listed> jobs() {
        return SlurmQueue.read(session(nodes().get(0).name()));
    }

    @Override
    public Optional<Launcher> launcher() {
        return Optional.of(new SlurmLauncher(this));
    }

    @Override
    public SlurmNodes only(Collection<NodeName> names) {
        return new SlurmNodes(nodes.only(names), settings, options);
    }
}
