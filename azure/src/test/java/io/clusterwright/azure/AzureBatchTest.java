package io.clusterwright.azure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.core.http.HttpPipelineBuilder;
import io.clusterwright.azure.emulator.BatchEmulator;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.MpiFlavour;
import io.clusterwright.core.type.AddressRange;
import io.clusterwright.linux.local.LocalMachines;
import io.clusterwright.mpi.MpiJob;
import io.clusterwright.mpi.bench.BenchmarkReport;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** MPI jobs on an emulated Batch account whose nodes are real. */
class AzureBatchTest {
    private static final Duration SOON = Duration.ofMinutes(3);

    @TempDir
    private Path folder;

    private static ClusterSpec spec() {
        return ClusterSpec.builder("pool")
                .region("westeurope")
                .nodes(n -> n.count(2).size("Standard_HB120rs_v3"))
                .image(i -> i.base("microsoft-dsvm:ubuntu-hpc:2204:latest"))
                .build();
    }

    private static AzureBatch connect(BatchEmulator emulator) {
        return AzureBatch.connect(new HttpPipelineBuilder().build(), emulator.url(), Duration.ofMillis(50));
    }

    @Test
    void aTaskRunsARealPingPongBetweenTheNodesOfAPoolAndGivesItsTable() {
        LocalMachines local = LocalMachines.builder()
                .runFolder(folder.resolve("run"))
                .storeFolder(folder.resolve("store"))
                .build();
        try (BatchEmulator emulator = BatchEmulator.builder()
                .addressSpace(AddressRange.parse("10.43.0.0/24"))
                .machinesBackedBy(local.host())
                .start()) {
            BatchPool pool = connect(emulator).createPool(spec(), "echo started >/opt/started; chmod 644 /opt/started");
            assertThat(pool.awaitReady(SOON))
                    .hasSize(2)
                    .allSatisfy(node -> assertThat(node.state()).isEqualTo("idle"));

            pingPong(pool);
            pingPongOfMpich(pool);
            openMpiReachesTheOtherNodesToo(pool);
            everyRankHasItsArgumentsAndVariables(pool);
            aCoordinationThatFailsKeepsTheJobFromStarting(pool);
            aCancelledJobLeavesNoProcess(pool);
            aJobIsEndedAtItsLimit(pool);

            pool.delete();
        } finally {
        }
    }

    private static void pingPong(BatchPool pool) {
        BatchResult result = run(
                pool, BatchTask.of(netPipe("NPopenmpi"), MpiFlavour.OPEN_MPI, 2).launcher("mpirun.openmpi"));
        assertThat(result.succeeded()).as(result.failure() + result.errors()).isTrue();
        assertThat(result.benchmarks().reports()).singleElement().satisfies(AzureBatchTest::isAPingPong);
    }

    /** MPICH 4.0 may never come back from MPI_Finalize; its table is there all the same. */
    private static void pingPongOfMpich(BatchPool pool) {
        BatchResult result = run(
                pool,
                BatchTask.of(netPipe("NPmpich2"), MpiFlavour.MPICH, 2)
                        .launcher("mpirun.mpich")
                        .limit(Duration.ofSeconds(30)));
        assertThat(result.benchmarks().reports())
                .as(result.failure() + result.errors())
                .singleElement()
                .satisfies(AzureBatchTest::isAPingPong);
    }

    private static MpiJob netPipe(String program) {
        return MpiJob.of(program, "-p", "0", "-u", "65536", "-n", "3", "-o", "/dev/null");
    }

    private static void isAPingPong(BenchmarkReport report) {
        assertThat(report.rows()).hasSizeGreaterThan(10);
        assertThat(report.rows().get(report.rows().size() - 1).bytes()).hasValue(65_536);
    }

    private static void openMpiReachesTheOtherNodesToo(BatchPool pool) {
        MpiJob job = MpiJob.of("hostname").ranksPerNode(2);
        BatchResult result = run(pool, BatchTask.of(job, MpiFlavour.OPEN_MPI, 2).launcher("mpirun.openmpi"));
        assertThat(result.output().lines().distinct()).as(result.errors()).hasSize(2);
        assertThat(result.output().lines()).hasSize(4);
    }

