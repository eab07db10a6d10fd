package io.clusterwright.examples.javadoc;

import static org.assertj.core.api.Assertions.assertThat;

import io.clusterwright.core.plan.Finding;
import io.clusterwright.core.plan.Severity;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.MpiFlavour;
import io.clusterwright.core.spec.OperatingSystem;
import io.clusterwright.core.spi.Facts;
import io.clusterwright.core.spi.NodeBackend;
import io.clusterwright.core.spi.NodeTransport;
import io.clusterwright.core.spi.Rule;
import io.clusterwright.core.spi.RuleSet;
import io.clusterwright.core.spi.SshKeyPair;
import io.clusterwright.core.type.Ipv4Address;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.mpi.MpiJob;
import io.clusterwright.mpi.job.Leftovers;
import io.clusterwright.mpi.job.MpiInstallation;
import io.clusterwright.mpi.job.QueuedJob;
import io.clusterwright.mpi.job.QueuedJobStatus;
import io.clusterwright.mpi.spi.JobFolder;
import io.clusterwright.mpi.spi.LaunchCommand;
import io.clusterwright.mpi.spi.LaunchNode;
import io.clusterwright.mpi.spi.LaunchRequest;
import io.clusterwright.mpi.spi.Launcher;
import io.clusterwright.mpi.spi.ScheduledJob;
import io.clusterwright.mpi.spi.SchedulerTarget;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The examples in the Javadoc of the interfaces for extenders, run. */
class ExtenderSnippetsTest {

    // Javadoc of RuleSet
    public static final class SiteRules implements RuleSet {
        @Override
        public List<Rule> rules() {
            return List.of(Rule.warning(
                    "CW-SITE-001",
                    Rule.Where.CLOUD,
                    "the cluster has no time to live",
                    "write timeToLive: 8h",
                    (spec, facts, report) -> {
                        if (spec.timeToLive().isEmpty()) {
                            report.add("timeToLive", "cluster " + spec.name() + " has no time to live");
                        }
                    }));
        }
    }

    @Test
    void aRuleFindsItsProblem() {
        ClusterSpec spec = ClusterSpec.builder("demo")
                .region("westeurope")
                .nodes(nodes -> nodes.count(2).size("Standard_HB120rs_v3"))
                .build();

        List<Finding> findings =
                new SiteRules().rules().get(0).findings(spec, Facts.offline().provider("azure"));

        assertThat(findings)
                .containsExactly(new Finding(
                        "CW-SITE-001",
                        Severity.WARNING,
                        "timeToLive",
                        "cluster demo has no time to live",
                        "write timeToLive: 8h"));
    }

    @Test
    void aBackendMakesKeys() {
        // Javadoc of NodeBackend
        NodeBackend linux = NodeBackend.of(OperatingSystem.LINUX);
        SshKeyPair login = linux.newKeyPair("demo");
        try (NodeTransport transport = linux.openTransport()) {
            assertThat(transport).isNotNull(); // transport.connect(target) opens a session to a node
        }

        assertThat(login.publicKey().comment()).isEqualTo("demo");
    }

    // Javadoc of Launcher
    public static final class VendorLauncher implements Launcher {
        @Override
        public boolean supports(MpiInstallation mpi) {
            return mpi.mpirun().startsWith("/opt/vendor/");
        }

        @Override
        public LaunchCommand command(LaunchRequest request) {
            StringBuilder hosts = new StringBuilder();
            for (LaunchNode node : request.usedNodes()) {
                hosts.append(node.address()).append(' ').append(node.slots()).append('\n');
            }
            String hostfile = request.folder().path("hosts");
            List<String> words =
                    new ArrayList<>(List.of(request.mpi().mpirun(), "-f", hostfile, "-n", "" + request.ranks()));
            words.addAll(request.rankProgram());
            return new LaunchCommand(words).withFile("hosts", hosts.toString());
        }
    }

    private static List<LaunchNode> nodes() {
        return List.of(
                new LaunchNode(NodeName.of("demo11"), Ipv4Address.of("10.32.0.4"), 4),
                new LaunchNode(NodeName.of("demo12"), Ipv4Address.of("10.32.0.5"), 4));
    }

    @Test
    void aLauncherWritesItsCommand() {
        MpiInstallation mpi = new MpiInstallation(MpiFlavour.MPICH, "4.2", "/opt/vendor/bin/mpiexec");
        LaunchRequest request =
                LaunchRequest.of(mpi, nodes(), new JobFolder("cwjob-0123456789abcdef"), List.of("/opt/app/solver"));

        LaunchCommand command = new VendorLauncher().command(request.ranks(8));

        assertThat(new VendorLauncher().supports(mpi)).isTrue();
        assertThat(command.arguments())
                .startsWith("/opt/vendor/bin/mpiexec", "-f", "/tmp/cwjob-0123456789abcdef/hosts", "-n", "8")
                .endsWith("/opt/app/solver");
        assertThat(command.files()).containsEntry("hosts", "10.32.0.4 4\n10.32.0.5 4\n");
    }

    /** The queue of a site, as its client for Java offers it; each job ends at once. */
    private static final class SiteQueue {
        private final List<List<String>> jobs = new ArrayList<>();

        int add(List<String> program, int ranks, Duration limit) {
            jobs.add(program);
            return jobs.size();
        }

        String output(int id) {
            return "ran " + jobs.get(id - 1) + "\n";
        }
    }

    // Javadoc of SchedulerTarget
    public record SiteTarget(SiteQueue queue, List<LaunchNode> nodes) implements SchedulerTarget {
        @Override
        public ScheduledJob submit(LaunchRequest request, Duration limit) {
            return find("" + queue.add(request.program(), request.ranks(), limit));
        }

        @Override
        public ScheduledJob find(String id) {
            return new SiteJob(queue, id);
        }

        @Override
        public SchedulerTarget only(Collection<NodeName> names) {
            return new SiteTarget(queue, LaunchNode.select(nodes, names));
        }

        @Override
        public Optional<MpiInstallation> installation() {
            return Optional.of(new MpiInstallation(MpiFlavour.MPICH, "4.2", "mpiexec"));
        }
    }

    // Javadoc of ScheduledJob
    public record SiteJob(SiteQueue queue, String id) implements ScheduledJob {
        @Override
        public String name() {
            return "job " + id;
        }

        @Override
        public QueuedJobStatus status() {
            return QueuedJobStatus.of(QueuedJobStatus.State.SUCCEEDED, "DONE", "")
                    .withExitStatus(0);
        }

        @Override
        public String output() {
            return queue.output(Integer.parseInt(id));
        }

        @Override
        public Map<NodeName, Leftovers> cancel(String reason) {
            return Map.of(); // the queue ends the processes of a job
        }
    }

    @Test
    void aSchedulerRunsAJob() {
        QueuedJob job = MpiJob.of("/opt/app/solver")
                .on(new SiteTarget(new SiteQueue(), nodes()))
                .submit();

        assertThat(job.await(Duration.ofSeconds(10)))
                .hasValueSatisfying(status -> assertThat(status.succeeded()).isTrue());
        assertThat(job.output()).isEqualTo("ran [/opt/app/solver]\n");
    }
}
