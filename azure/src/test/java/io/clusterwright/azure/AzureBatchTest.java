package io.clusterwright.azure;

import static io.clusterwright.azure.RealPool.HPC_X;
import static io.clusterwright.azure.RealPool.SOON;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.core.http.HttpPipelineBuilder;
import io.clusterwright.azure.emulator.BatchEmulator;
import io.clusterwright.azure.internal.batch.BatchCalls;
import io.clusterwright.azure.internal.batch.BatchTarget;
import io.clusterwright.azure.internal.batch.CommonFiles;
import io.clusterwright.core.RunningCommand.OutputListener;
import io.clusterwright.core.plan.Finding;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.MpiFlavour;
import io.clusterwright.core.type.InvalidValueException;
import io.clusterwright.core.type.Ipv4Address;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.mpi.MpiJob;
import io.clusterwright.mpi.bench.BenchmarkReport;
import io.clusterwright.mpi.bench.Benchmarks;
import io.clusterwright.mpi.job.JobResult;
import io.clusterwright.mpi.job.JobTarget;
import io.clusterwright.mpi.job.MpiInstallation;
import io.clusterwright.mpi.job.OutputLine;
import io.clusterwright.mpi.job.QueuedJob;
import io.clusterwright.mpi.job.QueuedJobStatus;
import io.clusterwright.mpi.preset.MpiPresets;
import io.clusterwright.mpi.spi.LaunchNode;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;

/** MPI jobs on an emulated Batch account whose nodes are real. */
@Tag("breadth")
class AzureBatchTest {
    private static final MpiInstallation INTEL_MPI = new MpiInstallation(MpiFlavour.INTEL_MPI, "2021.16", "mpirun");

    private static ClusterSpec spec() {
        return ClusterSpec.builder("pool")
                .region("westeurope")
                .nodes(n -> n.count(2).size("Standard_HB120rs_v3"))
                .image(i -> i.base("microsoft-dsvm:ubuntu-hpc:2204:latest"))
                .build();
    }

    /** The jobs share one pool of two nodes. */
    @Nested
    @TestInstance(Lifecycle.PER_CLASS)
    class OnRealNodes {
        private RealPool made;
        private BatchPool pool;

        @BeforeAll
        void createPool(@TempDir Path folder) {
            made = RealPool.create(
                    folder,
                    "10.43.0.0/24",
                    spec(),
                    each -> each.mountNfs("10.43.0.2:/export/cases", "cases", "")
                            .startScript("echo started >/opt/started; chmod 644 /opt/started"));
            pool = made.pool;
        }

        @AfterAll
        void deletePool() {
            if (made != null) {
                made.close();
            }
        }

        private JobResult run(MpiInstallation mpi, MpiJob job, Duration limit) {
            return job.on(pool.target(mpi)).run(limit);
        }

        @Test
        void ranksGetThePresetOfTheSizeTheDevicesOfTheirNodeAndTheMounts() {
            MpiJob job = MpiJob.of(
                            "sh",
                            "-c",
                            "echo $(hostname) $OMPI_MCA_pml ${UCX_NET_DEVICES-} ${HPCX_DIR:+hpcx} $(ls -d $AZ_BATCH_NODE_MOUNTS_DIR/cases)")
                    .environment("AZ_BATCH_NODE_MOUNTS_DIR", "/mnt/batch/tasks/fsmounts")
                    .ranksPerNode(1);
            JobResult result = run(HPC_X, job, SOON);
            assertThat(result.succeeded()).as(text(result)).isTrue();
            assertThat(stdout(result))
                    .as(text(result))
                    .hasSize(2)
                    .allMatch(line -> line.matches("\\S+ ucx mlx5_(0|ib0):1 hpcx /mnt/batch/tasks/fsmounts/cases"));
        }

        private static String text(JobResult result) {
            return result.outputTail().stream().map(OutputLine::text).collect(Collectors.joining("\n"));
        }

        @Test
        void runsAPingPongOfTheHpcXOfTheImage() {
            JobResult result = run(HPC_X, netPipe("NPopenmpi").preset(MpiPresets.named("open-mpi/tcp")), SOON);
            assertThat(result.succeeded()).as(text(result)).isTrue();
            assertThat(Benchmarks.parse(text(result)).reports()).singleElement().satisfies(OnRealNodes::isAPingPong);
        }

