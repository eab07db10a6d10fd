package io.clusterwright.windows.hpcpack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clusterwright.core.Planner;
import io.clusterwright.core.plan.Finding;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.SpecReader;
import io.clusterwright.core.type.InvalidValueException;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.mpi.JobPolicy;
import io.clusterwright.mpi.MpiJob;
import io.clusterwright.mpi.job.JobAttempts;
import io.clusterwright.mpi.job.JobResult;
import io.clusterwright.mpi.job.JobTarget;
import io.clusterwright.windows.emulator.HpcPackEmulator;
import io.clusterwright.windows.emulator.TaskRunner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The nodes that jobs of a head node get: those of one placement domain, without lost ones, as a description names them. */
@Timeout(60)
class HpcPackPlacementTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final MpiJob ONE_PER_NODE = MpiJob.of("app.exe").ranksPerNode(1);

    private static HpcPackEmulator.Builder mixed() {
        return HpcPackEmulator.builder()
                .plainHttp()
                .addNode("CN001", 8)
                .addNode("AzureCN-0001", 8, "AzureNodes")
                .addNode("AzureCN-0002", 8, "AzureNodes");
    }

    @Nested
    class Domains {
        @Test
        void refusesAJobOverBurstNodesAndOthers() {
            try (HpcPackEmulator head = mixed().start();
                    HpcPackClient client = HeadNode.open(head)) {
                HpcPackTarget all = HpcPackTarget.of(client);
                for (HpcPackTarget target : List.of(all, all.only(names("CN001", "AzureCN-0001")))) {
                    assertThatThrownBy(() -> ONE_PER_NODE.on(target).run(MINUTE))
                            .isInstanceOf(InvalidValueException.class)
                            .hasMessageContaining("could span")
                            .hasMessageContaining("burst nodes")
                            .hasMessageContaining("network of the head node");
                }
                assertThat(client.jobs().list()).isEmpty();
            }
        }

        @Test
        void runsAJobOnOneOfThem() {
            try (HpcPackEmulator head = mixed().start();
                    HpcPackClient client = HeadNode.open(head)) {
                HpcPackTarget all = HpcPackTarget.of(client);
                for (HpcPackTarget target : List.of(
                        HpcPackTarget.ofGroup(client, "AzureNodes"),
                        all.only(names("AzureCN-0002", "AzureCN-0001")),
                        all.only(names("CN001")))) {
                    assertThat(ONE_PER_NODE.on(target).run(MINUTE).succeeded()).isTrue();
                }
            }
        }

        @Test
        void takesDomainsThatTheHeadNodeDoesNotKnow() {
            try (HpcPackEmulator head = mixed().start();
                    HpcPackClient client = HeadNode.open(head)) {
                HpcPackTarget two = HpcPackTarget.ofGroup(client, "AzureNodes")
                        .domains(Map.of("azurecn-0001", "service-a", "azurecn-0002", "service-b"));
                assertThatThrownBy(() -> ONE_PER_NODE.on(two).run(MINUTE))
                        .hasMessageContaining("could span service-a and service-b");
                HpcPackTarget one =
                        HpcPackTarget.of(client).domains(Map.of("AzureNodes", "group-1", "CN001", "group-1"));
                assertThat(ONE_PER_NODE.on(one).run(MINUTE).succeeded()).isTrue();
            }
        }
    }

    @Test
    void aLostNodeIsLeftOutOfTheNextAttempt() throws InterruptedException {
        AtomicInteger runs = new AtomicInteger();
        CountDownLatch started = new CountDownLatch(1);
        TaskRunner runner = (task, output) -> {
            if (runs.incrementAndGet() == 1) {
                started.countDown();
                new CountDownLatch(1).await();
            }
            return 0;
        };
        try (HpcPackEmulator head = mixed().tasksRunBy(runner).start();
                HpcPackClient client = HeadNode.open(head)) {
            HpcPackTarget target = HpcPackTarget.ofGroup(client, "AzureNodes");
            Thread fault = new Thread(() -> {
                try {
                    started.await();
                    head.disconnectNode("AzureCN-0001");
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            });
            fault.start();

            JobAttempts attempts = ONE_PER_NODE.on(target).run(MINUTE, JobPolicy.attempts(2));
            fault.join();

            assertThat(attempts.attempts()).hasSize(2);
            assertThat(attempts.attempts().get(0).lost()).containsExactly(NodeName.of("AzureCN-0001"));
            assertThat(attempts.attempts().get(0).next()).isEqualTo("left out AzureCN-0001");
            assertThat(attempts.succeeded()).isTrue();
            assertThat(client.jobs().properties(2)).containsEntry("RequestedNodes", "AzureCN-0002");
        }
    }

    @Nested
    class FromADescription {
        @TempDir
        private Path folder;

        @Test
        void reachesTheHeadNodeThatItNamesAndRunsJobsAsItsAccount() throws IOException {
            try (HpcPackEmulator head = mixed().withoutCachedCredentials().start();
                    HpcPackClient client = HeadNode.open(head)) {
                ClusterSpec spec = spec(
                        head,
                        "hpcPack: {scenario: burst, jobTemplate: Default, burst: {cloudService: c1,"
                                + " storageAccount: store1}");

                JobTarget target = JobTarget.scheduled(spec);
                JobResult result = ONE_PER_NODE.on(target).run(MINUTE);

                assertThat(target.nodeNames())
                        .extracting(NodeName::value)
                        .containsExactly("AzureCN-0001", "AzureCN-0002");
                assertThat(result.succeeded()).as(result.toString()).isTrue();
                assertThat(String.join(" ", result.command())).isEqualTo("mpiexec -c 1 -env A 1 app.exe");
                assertThat(client.jobs().properties(1))
                        .containsEntry("NodeGroups", "AzureNodes")
                        .containsEntry("JobTemplate", "Default");
            }
        }

        @Test
        void jobsOfMachinesOfADomainGetThePresetAndTheNetmask() throws IOException {
            try (HpcPackEmulator head = HpcPackEmulator.builder().plainHttp().start()) {
                ClusterSpec spec = spec(head, "hpcPack: {scenario: iaas, nodeGroup: ComputeNodes");
                JobResult result = ONE_PER_NODE.on(JobTarget.scheduled(spec)).run(MINUTE);
                assertThat(String.join(" ", result.command()))
                        .contains("-env MSMPI_DISABLE_SOCK 1")
                        .contains("-env MSMPI_PRECONNECT all")
                        .contains("-env MPICH_NETMASK 172.16.0.0/255.255.0.0")
                        .endsWith("app.exe");
            }
        }

        @Test
        void schedulerIsCarriedOutWhereTheHeadNodeIsNamed() throws IOException {
            try (HpcPackEmulator head = mixed().start()) {
                ClusterSpec spec = spec(head, "hpcPack: {scenario: iaas");
                assertThat(Planner.check(spec)).extracting(Finding::code).doesNotContain("CW-SPEC-003");
                ClusterSpec without =
                        spec.toBuilder().hpcPack(pack -> pack.nodeGroup("Rdma")).build();
                assertThat(without.hpcPack().orElseThrow().head()).isPresent();
                assertThatThrownBy(() -> JobTarget.scheduled(SpecReader.read(
                                "name: c\nregion: westus\nscheduler: hpc-pack\noperatingSystem: windows\n"
                                        + "login: {password: {secret: env:NONE}}\nnodes: {count: 2, size: Standard_A9}\n",
                                "spec")))
                        .isInstanceOf(InvalidValueException.class)
                        .hasMessageContaining("hpcPack: {head:");
            }
        }

        private ClusterSpec spec(HpcPackEmulator head, String pack) throws IOException {
            Path password = folder.resolve("password");
            Files.deleteIfExists(password);
            Files.createFile(
                    password, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
            Files.writeString(password, head.password().reveal());
            return SpecReader.read(Files.writeString(folder.resolve("cluster.yaml"), """
                            name: hpc1
                            region: westus
                            operatingSystem: windows
                            login: {user: hpcadmin, password: {secret: file:password}}
                            nodes: {count: 2, size: Standard_A9}
                            scheduler: hpc-pack
                            mpi: {env: {A: "1"}, netmask: 172.16.0.0/255.255.0.0}
                            %s, head: {address: "%s", user: 'HPC\\hpcadmin', password: {secret: file:password}}}
                            """.formatted(pack, head.url())));
        }
    }

    private static List<NodeName> names(String... names) {
        return List.of(names).stream().map(NodeName::of).toList();
    }
}
