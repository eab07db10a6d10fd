package io.clusterwright.windows.hpcpack;

import static org.assertj.core.api.Assertions.assertThat;

import io.clusterwright.core.Cluster;
import io.clusterwright.core.Command;
import io.clusterwright.core.Node;
import io.clusterwright.linux.junit.LocalCluster;
import io.clusterwright.mpi.MpiJob;
import io.clusterwright.mpi.RunningJob;
import io.clusterwright.mpi.bench.BenchmarkReport;
import io.clusterwright.mpi.bench.BenchmarkRow;
import io.clusterwright.mpi.job.JobResult;
import io.clusterwright.mpi.job.JobTarget;
import io.clusterwright.mpi.spi.NodeTarget;
import io.clusterwright.windows.emulator.HpcPackEmulator;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Jobs handed in over REST and TLS, whose ranks run on two real nodes. */
@Tag("breadth")
@LocalCluster(nodes = 2)
@Timeout(120)
class RealPingPongTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final Cluster cluster;
    private final HpcPackEmulator head;
    private final HpcPackClient client;
    private final HpcPackTarget target;

    RealPingPongTest(Cluster cluster) {
        this.cluster = cluster;
        head = HpcPackEmulator.builder()
                .tasksRunOn(JobTarget.of(cluster))
                .pingPongIterations(5)
                .start();
        client = HpcPackClient.open(HpcPackConnection.of(head.url(), HpcPackLogin.basic(head.user(), head.password()))
                .trust(List.of(head.certificate())));
        target = HpcPackTarget.of(client);
    }

    @AfterEach
    void stop() {
        client.close();
        head.close();
    }

    @Test
    void measuresLatencyAndThroughput() {
        BenchmarkRow latency = measured(MpiPingPong.latency());
        assertThat(latency.bytes()).hasValue(1);
        assertThat(latency.latencyMicros().orElseThrow()).isBetween(0.1, 1_000_000.0);

        BenchmarkRow throughput = measured(MpiPingPong.throughput());
        assertThat(throughput.bytes()).hasValue(4_000_000);
        assertThat(throughput.latencyMicros().orElseThrow())
                .isGreaterThan(latency.latencyMicros().orElseThrow());
    }

    private BenchmarkRow measured(MpiPingPong program) {
        MpiPingPong.Report report = program.run(target, MINUTE);
        assertThat(report.result().succeeded()).as(report.toString()).isTrue();
        assertThat(report.result().outputTail().get(0).text())
                .startsWith("Emulated head node: ")
                .contains("NPopenmpi", "in the place of MS-MPI's own program");
        BenchmarkReport table = report.table().orElseThrow();
        assertThat(table.rows()).hasSize(1);
        return table.rows().get(0);
    }

    @Test
    void passesArgumentsUnchangedToRanksOnBothNodes() {
        String script = "echo \"$(hostname) $0 $A\"";
        JobResult result = MpiJob.of("sh", "-c", script, "a \\\"b\" & 100% <c> ^d")
                .ranksPerNode(1)
                .environment("A", "one two")
                .on(target)
                .run(MINUTE);

        assertThat(result.succeeded()).as(result.toString()).isTrue();
        assertThat(result.outputTail())
                .extracting(line -> line.text())
                .containsExactlyInAnyOrderElementsOf(cluster.nodes().stream()
                        .map(node -> node.name() + " a \\\"b\" & 100% <c> ^d one two")
                        .toList());
    }

    @Test
    void returnsTheExitStatusOfTheRanks() {
        JobResult result = MpiJob.of("sh", "-c", "exit 3").ranks(1).on(target).run(MINUTE);
        assertThat(result.exitStatus()).hasValue(3);
        assertThat(client.jobs().task(1, 1).exitCode()).hasValue(3);
        assertThat(client.jobs().get(1).state()).isEqualTo(JobState.FAILED);
    }

    @Test
    void cancelledJobLeavesNoProcesses() throws InterruptedException {
        CountDownLatch runs = new CountDownLatch(2);
        try (RunningJob running = MpiJob.of("sh", "-c", "echo up; exec sleep 54321")
                .ranksPerNode(1)
                .on(target)
                .onOutput(line -> runs.countDown())
                .start(MINUTE)) {
            assertThat(runs.await(30, TimeUnit.SECONDS)).isTrue();
            running.cancel();
            assertThat(running.await(MINUTE).orElseThrow().outcome()).isEqualTo(JobResult.Outcome.CANCELLED);
        }
        assertThat(client.jobs().get(1).state()).isEqualTo(JobState.CANCELED);
        NodeTarget nodes = NodeTarget.of(JobTarget.of(cluster));
        for (Node node : cluster.nodes()) {
            Command look = Command.of("pgrep", "-f", "[s]leep 54321");
            assertThat(nodes.session(node.name()).run(look).stdout()).isEmpty();
        }
    }
}
