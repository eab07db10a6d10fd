package io.clusterwright.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.azure.core.credential.TokenCredential;
import com.azure.core.management.AzureEnvironment;
import com.azure.core.management.profile.AzureProfile;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.clusterwright.azure.AzureException;
import io.clusterwright.azure.AzureMachines;
import io.clusterwright.core.Cluster;
import io.clusterwright.core.ClusterManager;
import io.clusterwright.core.Command;
import io.clusterwright.core.CreateFailedException;
import io.clusterwright.core.CreateOptions;
import io.clusterwright.core.DestroyReport;
import io.clusterwright.core.NodeSession;
import io.clusterwright.core.NodesFailedException;
import io.clusterwright.core.Operation;
import io.clusterwright.core.Planner;
import io.clusterwright.core.SpecRefusedException;
import io.clusterwright.core.TemporaryCluster;
import io.clusterwright.core.plan.Finding;
import io.clusterwright.core.plan.Plan;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.SpecReader;
import io.clusterwright.core.type.ClusterName;
import io.clusterwright.core.type.Interconnect;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.core.type.OperationInterruptedException;
import io.clusterwright.linux.Hosts;
import io.clusterwright.linux.junit.LocalCluster;
import io.clusterwright.mpi.ClusterReplacer;
import io.clusterwright.mpi.JobPolicy;
import io.clusterwright.mpi.MpiJob;
import io.clusterwright.mpi.RunningJob;
import io.clusterwright.mpi.fabric.FabricCheck;
import io.clusterwright.mpi.fabric.FabricReport;
import io.clusterwright.mpi.job.JobAttempts;
import io.clusterwright.mpi.job.JobResult;
import io.clusterwright.mpi.job.MpiInstallation;
import io.clusterwright.mpi.job.QueuedJob;
import io.clusterwright.mpi.job.SlurmTarget;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** The Java code of the pages in {@code docs/}, so that it compiles. {@link PageSnippetsTest} finds each block of a page here, in {@link TestsOnNodes}, or in another source of the examples. */
final class PageSnippets {
    private PageSnippets() {}

    static void plan(ClusterManager clusters, ClusterSpec spec) {
        Plan plan = clusters.plan(spec); // queries the provider
        Plan offline = Planner.offline().plan(spec); // queries no provider
        List<Finding> findings = Planner.check(spec);
        show(plan, offline, findings);
    }

    static void values(ClusterManager clusters, ClusterSpec spec) throws IOException {
        String text = clusters.plan(spec).toJson();
        String same = new ObjectMapper().writeValueAsString(clusters.plan(spec));
        Map<String, Object> fields = new LinkedHashMap<>(clusters.plan(spec).toMap()); // add your own
        show(text, same, fields);
    }

    static void checkTheNetwork(Cluster cluster) {
        FabricReport report = FabricCheck.on(cluster).ring().run(Duration.ofMinutes(10));
        show(report.verdict());
    }

    static ClusterManager managerOfAzure(TokenCredential credential, String tenant, String subscription) {
        AzureProfile profile = new AzureProfile(tenant, subscription, AzureEnvironment.AZURE);
        return ClusterManager.on(AzureMachines.connect(credential, profile));
    }

    static void actOnErrors(ClusterManager clusters, ClusterSpec spec) {
        try (TemporaryCluster demo = clusters.createTemporary(spec)) {
            solve(demo.cluster());
        } catch (SpecRefusedException refused) { // nothing was created
            refused.findings().forEach(finding -> show(finding.code(), finding.path(), finding.remedy()));
        } catch (CreateFailedException failed) { // the message has the cause; new resources were deleted
            failed.left().forEach(resource -> show("still there, and may be billed", resource));
            if (failed.getCause() instanceof NodesFailedException nodes) { // which nodes, and why
                nodes.failures()
                        .forEach((node, why) ->
                                show(node, why instanceof AzureException azure ? azure.code() : why.getMessage()));
            } else if (failed.getCause() instanceof AzureException azure) {
                show(azure.reason(), azure.code());
            }
        } catch (OperationInterruptedException stopped) { // the flag of the thread is set, the cluster is destroyed
            show(stopped.getMessage());
            if (stopped.getCause() instanceof CreateFailedException failed) { // it was being created
                failed.left().forEach(resource -> show("still there, and may be billed", resource));
            }
        }
    }

    static void keepACluster(ClusterManager clusters, ClusterSpec spec) {
        clusters.create(spec).close(); // the cluster stays, and is billed on a cloud

        ClusterName name = ClusterName.of("demo"); // later, also in another process
        try (Cluster demo = clusters.open(name)) {
            solve(demo);
        }
        clusters.stop(name); // still billed: disks, public addresses, the load balancer, captured images
        clusters.start(name).close();

        DestroyReport report = clusters.destroy(name);
        report.left().forEach((resource, reason) -> show("not deleted", resource, reason));
    }

