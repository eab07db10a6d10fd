package io.clusterwright.linux.internal.slurm;

import io.clusterwright.core.Cluster;
import io.clusterwright.core.Command;
import io.clusterwright.core.CommandResult;
import io.clusterwright.core.Node;
import io.clusterwright.core.NodeOutcome;
import io.clusterwright.core.internal.text.PosixShell;
import io.clusterwright.core.internal.text.PrintableText;
import io.clusterwright.core.internal.text.TextResource;
import io.clusterwright.core.spec.MpiFlavour;
import io.clusterwright.core.spec.MpiInstall;
import io.clusterwright.core.spi.NodeBackend.Trust;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.core.type.MemlockLimit;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.core.type.Secret;
import io.clusterwright.linux.SystemdLimits;
import io.clusterwright.linux.internal.node.FileBatch;
import io.clusterwright.linux.internal.node.NodeFiles;
import io.clusterwright.linux.internal.node.NodePath;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * Configures Slurm for exactly the nodes of a cluster: probes each node, writes the configuration to all, and waits
 * until all take jobs.
 */
public final class SlurmSetup {
    /** Puts programs outside the PATH of ordinary users into it. */
    public static final String PATH = "export PATH=\"$PATH:/usr/sbin:/sbin\" LC_ALL=C\n";

    private static final NodePath MUNGE_KEY = NodePath.of("/etc/munge/munge.key");
    private static final String SLURMD = "slurmd.service";
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private final Cluster cluster;

    private SlurmSetup(Cluster cluster) {
        this.cluster = cluster;
    }

    /** Configures Slurm on all nodes. */
    public static void run(Cluster cluster, Trust trust, Consumer<String> progress) {
        SlurmSetup setup = new SlurmSetup(cluster);
        SlurmConf conf = setup.conf(setup.probes());
        progress.accept("Slurm " + conf.version() + ", jobs are tracked by "
                + (conf.cgroups() ? "control groups" : "their processes"));
        setup.writeMungeKey(trust.schedulerKey());
        setup.configure(conf);
        setup.await(conf);
    }

    private List<SlurmProbe> probes() {
        return cluster.run(Command.shell(SlurmProbe.SCRIPT).elevate()).orThrow().outcomes().stream()
                .filter(NodeOutcome.Completed.class::isInstance)
                .map(NodeOutcome.Completed.class::cast)
                .map(done -> SlurmProbe.parse(cluster.node(done.node()), done.result()))
                .toList();
    }

    private SlurmConf conf(List<SlurmProbe> probes) {
        Set<NodeName> workers = cluster.computeNodes().stream().map(Node::name).collect(Collectors.toSet());
        List<SlurmProbe> working = probes.stream()
                .filter(probe -> workers.contains(probe.node().name()))
                .toList();
        SlurmProbe head = probes.stream()
                .filter(probe -> probe.node().name().equals(cluster.head().name()))
                .findFirst()
                .orElseThrow();
        return new SlurmConf(
                cluster.name(),
                head.node(),
                working.stream().map(SlurmProbe::node).toList(),
                head.version(),
                working.stream().allMatch(SlurmProbe::cgroups),
                mpi(working));
    }

    /** A plain srun starts ranks that find each other, where the MPI of the spec and the plugins on the nodes allow. */
    private String mpi(List<SlurmProbe> probes) {
        MpiFlavour flavour = cluster.spec()
                .image()
                .customize()
                .mpi()
                .map(MpiInstall::flavour)
                .orElse(MpiFlavour.MPICH);
        String wanted = flavour == MpiFlavour.OPEN_MPI || flavour == MpiFlavour.HPC_X ? "pmix" : "pmi2";
        return probes.stream().allMatch(probe -> probe.plugins().contains("mpi_" + wanted)) ? wanted : "none";
    }

    /** Where the key is there already it is left as it is, so that munged need not start anew. */
    private void writeMungeKey(Secret key) {
        FileBatch files = new FileBatch()
                .folder(NodePath.of("/etc/munge"), "700", "munge:")
                .put(MUNGE_KEY, key.reveal(), "400", "munge:");
        cluster.run(Command.shell(unlessThere(MUNGE_KEY, NodeFiles.sha256(key.reveal()), files.script()))
                        .elevate()
                        .markSensitive())
                .orThrow();
    }

    private void configure(SlurmConf conf) {
        FileBatch files = new FileBatch()
                .folder(NodePath.of("/etc/slurm"), "755", "root:")
                .folder(NodePath.of(SlurmConf.STATE_FOLDER), "700", SlurmConf.USER + ":")
                .folder(NodePath.of(SlurmConf.SPOOL_FOLDER), "755", "root:")
                .folder(NodePath.of(SlurmConf.LOG_FOLDER), "755", SlurmConf.USER + ":")
                .put(NodePath.of(SlurmConf.PATH), conf.text(), "644", "root:")
                .put(NodePath.of(SlurmConf.CGROUP_PATH), conf.cgroupText(), "644", "root:")
                .put(NodePath.of(SlurmConf.TASK_PROLOG), resource("task-prolog.sh"), "755", "root:")
                .folder(NodePath.of("/etc/systemd/system/" + SLURMD + ".d"), "755", "root:")
                .put(
                        NodePath.of(SystemdLimits.servicePath(SLURMD)),
                        new SystemdLimits(MemlockLimit.UNLIMITED).serviceDropIn(),
                        "644",
                        "root:");
        String script = script(conf.controller().name(), !conf.nodes().contains(conf.controller()), files.script());
        cluster.run(Command.shell(script).elevate().timeout(PATIENCE)).orThrow();
    }

    /** Asks as an ordinary user of the controller, which proves the key of the services as well. */
    private void await(SlurmConf conf) {
        Node controller = cluster.node(conf.controller().name());
        CommandResult answer = cluster.session(controller.name())
                .run(Command.shell(awaitNodes(conf.nodes().size())).timeout(PATIENCE));
        if (!answer.succeeded()) {
            throw new ClusterwrightException(
                    "Slurm on cluster " + cluster.name() + " does not accept jobs on every node: "
                            + PrintableText.output(answer.stdout()).replace("\n", "; ")
                            + PrintableText.output(answer.stderr()) + "; see "
                            + SlurmConf.LOG_FOLDER + " on " + controller.name() + " and on these nodes");
        }
    }

    /**
     * Writes files as {@code writing} does, and starts services that do not run or whose configuration changed.
     *
     * @param separate whether the machine of the controller runs no jobs
     */
    static String script(NodeName controller, boolean separate, String writing) {
        return PATH + "controller=" + PosixShell.quote(controller.value())
                + "\nseparate=" + (separate ? "yes" : "no")
                + "\nconf=$(cat /etc/slurm/slurm.conf /etc/slurm/cgroup.conf 2>/dev/null | sha256sum || :)\n"
                + writing + resource("start-services.sh");
    }

    /** Writes files as {@code writing} does, unless this one has the content of this SHA-256. */
    static String unlessThere(NodePath file, String sha256, String writing) {
        return "if [ \"$(sha256sum " + file + " 2>/dev/null | cut -d ' ' -f 1)\" = " + sha256 + " ]; then exit 0; fi\n"
                + writing;
    }

    /** Returns when the controller knows this many nodes and each is ready for jobs or has some; or fails with those that are not. */
    static String awaitNodes(int count) {
        return PATH + "count=" + count + "\n" + resource("await-nodes.sh");
    }

    private static String resource(String name) {
        return TextResource.read(SlurmSetup.class.getResourceAsStream(name), name);
    }
}
