package io.clusterwright.examples.javadoc;

import static org.assertj.core.api.Assertions.assertThat;

import io.clusterwright.core.CheckReport;
import io.clusterwright.core.Cluster;
import io.clusterwright.core.ClusterEvent;
import io.clusterwright.core.ClusterListener;
import io.clusterwright.core.ClusterManager;
import io.clusterwright.core.ClusterSummary;
import io.clusterwright.core.Command;
import io.clusterwright.core.CommandException;
import io.clusterwright.core.CommandResult;
import io.clusterwright.core.CreateOptions;
import io.clusterwright.core.DestroyReport;
import io.clusterwright.core.ImageRetention;
import io.clusterwright.core.MachineState;
import io.clusterwright.core.Node;
import io.clusterwright.core.NodeOutcome;
import io.clusterwright.core.NodeResults;
import io.clusterwright.core.NodeSession;
import io.clusterwright.core.NodeUnreachableException;
import io.clusterwright.core.Operation;
import io.clusterwright.core.RunningCommand;
import io.clusterwright.core.SshAccess;
import io.clusterwright.core.StateStore;
import io.clusterwright.core.TemporaryCluster;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.type.ClusterName;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.core.type.NodeSet;
import io.clusterwright.core.type.OperationInterruptedException;
import io.clusterwright.linux.AnsibleInventory;
import io.clusterwright.linux.SshClientConfig;
import io.clusterwright.linux.junit.LocalCluster;
import io.clusterwright.linux.local.LocalMachines;
import io.clusterwright.mpi.JobPolicy;
import io.clusterwright.mpi.MpiJob;
import io.clusterwright.mpi.PlacedMpiJob;
import io.clusterwright.mpi.RunningJob;
import io.clusterwright.mpi.bench.Transport;
import io.clusterwright.mpi.check.HostnameCheck;
import io.clusterwright.mpi.check.MemlockCheck;
import io.clusterwright.mpi.check.PingPongCheck;
import io.clusterwright.mpi.check.TransportCheck;
import io.clusterwright.mpi.fabric.FabricCheck;
import io.clusterwright.mpi.fabric.FabricReport;
import io.clusterwright.mpi.fabric.PairResult;
import io.clusterwright.mpi.job.JobAttempts;
import io.clusterwright.mpi.job.JobFailedException;
import io.clusterwright.mpi.job.JobResult;
import io.clusterwright.mpi.job.JobTarget;
import io.clusterwright.mpi.job.MpiInstallation;
import io.clusterwright.mpi.job.MpiNotFoundException;
import io.clusterwright.mpi.job.RankFailure;
import io.clusterwright.mpi.spi.LaunchNode;
import io.clusterwright.mpi.spi.NodeTarget;
import io.clusterwright.mpi.spi.WrappedNodes;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The examples in the Javadoc that need nodes, run on local nodes. */
@Tag("breadth")
@LocalCluster(nodes = 2)
class NodeSnippetsTest extends Snippets {
    @TempDir
    private Path folder;

    @Test
    void runsCommands(Cluster cluster) {
        // Javadoc of Cluster
        NodeResults results = cluster.run(Command.of("uname", "-r"));
        results.groupedByOutput().forEach((output, nodes) -> show(NodeSet.fold(nodes) + ": " + output));
        for (Node node : cluster.nodes()) {
            show(node.name() + " has the address " + node.address());
        }

        assertThat(shown()).contains("node[1-2]: ");
    }

    @Test
    void treatsOutcomes(Cluster cluster) {
        // Javadoc of NodeResults
        NodeResults results = cluster.run(Command.of("test", "-d", "/scratch").timeout(Duration.ofSeconds(20)));
        for (NodeOutcome outcome : results.failures()) {
            if (outcome instanceof NodeOutcome.Unreachable) {
                show(outcome.node() + " needs help: " + outcome.summary());
            } else {
                show(outcome.node() + " has no folder /scratch");
            }
        }

        assertThat(shown()).contains("node1 has no folder /scratch");
    }