        /** MPICH 4.0 may never come back from MPI_Finalize; its table is there all the same. */
        @Test
        void runsAPingPongOfTheIntelMpiOfTheImage() {
            QueuedJob job = netPipe("NPmpich2")
                    .preset(MpiPresets.named("intel-mpi/tcp"))
                    .on(pool.target(INTEL_MPI))
                    .submit(Duration.ofSeconds(30));
            QueuedJobStatus end = job.await(SOON).orElseThrow();
            assertThat(Benchmarks.parse(job.output()).reports())
                    .as(end + job.output())
                    .singleElement()
                    .satisfies(OnRealNodes::isAPingPong);
            pool.deleteJob(job.id());
        }

        private static MpiJob netPipe(String program) {
            return MpiJob.of(program, "-p", "0", "-u", "65536", "-n", "3", "-o", "/dev/null")
                    .ranksPerNode(1);
        }

        private static void isAPingPong(BenchmarkReport report) {
            assertThat(report.rows()).hasSizeGreaterThan(10);
            assertThat(report.rows().get(report.rows().size() - 1).bytes()).hasValue(65_536);
        }

        @Test
        void hpcXReachesTheOtherNodesToo() {
            JobResult result = run(HPC_X, MpiJob.of("hostname").ranksPerNode(2), SOON);
            List<String> lines = stdout(result);
            assertThat(lines.stream().distinct()).as(text(result)).hasSize(2);
            assertThat(lines).hasSize(4);
        }

        @Test
        void hpcXFailsWithoutTheVariablesOfItsScript() {
            MpiInstallation path = new MpiInstallation(
                    MpiFlavour.HPC_X,
                    "4.1.4",
                    "/opt/hpcx-v2.24.1-gcc-doca_ofed-ubuntu22.04-cuda12-x86_64/ompi/bin/mpirun");
            JobResult result =
                    run(path, MpiJob.of("hostname").withoutMpiEnvironment().ranksPerNode(2), SOON);
            assertThat(result.succeeded()).isFalse();
            assertThat(result.findings()).extracting(Finding::code).contains("CW-DIAG-219");
        }

        @Test
        void aLauncherThatOnlyTheScriptOfItsMpiPutsOnThePathIsMissingWithoutIt() {
            JobResult result =
                    run(HPC_X, MpiJob.of("hostname").withoutMpiEnvironment().ranksPerNode(2), SOON);
            assertThat(result.succeeded()).isFalse();
            assertThat(result.findings())
                    .as(text(result))
                    .extracting(Finding::message)
                    .anyMatch(message -> message.contains("the program mpirun is not on"));
        }

        private static List<String> stdout(JobResult result) {
            return result.outputTail().stream()
                    .filter(line -> line.stream() == OutputListener.Stream.STDOUT)
                    .map(OutputLine::text)
                    .toList();
        }

        @Test
        void everyRankHasItsArgumentsAndVariables() {
            MpiJob job = MpiJob.of(
                            "sh",
                            "-c",
                            "echo \"$(hostname) [$1] [$GREETING] $(cat /opt/started)\"",
                            "it",
                            "a 'b' \"c\" $d")
                    .ranksPerNode(2)
                    .environment("GREETING", "two words");
            List<String> lines =
                    stdout(run(INTEL_MPI, job, SOON)).stream().sorted().toList();
            assertThat(lines)
                    .hasSize(4)
                    .allSatisfy(line -> assertThat(line).endsWith(" [a 'b' \"c\" $d] [two words] started"));
            assertThat(lines.stream().map(line -> line.split(" ", 2)[0]).distinct())
                    .hasSize(2);
        }

