package io.clusterwright.mpi.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clusterwright.core.Cluster;
import io.clusterwright.core.Command;
import io.clusterwright.core.spec.MpiFlavour;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.linux.junit.LocalCluster;
import io.clusterwright.mpi.bench.BenchmarkReport;
import io.clusterwright.mpi.bench.BenchmarkRow;
import io.clusterwright.mpi.job.JobTarget;
import io.clusterwright.mpi.job.MpiInstallation;
import io.clusterwright.mpi.spi.NodeTarget;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The Java ping-pong on two real nodes, whose disks do not hold the library. */
@Tag("breadth")
@LocalCluster(nodes = 2)
@Timeout(300)
class JavaPingPongStageTest {
    /** Seconds on an idle machine. Ranks of MPICH spin, and take 10 ms for each message where others want the cores. */
    private static final Duration LIMIT = Duration.ofMinutes(4);
    /** So often both programs measure in turn; once, and NetPIPE not at all, by default. */
    private static final int ROUNDS = Integer.getInteger("clusterwright.rounds", 0);

    private final Cluster cluster;
    private final NodeTarget target;

    JavaPingPongStageTest(Cluster cluster) {
        this.cluster = cluster;
        this.target = NodeTarget.of(JobTarget.of(cluster));
    }

    @ParameterizedTest
    @EnumSource(names = {"MPICH", "OPEN_MPI"})
    void measuresWithoutAnInstalledBenchmark(MpiFlavour flavour) {
        MpiInstallation mpi = installed(flavour);
        List<BenchmarkReport> java = new ArrayList<>();
        List<BenchmarkReport> netPipe = new ArrayList<>();
        for (int round = 0; round < Math.max(1, ROUNDS); round++) {
            PingPongCheck.Report ours =
                    PingPongCheck.between(target).installation(mpi).inJava().run(LIMIT);
            assertThat(ours.measured()).as("%s", ours.result()).isTrue();
            java.add(ours.table().orElseThrow());
            if (ROUNDS > 0) {
                PingPongCheck.Report theirs =
                        PingPongCheck.on(target).installation(mpi).run(LIMIT);
                assertThat(theirs.measured()).as("%s", theirs.result()).isTrue();
                netPipe.add(theirs.table().orElseThrow());
            }
        }

        assertThat(java).allSatisfy(table -> {
            assertThat(table.tool()).isEqualTo("Clusterwright Java ping-pong");
            assertThat(table.rows()).hasSize(23);
            assertThat(table.findings()).isEmpty();
        });
        assertThat(netPipe).allSatisfy(table -> assertThat(table.tool()).isEqualTo("NetPIPE"));
        if (ROUNDS > 0) {
            System.out.printf(
                    "%s, medians of %d rounds: latency Java %.2f us, NetPIPE %.2f us; bandwidth Java %.0f MB/s, NetPIPE %.0f MB/s%n",
                    mpi,
                    ROUNDS,
                    median(java, JavaPingPongStageTest::latency),
                    median(netPipe, JavaPingPongStageTest::latency),
                    median(java, JavaPingPongStageTest::bandwidth),
                    median(netPipe, JavaPingPongStageTest::bandwidth));
        }
        assertNothingStays();
    }

    @Test
    void needsJavaOnEveryNode() {
        MpiInstallation mpi = installed(MpiFlavour.MPICH);
        run("printf '#!/bin/sh\\nexit 127\\n' > /usr/local/bin/java && chmod 755 /usr/local/bin/java");
        try {
            assertThatThrownBy(() -> PingPongCheck.between(target)
                            .installation(mpi)
                            .inJava()
                            .run(LIMIT))
                    .isInstanceOf(ClusterwrightException.class)
                    .hasMessageContaining("install netpipe-mpich2 on every node, or install Java 17");
        } finally {
            run("rm /usr/local/bin/java");
        }
        assertNothingStays();
    }

    private void run(String script) {
        cluster.session(cluster.nodes().get(1).name())
                .run(Command.of(List.of("/bin/sh", "-c", script)).elevate())
                .orThrow();
    }

    private void assertNothingStays() {
        cluster.nodes()
                .forEach(node -> assertThat(cluster.session(node.name())
                                .run(Command.of(List.of("ls", "/tmp")))
                                .stdout())
                        .doesNotContain("cwjava"));
    }

    private MpiInstallation installed(MpiFlavour flavour) {
        return MpiInstallation.on(target.session(target.nodes().get(0).name())).stream()
                .filter(mpi -> mpi.flavour() == flavour)
                .findFirst()
                .orElseThrow();
    }

    /** As the article reads a table: the shortest time of messages of at most 64 bytes. */
    private static double latency(BenchmarkReport table) {
        return table.rows().stream()
                .filter(row -> row.bytes().orElseThrow() <= 64)
                .mapToDouble(row -> row.latencyMicros().orElseThrow())
                .min()
                .orElseThrow();
    }

    /** The best of the sizes that both programs measure: NetPIPE has others beside each, and the best of more is better. */
    private static double bandwidth(BenchmarkReport table) {
        return table.rows().stream()
                .filter(row -> Long.bitCount(row.bytes().orElseThrow()) == 1)
                .mapToDouble(JavaPingPongStageTest::rate)
                .max()
                .orElseThrow();
    }

    private static double rate(BenchmarkRow row) {
        return row.bytesPerSecond().orElseThrow() / 1e6;
    }

    private static double median(List<BenchmarkReport> tables, ToDoubleFunction<BenchmarkReport> figure) {
        List<Double> all =
                new ArrayList<>(tables.stream().map(figure::applyAsDouble).toList());
        Collections.sort(all);
        return all.get(all.size() / 2);
    }
}