    @Test
    void usesASession(Cluster cluster) throws Exception {
        // Javadoc of NodeSession
        NodeSession session = cluster.session(cluster.head().name());
        session.upload(Path.of("specs", "install-app.sh"), "/tmp/install-app.sh", 0755);
        CommandResult result =
                session.run(Command.of("/bin/sh", "-n", "/tmp/install-app.sh")).orThrow();
        session.download("/etc/os-release", folder.resolve("os-release"));

        // Javadoc of Command
        Command command = Command.of("tee", "/etc/motd")
                .input("maintenance at 18:00\n")
                .elevate() // as root
                .timeout(Duration.ofSeconds(20));

        // Javadoc of CommandException
        try {
            session.run(command).orThrow();
        } catch (CommandException.Failed failed) {
            show(failed.getMessage()); // node, command, exit status and the last lines of output
        } catch (CommandException.TimedOut slow) {
            show(slow.getMessage());
        } catch (NodeUnreachableException lost) { // the command may have run
            show(lost.getMessage());
        }

        assertThat(result.succeeded()).isTrue();
        assertThat(shown()).isEmpty();
    }

    @Test
    void followsACommand(Cluster cluster) {
        NodeSession session = cluster.session(cluster.head().name());
        // Javadoc of RunningCommand
        Command command = Command.of("cat").openInput();
        try (RunningCommand running =
                session.start(command, (stream, bytes, length) -> show(new String(bytes, 0, length)))) {
            running.send("one line\n".getBytes());
            running.endInput();
            OptionalInt status = running.await(Duration.ofSeconds(20)); // empty when it still runs
            show(status);
        }

        // Javadoc of Cluster
        Command simulation = Command.of("sh", "-c", "sleep 2; echo done").outliveConnection();
        NodeName node = cluster.head().name();
        try (RunningCommand running = cluster.start(
                simulation, node, cluster.loginUser(), (stream, bytes, length) -> show(new String(bytes, 0, length)))) {
            show(running.await(Duration.ofHours(1))); // empty when it still runs
        }

        assertThat(shown()).contains("one line", "OptionalInt[0]", "done\n");
    }

    private static ClusterSpec spec(String name, String range) {
        return ClusterSpec.builder(name)
                .nodes(nodes -> nodes.count(1))
                .network(network -> network.addressSpace(range))
                .image(image -> image.capture(false))
                .build();
    }

    @Test
    void createsATemporaryCluster() {
        ClusterSpec spec = spec("snippet1", "10.88.40.0/24");
        // Javadoc of ClusterManager
        try (ClusterManager clusters = ClusterManager.on(LocalMachines.create());
                TemporaryCluster temporary =
                        clusters.createTemporary(spec)) { // destroyed at the end, also after a failure
            MpiJob.of("hostname").on(temporary.cluster()).run().orThrow();
        }

        // Javadoc of LocalMachines
        try (ClusterManager clusters = ClusterManager.on(LocalMachines.create()); // needs root or a range of ids
                TemporaryCluster temporary = clusters.createTemporary(spec)) {
            show(temporary.cluster().run(Command.of("hostname")).groupedByOutput());
        }

        try (ClusterManager clusters = ClusterManager.on(LocalMachines.create())) {
            // Javadoc of TemporaryCluster
            try (TemporaryCluster temporary = clusters.createTemporary(spec)) {
                MpiJob.of("hostname").on(temporary.cluster()).run().orThrow();
            }

            assertThat(clusters.list()).noneMatch(cluster -> cluster.name().equals(spec.name()));
        }
        assertThat(shown()).contains("snippet11");
    }

    @Test
    void keepsACluster() throws Exception {
        ClusterSpec spec = spec("snippet2", "10.88.41.0/24");
        try (ClusterManager clusters = ClusterManager.builder(LocalMachines.create())
                .stateStore(StateStore.inFolder(folder.resolve("state")))
                .build()) {
            try {
                create(clusters, spec);
                try (Cluster cluster = clusters.open(spec.name())) {
                    list(clusters);
                    verify(clusters, cluster);
                    access(clusters, cluster);
                }
            } finally {
                destroy(clusters, spec.name());
            }
        }
        assertThat(shown()).contains("snippet21: JOINED", "snippet2 since ");
    }