    static void inAService(ClusterManager clusters, Path file) {
        ClusterSpec spec = SpecReader.read(file);
        Operation<Cluster> creation = clusters.createAsync(
                spec, CreateOptions.standard().listener(event -> show(event)).limit(Duration.ofHours(1)));
        Optional<Cluster> demo = creation.await(Duration.ofMinutes(40));
        if (demo.isEmpty()) {
            creation.cancel(); // deletes what it created
        }
    }

    static void runAJob(Cluster cluster) {
        JobResult result = MpiJob.of("/opt/app/solver", "case.xml")
                .ranksPerNode(2)
                .on(cluster)
                .onOutput(line -> System.out.println(line.text()))
                .run(Duration.ofHours(2));
        if (!result.succeeded()) {
            System.err.println(result.summary());
        }
    }

    static void onHosts() {
        try (Cluster hosts = Hosts.ofThisJob().connect()) {
            MpiJob.of("/opt/app/solver", "case.xml").on(hosts).run().orThrow();
        }
    }

    static void onHostsWithInfiniBand() {
        try (Cluster hosts =
                Hosts.ofThisJob().interconnect(Interconnect.SRIOV_INFINIBAND).connect()) {
            MpiJob.of("/opt/app/solver", "case.xml").on(hosts).run().orThrow();
        }
    }

    static void withAnInstallation(Cluster cluster, NodeSession session) {
        MpiInstallation mpi = MpiInstallation.on(session).get(0);
        System.out.println(mpi.environment()); // {HPCX_DIR=…, OPAL_PREFIX=…}
        MpiJob.of("solver").installation(mpi).on(cluster).run().orThrow(); // without a search
    }

    static void retry(ClusterManager clusters, Cluster cluster) {
        try (ClusterReplacer replacer = ClusterReplacer.of(clusters, cluster, event -> {})) {
            JobAttempts attempts = MpiJob.of("/opt/app/solver", "case.xml")
                    .on(replacer.cluster())
                    .run(
                            Duration.ofHours(2),
                            JobPolicy.attempts(3).restartWith("--restart").replacing(replacer::replace));
            attempts.orThrow();
        }
    }

    static void queue(Cluster cluster) {
        SlurmTarget slurm = SlurmTarget.of(cluster).partition("nodes");
        String id = MpiJob.of("/opt/app/solver", "case.xml").on(slurm).submit().id();

        QueuedJob job = QueuedJob.find(slurm, id); // later, also in another process
        job.follow(Duration.ofHours(8), line -> System.out.println(line.text()));
    }

    @LocalCluster(nodes = 3)
    static class LostNodeTest {
        @Test
        void reportsTheLoss(Cluster cluster) throws InterruptedException {
            NodeName last = cluster.nodes().get(2).name();
            CountDownLatch up = new CountDownLatch(3);
            try (RunningJob job = MpiJob.of("sh", "-c", "echo up; sleep 60")
                    .ranksPerNode(1)
                    .on(cluster)
                    .onOutput(line -> up.countDown())
                    .start()) {
                up.await();
                cluster.run(Command.of("sudo", "pkill", "-x", "sshd"), List.of(last), cluster.loginUser());
                JobResult result = job.await(Duration.ofMinutes(2)).orElseThrow();
                assertEquals(JobResult.Outcome.NODE_LOST, result.outcome());
            }
        }
    }

    @LocalCluster(nodes = 2)
    static class GrowingTest {
        @Test
        void usesANodeThatIsAdded(Cluster cluster, ClusterManager clusters) {
            try (Cluster larger = clusters.resize(cluster.name(), 3)) {
                JobResult result =
                        MpiJob.of("hostname").ranksPerNode(1).on(larger).run();
                assertTrue(result.succeeded(), result::summary);
            } finally {
                clusters.resize(cluster.name(), 2).close();
            }
        }
    }

    @LocalCluster(nodes = 2, lifecycle = LocalCluster.Lifecycle.SHARED)
    static class SmallCaseTest {
        @Test
        void isSolved(Cluster cluster) {
            MpiJob.of("hostname").ranks(2).on(cluster).run().orThrow();
        }
    }

    @LocalCluster(nodes = 2, lifecycle = LocalCluster.Lifecycle.SHARED)
    static class LargeCaseTest {
        @Test
        void isSolved(Cluster cluster) {
            MpiJob.of("hostname").ranks(8).on(cluster).run().orThrow();
        }
    }

    static class CopyTest {
        @Test
        void copiesFromOneClusterToAnother(@LocalCluster(nodes = 1) Cluster from, @LocalCluster(nodes = 2) Cluster to) {
            assertEquals(3, from.nodes().size() + to.nodes().size());
        }
    }

    static final class FixedAddresses implements LocalCluster.Description {
        @Override
        public void describe(ClusterSpec.Builder spec) {
            spec.network(network -> network.addressSpace("10.90.0.0/24"));
        }
    }

    private static void solve(Cluster cluster) {
        runAJob(cluster);
    }

    private static void show(Object... words) {
        for (Object word : words) {
            System.out.println(word);
        }
    }
}