        /** The folder of the task itself is on the first node only. */
        @Test
        void everyNodeHasTheCommonFilesBeforeTheCoordination(@TempDir Path folder) throws Exception {
            byte[] large = new byte[5 * 1024 * 1024 + 1];
            new Random(4711).nextBytes(large);
            Path big = Files.write(folder.resolve("big file"), large);
            Path tool = Files.writeString(
                    folder.resolve("tool"), "#!/bin/sh\ncat in/case.xml one/one.txt two/sub/two.txt\n");
            assertThat(tool.toFile().setExecutable(true)).isTrue();
            Path text = Files.writeString(folder.resolve("case.xml"), "case");
            String stored = made.emulator.container("stored", "rcw").reveal();
            put(stored, "one.txt", "one");
            put(stored, "sub/two.txt", "two");
            URI readable = URI.create(made.emulator.container("stored", "rl").reveal());
            BatchPool with = pool.storage(made.emulator.container("jobs", "rcw"))
                    .commonFile(URI.create(blob(stored, "one.txt")), "one/one.txt")
                    .commonFiles(readable, "sub/", "two")
                    .commonFiles("stored", "", "all");
            JobTarget target = with.target(
                    INTEL_MPI,
                    "sh",
                    "-c",
                    "cd \"$AZ_BATCH_TASK_SHARED_DIR\" && test -r in/case.xml -a -r all/sub/two.txt");
            MpiJob job = MpiJob.of(
                            "sh",
                            "-c",
                            "echo $(./tool) $(cat all/one.txt /tmp/cw-case) $(sha256sum < 'big file' | cut -c1-64) $(ls -l /tmp/cw-case | cut -c1-10)")
                    .ranksPerNode(1)
                    .stageIn(text, "in/case.xml")
                    .stageIn(text, "/tmp/cw-case")
                    .stageIn(tool, "tool")
                    .stageIn(big, "big file");
            JobResult result = job.on(target).run(SOON);
            String digest = HexFormat.of()
                    .formatHex(MessageDigest.getInstance("SHA-256").digest(large));
            assertThat(stdout(result))
                    .as(result + text(result))
                    .hasSize(2)
                    .allMatch(line -> line.matches("caseonetwo onecase " + digest + " -rw-r--r--"));
        }

        @Test
        void aFileThatIsNotThereOrMayNotBeReadKeepsTheJobFromStarting() {
            String stored = made.emulator.container("stored", "r").reveal();
            String writable = made.emulator.container("stored", "w").reveal();
            assertThat(reason(pool.commonFile(URI.create(blob(stored, "absent")), "absent")))
                    .startsWith("BlobNotFound: ");
            assertThat(reason(pool.commonFile(URI.create(blob(writable, "absent")), "absent")))
                    .startsWith("BlobAccessDenied: ");
            assertThat(reason(pool.commonFiles(URI.create(stored), "", "")))
                    .as("not listed")
                    .startsWith("ResourceContainerAccessDenied: ");
            assertThat(reason(pool.commonFiles("no-such", "", ""))).startsWith("ResourceContainerListMiscError: ");
        }

        private static String reason(BatchPool with) {
            QueuedJobStatus end = MpiJob.of("true")
                    .ranksPerNode(1)
                    .on(with.target(INTEL_MPI))
                    .submit()
                    .await(SOON)
                    .orElseThrow();
            assertThat(end.state()).isEqualTo(QueuedJobStatus.State.FAILED);
            assertThat(end.exitStatus()).isEmpty();
            return end.reason();
        }

        private static String blob(String container, String name) {
            return container.replaceFirst("\\?", "/" + name + "?");
        }

        private static void put(String container, String name, String content) throws Exception {
            HttpRequest request = HttpRequest.newBuilder(URI.create(blob(container, name)))
                    .header("x-ms-blob-type", "BlockBlob")
                    .PUT(HttpRequest.BodyPublishers.ofString(content))
                    .build();
            assertThat(HttpClient.newHttpClient()
                            .send(request, HttpResponse.BodyHandlers.discarding())
                            .statusCode())
                    .isEqualTo(201);
        }

        @Test
        void aFailedCoordinationKeepsTheJobFromStarting() {
            JobTarget target =
                    pool.target(INTEL_MPI, "sh", "-c", "[ \"$AZ_BATCH_IS_CURRENT_NODE_MASTER\" = true ] || exit 7");
            QueuedJobStatus end = MpiJob.of("true")
                    .ranksPerNode(1)
                    .on(target)
                    .submit()
                    .await(SOON)
                    .orElseThrow();
            assertThat(end.succeeded()).isFalse();
            assertThat(end.exitStatus()).hasValue(7);
            assertThat(end.reason()).startsWith("FailureExitCode");
        }