    private void create(ClusterManager clusters, ClusterSpec spec) {
        // Javadoc of ClusterListener
        ClusterListener listener = event -> {
            if (event instanceof ClusterEvent.StepFailed failed) {
                show(failed.step().title() + ": " + failed.reason());
            } else if (event instanceof ClusterEvent.NodeChanged changed) {
                show(changed.node() + ": " + changed.phase());
            }
        };

        // Javadoc of Operation
        Operation<Cluster> creation =
                clusters.createAsync(spec, CreateOptions.standard().listener(listener));
        Optional<Cluster> cluster = creation.await(Duration.ofMinutes(20));
        if (cluster.isEmpty()) {
            creation.cancel(); // deletes what it created
        }

        assertThat(cluster).isPresent();
        cluster.orElseThrow().close();
    }

    private void list(ClusterManager clusters) {
        // Javadoc of ClusterSummary
        for (ClusterSummary summary : clusters.list()) {
            Map<NodeName, MachineState> states = clusters.states(summary.name());
            show(summary.name() + " since " + summary.created() + ": " + states);
        }
    }

    private void verify(ClusterManager clusters, Cluster cluster) {
        // Javadoc of CheckReport
        for (CheckReport report : clusters.verify(cluster)) {
            show(report.check() + ": " + report.status() + ", " + report.summary());
        }
    }

    private void access(ClusterManager clusters, Cluster cluster) throws Exception {
        // Javadoc of SshClientConfig
        SshAccess access = clusters.sshAccess(cluster.name());
        SshClientConfig config = SshClientConfig.reaching(access);
        Files.writeString(folder.resolve("config"), config.text()); // then: ssh -F config demo1

        // Javadoc of AnsibleInventory
        String inventory = AnsibleInventory.of(cluster, access).text();
        Files.writeString(folder.resolve("inventory.yaml"), inventory); // then: ansible -i inventory.yaml all -m ping

        assertThat(config.text()).contains("Host snippet21", "IdentityFile");
        assertThat(inventory).contains("compute");
    }

    private void destroy(ClusterManager clusters, ClusterName name) {
        // Javadoc of DestroyReport
        DestroyReport report = clusters.destroy(name);
        report.left().forEach((resource, reason) -> show(resource + " is still there: " + reason));

        assertThat(report.left()).isEmpty();

        // Javadoc of ImageRetention
        clusters.pruneImages(ImageRetention.none().unusedFor("30d").keep(5));
    }

    // Javadoc of WrappedNodes
    record OneRankPerNode(NodeTarget wrapped) implements WrappedNodes {
        @Override
        public List<LaunchNode> nodes() {
            return wrapped.nodes().stream().map(node -> node.withSlots(1)).toList();
        }

        @Override
        public NodeTarget only(Collection<NodeName> names) {
            return new OneRankPerNode(wrapped.only(names));
        }
    }

    @Test
    void wrapsATarget(Cluster cluster) {
        JobTarget target = new OneRankPerNode(NodeTarget.of(JobTarget.of(cluster)));

        assertThat(MpiJob.of("hostname").on(target).run().outputTail()).hasSize(2);
    }

    @Test
    void startsAJob(Cluster cluster) throws Exception {
        // Javadoc of PlacedMpiJob
        PlacedMpiJob job = MpiJob.of("hostname").on(cluster).outputTo(folder); // one file a rank
        JobResult result = job.run(Duration.ofMinutes(10));

        // Javadoc of JobPolicy
        JobAttempts attempts = MpiJob.of("hostname")
                .on(cluster)
                .run(
                        Duration.ofHours(2),
                        JobPolicy.attempts(3).restartWith("--restart").within(Duration.ofHours(5)));

        // Javadoc of RunningJob
        try (RunningJob running = MpiJob.of("sleep", "600").on(cluster).start(Duration.ofHours(1))) {
            Optional<JobResult> end = running.await(Duration.ofSeconds(2)); // empty while it runs
            show(end.map(JobResult::summary).orElse("still running: " + running.token()));
        } // ends the job

        assertThat(result.succeeded()).isTrue();
        assertThat(attempts.attempts()).hasSize(1);
        assertThat(shown()).startsWith("still running: cwjob-");
    }

