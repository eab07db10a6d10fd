package io.clusterwright.mpi.internal.slurm;

import io.clusterwright.core.NodeSession;
import io.clusterwright.core.spec.MpiFlavour;
import io.clusterwright.core.type.AddressRange;
import io.clusterwright.core.type.Interconnect;
import io.clusterwright.core.type.InvalidValueException;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.mpi.JobTarget;
import io.clusterwright.mpi.SlurmTarget;
import io.clusterwright.mpi.spi.JobScheduler;
import io.clusterwright.mpi.spi.LaunchNode;
import io.clusterwright.mpi.spi.Launcher;
import io.clusterwright.mpi.spi.NodeTarget;
import io.clusterwright.mpi.spi.SchedulerTarget;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** The nodes of a {@link SlurmTarget}, and its settings. */
public final class SlurmNodes implements SlurmTarget, NodeTarget, SchedulerTarget {
    private static final Pattern WORD = Pattern.compile("[A-Za-z0-9_.][A-Za-z0-9_.-]*");

    private final NodeTarget nodes;
    private final SlurmSettings settings;

    private SlurmNodes(NodeTarget nodes, SlurmSettings settings) {
        this.nodes = nodes;
        this.settings = settings;
    }

    /** The nodes of another target, with Slurm's defaults. */
    public static SlurmNodes of(JobTarget nodes) {
        return new SlurmNodes(NodeTarget.of(nodes), SlurmSettings.PLAIN);
    }

    @Override
    public SlurmNodes partition(String name) {
        return new SlurmNodes(nodes, settings.withPartition(word("partition", name, "debug")));
    }

    @Override
    public SlurmNodes account(String name) {
        return new SlurmNodes(nodes, settings.withAccount(word("account", name, "physics")));
    }

    @Override
    public SlurmNodes timeLimit(Duration limit) {
        if (limit.toSeconds() < 1) {
            throw new InvalidValueException("time limit of a Slurm job", limit.toString(), "1 s or more", "PT2H");
        }
        return new SlurmNodes(nodes, settings.withTimeLimit(limit));
    }

    @Override
    public SlurmNodes pmi(String plugin) {
        return new SlurmNodes(nodes, settings.withPmi(word("PMI plugin", plugin, "pmi2")));
    }

    @Override
    public SlurmNodes addOption(String word) {
        if (!word.startsWith("--") || word.length() < 3 || word.matches("(?s).*[\\n\\r\\x00].*")) {
            throw new InvalidValueException("option of srun", word, "one word that starts with --", "--qos=long");
        }
        return new SlurmNodes(nodes, settings.withOption(word));
    }

    @Override
    public SlurmNodes outputFile(String path) {
        if (!path.startsWith("/") || path.matches("(?s).*[\\n\\r\\x00].*")) {
            throw new InvalidValueException("output file of a job", path, "an absolute path", "/data/job-%j.out");
        }
        return new SlurmNodes(nodes, settings.withOutputFile(path));
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
    public JobScheduler scheduler() {
        return new SlurmScheduler(this);
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

    @Override
    public SlurmNodes only(Collection<NodeName> names) {
        return new SlurmNodes(nodes.only(names), settings);
    }
}