        @Test
        void aCancelledJobLeavesNoProcess() {
            QueuedJob job = MpiJob.of("sleep", "4711")
                    .ranksPerNode(1)
                    .on(pool.target(INTEL_MPI))
                    .submit();
            assertThat(job.await(Duration.ofMillis(1500))).isEmpty();
            QueuedJob found = QueuedJob.find(pool.target(INTEL_MPI), job.id());
            found.cancel();
            assertThat(found.await(SOON)).hasValueSatisfying(end -> {
                assertThat(end.succeeded()).isFalse();
                assertThat(end.state()).isEqualTo(QueuedJobStatus.State.CANCELLED);
            });
            assertThat(nothingIsLeftOf("[s]leep 4711")).isTrue();
        }

        @Test
        void aJobIsEndedAtItsLimit() {
            MpiJob job = MpiJob.of("sh", "-c", "echo begun; exec sleep 4712").ranksPerNode(1);
            QueuedJob queued = job.on(pool.target(INTEL_MPI)).submit(Duration.ofSeconds(4));
            QueuedJobStatus end = queued.await(SOON).orElseThrow();
            assertThat(end.reason()).isEqualTo("TaskEnded: The task ran longer than its maxWallClockTime.");
            assertThat(end.state()).isEqualTo(QueuedJobStatus.State.TIMED_OUT);
            assertThat(end.exitStatus()).isEmpty();
            assertThat(queued.output().lines().limit(2)).containsExactly("begun", "begun");
            assertThat(nothingIsLeftOf("[s]leep 4712")).isTrue();
        }

        private boolean nothingIsLeftOf(String pattern) {
            MpiJob look = MpiJob.of(
                            "sh",
                            "-c",
                            "for n in $(seq 100); do pgrep -f '" + pattern
                                    + "' >/dev/null || exit 0; sleep 0.1; done; exit 1")
                    .ranksPerNode(1);
            return run(INTEL_MPI, look, SOON).succeeded();
        }
    }

    @Test
    void refusesPoolsOfUnknownImagesAndExistingPools() {
        try (BatchEmulator emulator = BatchEmulator.builder().start()) {
            AzureBatch batch = RealPool.connect(emulator);
            ClusterSpec unknown = spec().toBuilder()
                    .image(i -> i.base("no-one:nothing:1:latest"))
                    .build();
            assertThatThrownBy(() -> batch.createPool(unknown))
                    .isInstanceOf(AzureException.class)
                    .hasMessageContaining("Batch has no node agent for it");
            batch.createPool(spec());
            assertThatThrownBy(() -> batch.createPool(spec())).isInstanceOfSatisfying(AzureException.class, e -> {
                assertThat(e.reason()).isEqualTo(AzureException.Reason.CONFLICT);
                assertThat(e.code()).isEqualTo("PoolExists");
            });
        }
    }

    @Test
    void refusesJobsThatCannotStart() {
        BatchTarget target = unreachable(MpiFlavour.OPEN_MPI);
        assertThatThrownBy(() ->
                        MpiJob.of("solver").ranks(9).ranksPerNode(4).on(target).submit())
                .isInstanceOf(InvalidValueException.class)
                .hasMessageContaining("invalid number of ranks \"9\"");
        assertThatThrownBy(() ->
                        MpiJob.of("solver").on(unreachable(MpiFlavour.MS_MPI)).submit())
                .isInstanceOf(InvalidValueException.class)
                .hasMessageContaining("mpich, intel-mpi, open-mpi or hpc-x");
        assertThatThrownBy(() -> QueuedJob.find(target, "../x")).hasMessageContaining("invalid Batch job id ");
        assertThatThrownBy(() ->
                        AzureBatch.connect(new HttpPipelineBuilder().build(), URI.create("http://batch.example"), SOON))
                .hasMessageContaining("plain http is for an endpoint on this machine only");
    }

    private static BatchTarget unreachable(MpiFlavour flavour) {
        return new BatchTarget(
                new BatchCalls(new HttpPipelineBuilder().build(), URI.create("http://127.0.0.1:9"), SOON),
                spec(),
                List.of(new LaunchNode(new NodeName("pool1"), Ipv4Address.of("10.43.0.4"), 4)),
                new MpiInstallation(flavour, "", "mpiexec"),
                List.of(),
                CommonFiles.NONE,
                0);
    }
}