    @Test
    void explainsAFailure(Cluster cluster) {
        // Javadoc of JobResult
        JobResult result = MpiJob.of("sh", "-c", "exit 3").on(cluster).run();
        if (!result.succeeded()) {
            show(result.summary()); // command, outcome, findings and the last lines of output
            result.firstFailure().map(RankFailure::host).ifPresent(this::show);
        }

        // Javadoc of JobFailedException
        try {
            MpiJob.of("sh", "-c", "exit 3").on(cluster).run().orThrow();
        } catch (MpiNotFoundException absent) {
            show(absent.getMessage()); // the nodes have no MPI
        } catch (JobFailedException failed) {
            show(failed.result().exitStatus());
        }

        assertThat(shown()).contains("exit", "OptionalInt[3]");
    }

    @Test
    void findsAnMpi(Cluster cluster) {
        NodeSession session = cluster.session(cluster.head().name());
        // Javadoc of MpiInstallation
        for (MpiInstallation mpi : MpiInstallation.on(session)) {
            show(mpi.flavour() + " " + mpi.version() + ": " + mpi.mpirun());
        }

        assertThat(shown()).contains("mpi");
    }

    @Test
    void checksNodes(Cluster cluster) {
        // Javadoc of JobTarget
        JobTarget all = JobTarget.of(cluster);
        JobTarget two = all.only(all.nodeNames().subList(0, 2));

        // Javadoc of HostnameCheck
        HostnameCheck.Report names = HostnameCheck.on(two).run(Duration.ofMinutes(2));
        show("answered: " + names.answered() + ", silent: " + names.silent());

        // Javadoc of PingPongCheck
        PingPongCheck.Report pingPong = PingPongCheck.on(two).run(Duration.ofMinutes(5));
        pingPong.table().ifPresent(table -> show(table.toTable()));
        show(pingPong.verdict().status());

        // Javadoc of TransportCheck
        TransportCheck.Report used = TransportCheck.between(
                        two, two.nodeNames().get(0), two.nodeNames().get(1))
                .run(Duration.ofMinutes(1));
        Transport transport = used.transport();
        show(transport.kind() + " " + transport.names());

        // Javadoc of MemlockCheck
        MemlockCheck.Report limits = MemlockCheck.on(cluster).run(Duration.ofMinutes(2));
        limits.rows().forEach(row -> show(row.node() + ", " + row.user() + ": " + row.inForce()));

        assertThat(names.succeeded()).isTrue();
        assertThat(pingPong.table()).isPresent();
        assertThat(names.answered()).hasSize(2);
        assertThat(shown()).contains("answered: [node", ", silent: []");
    }

    @Test
    void checksTheNetwork(Cluster cluster) {
        // Javadoc of FabricReport
        FabricReport report = FabricCheck.on(cluster).allPairs().run(Duration.ofMinutes(10));
        for (PairResult pair : report.pairs()) {
            show(pair.pair() + ": " + pair.latencyMicros() + " us");
        }
        show(report.verdict().status() + ", slow nodes: " + report.slowNodes());

        assertThat(report.pairs()).hasSize(1);
    }

    @Test
    void reportsAnInterrupt(Cluster cluster) throws Exception {
        NodeSession session = cluster.session(cluster.head().name());
        Thread thread = new Thread(() -> {
            // Javadoc of OperationInterruptedException
            try {
                session.run(Command.of("sleep", "60"));
            } catch (OperationInterruptedException stopped) { // the command was ended on the node
                show(stopped.getMessage() + ", flag " + Thread.currentThread().isInterrupted());
            }
        });
        thread.start();
        thread.interrupt();
        thread.join();

        assertThat(shown()).contains("flag true");
    }
}