    private static void everyRankHasItsArgumentsAndVariables(BatchPool pool) {
        MpiJob job = MpiJob.of(
                        "sh", "-c", "echo \"$(hostname) [$1] [$GREETING] $(cat /opt/started)\"", "it", "a 'b' \"c\" $d")
                .ranksPerNode(2)
                .environment("GREETING", "two words");
        BatchResult result = run(pool, BatchTask.of(job, MpiFlavour.MPICH, 2).launcher("mpirun.mpich"));
        List<String> lines = result.output().lines().sorted().toList();
        assertThat(lines)
                .hasSize(4)
                .allSatisfy(line -> assertThat(line).endsWith(" [a 'b' \"c\" $d] [two words] started"));
        assertThat(lines.stream().map(line -> line.split(" ", 2)[0]).distinct()).hasSize(2);
    }

    private static void aCoordinationThatFailsKeepsTheJobFromStarting(BatchPool pool) {
        BatchTask task = BatchTask.of(MpiJob.of("true"), MpiFlavour.MPICH, 2)
                .launcher("mpirun.mpich")
                .coordination("sh", "-c", "[ \"$AZ_BATCH_IS_CURRENT_NODE_MASTER\" = true ] || exit 7");
        BatchResult result = run(pool, task);
        assertThat(result.succeeded()).isFalse();
        assertThat(result.exitCode()).isEqualTo(OptionalInt.of(7));
        assertThat(result.failure()).startsWith("FailureExitCode");
    }

    private static void aCancelledJobLeavesNoProcess(BatchPool pool) {
        BatchRun run = pool.submit(
                BatchTask.of(MpiJob.of("sleep", "4711"), MpiFlavour.MPICH, 2).launcher("mpirun.mpich"));
        assertThat(run.await(Duration.ofMillis(1500))).isEmpty();
        run.cancel();
        assertThat(run.await(SOON))
                .hasValueSatisfying(result -> assertThat(result.succeeded()).isFalse());
        assertThat(nothingIsLeftOf(pool, "[s]leep 4711")).isTrue();
    }

    private static void aJobIsEndedAtItsLimit(BatchPool pool) {
        MpiJob job = MpiJob.of("sh", "-c", "echo begun; exec sleep 4712");
        BatchResult result = run(
                pool,
                BatchTask.of(job, MpiFlavour.MPICH, 2).launcher("mpirun.mpich").limit(Duration.ofSeconds(4)));
        assertThat(result.failure()).isEqualTo("TaskEnded: The task ran longer than its maxWallClockTime.");
        assertThat(result.exitCode()).isEmpty();
        assertThat(result.output().lines()).containsExactly("begun", "begun");
        assertThat(nothingIsLeftOf(pool, "[s]leep 4712")).isTrue();
    }

    private static boolean nothingIsLeftOf(BatchPool pool, String pattern) {
        MpiJob look = MpiJob.of(
                "sh",
                "-c",
                "for n in $(seq 100); do pgrep -f '" + pattern + "' >/dev/null || exit 0; sleep 0.1; done; exit 1");
        return run(pool, BatchTask.of(look, MpiFlavour.MPICH, 2).launcher("mpirun.mpich"))
                .succeeded();
    }

    private static BatchResult run(BatchPool pool, BatchTask task) {
        BatchRun run = pool.submit(task);
        BatchResult result = run.await(SOON).orElseThrow();
        run.delete();
        return result;
    }

    @Test
    void aPoolIsRefusedWhereBatchHasNoAgentForTheImageOrThereIsSuchAPool() {
        try (BatchEmulator emulator = BatchEmulator.builder().start()) {
            AzureBatch batch = connect(emulator);
            ClusterSpec unknown = spec().toBuilder()
                    .image(i -> i.base("nobody:nothing:1:latest"))
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
    void whatCannotBeStartedIsRefusedBeforeItIsHandedOver() {
        MpiJob job = MpiJob.of("solver").ranks(9).ranksPerNode(4);
        assertThatThrownBy(() -> BatchTask.of(job, MpiFlavour.OPEN_MPI, 2))
                .hasMessage("9 ranks do not fit 2 nodes with 4 ranks each; raise ranksPerNode or the number of nodes");
        assertThatThrownBy(() -> BatchTask.of(MpiJob.of("solver"), MpiFlavour.MS_MPI, 2))
                .hasMessageContaining("use mpich, intel-mpi, open-mpi or hpc-x");
        assertThatThrownBy(() ->
                        AzureBatch.connect(new HttpPipelineBuilder().build(), URI.create("http://batch.example"), SOON))
                .hasMessageContaining("plain http is for an endpoint on this machine only");
    }
}
