package io.clusterwright.mpi.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.clusterwright.core.catalog.VmSizeFacts;
import io.clusterwright.core.catalog.VmSizes;
import io.clusterwright.core.plan.Finding;
import io.clusterwright.core.type.VmSize;
import io.clusterwright.mpi.bench.BenchmarkReport.BenchmarkFormat;
import io.clusterwright.mpi.bench.BenchmarkReport.CommunicationPattern;
import io.clusterwright.mpi.bench.BenchmarkRow.RateUnit;
import io.clusterwright.mpi.fabric.FabricEnvelope;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * The published output: the text of {@code pingpong1.png} and {@code pingpong2.png} of the Azure article about RDMA clusters of HPC Pack
 * (wacn-crowdsource/techcontent {@code articles/media/virtual-machines-windows-hpcpack-cluster-rdma} @e6f39c0).
 */
class MpiPingPongParserTest {
    private static final VmSizeFacts A9 =
            VmSizes.standard().find(VmSize.of("Standard_A9")).orElseThrow();

    @Test
    void readsTheLatencyOfEachPair() throws IOException {
        BenchmarkReport table = only(sample("mpipingpong-latency.txt"));

        assertThat(table.format()).isEqualTo(BenchmarkFormat.MPIPINGPONG);
        assertThat(table.traffic()).isEqualTo(CommunicationPattern.PING_PONG);
        assertThat(table.findings()).isEmpty();
        assertThat(table.rows())
                .extracting(
                        BenchmarkRow::nodes,
                        row -> row.bytes().orElseThrow(),
                        row -> row.repetitions().orElseThrow(),
                        row -> row.latencyMicros().orElseThrow(),
                        row -> row.printedRate().orElseThrow())
                .containsExactly(
                        tuple(List.of("AZURECN-0027", "AZURECN-0028"), 1L, 100_000L, 3.144, 0.303),
                        tuple(List.of("AZURECN-0027", "AZURECN-0029"), 1L, 100_000L, 2.675, 0.356),
                        tuple(List.of("AZURECN-0027", "AZURECN-0030"), 1L, 100_000L, 2.662, 0.358),
                        tuple(List.of("AZURECN-0028", "AZURECN-0029"), 1L, 100_000L, 2.683, 0.355),
                        tuple(List.of("AZURECN-0028", "AZURECN-0030"), 1L, 100_000L, 2.703, 0.353),
                        tuple(List.of("AZURECN-0029", "AZURECN-0030"), 1L, 100_000L, 2.242, 0.425));
    }

    @Test
    void printedMegabytesAreThoseOfTwoToTheTwentieth() throws IOException {
        BenchmarkReport table = only(sample("mpipingpong-throughput.txt").replace("\n", "\r\n"));

        assertThat(table.rows()).hasSize(6).allSatisfy(row -> {
            assertThat(row.rateUnit()).isEqualTo(RateUnit.MIB_PER_SECOND);
            double expected = 4_000_000 / row.latencyMicros().orElseThrow() * 1e6;
            assertThat(row.bytesPerSecond().orElseThrow() / expected).isBetween(0.9999, 1.0001);
        });
    }

    @Test
    void judgesEachPairOfBothTests() throws IOException {
        BenchmarkReport latency = only(sample("mpipingpong-latency.txt"));
        BenchmarkReport throughput = only(sample("mpipingpong-throughput.txt"));

        Verdict healthy = FabricEnvelope.judge(A9, latency);
        assertThat(healthy.status()).as(healthy.toString()).isEqualTo(Verdict.Status.PASSED);
        Verdict fast = FabricEnvelope.judge(A9, throughput);
        assertThat(fast.reasons())
                .singleElement()
                .asString()
                .contains("all 6 pairs")
                .contains("the link of A9 carries 32.0 Gb/s");
        assertThat(fast.status()).isEqualTo(Verdict.Status.PASSED);
        assertThat(LatencyEnvelope.article().judge(latency).status()).isEqualTo(Verdict.Status.PASSED);

        Verdict slow = LatencyEnvelope.article()
                .judge(only(sample("mpipingpong-latency.txt")
                        .replace("   2.242          0.425", "  48.100          0.020")));
        assertThat(slow.status()).isEqualTo(Verdict.Status.FAILED);
        assertThat(slow.reasons()).singleElement().asString().contains("between AZURECN-0029 and AZURECN-0030");

        FabricEnvelope qdr = FabricEnvelope.article().withBandwidth(3.5e9, "a test");
        assertThat(qdr.judge(throughput).status()).isEqualTo(Verdict.Status.PASSED);
        Verdict narrow = FabricEnvelope.article().withBandwidth(3.8e9, "a test").judge(throughput);
        assertThat(narrow.status()).isEqualTo(Verdict.Status.FAILED);
        assertThat(narrow.reasons())
                .containsExactly(
                        "29.9 Gb/s between AZURECN-0027 and AZURECN-0030, below the limit of 30.4 Gb/s (a test)");
        assertThat(FabricEnvelope.article().judge(throughput).status()).isEqualTo(Verdict.Status.NOT_JUDGED);
    }

    @Test
    void keepsTheNamesInTableJsonAndPicture() throws IOException {
        BenchmarkReport table = only(sample("mpipingpong-latency.txt"));

        assertThat(table.toTable().lines().toList())
                .startsWith(
                        "ping node     pong node            bytes  repetitions  latency [us]  bandwidth [MB/s]",
                        "AZURECN-0027  AZURECN-0028             1       100000          3.14              0.32");
        assertThat(table.toMap(Verdict.notJudged("")).get("series").toString())
                .contains("nodes=[AZURECN-0027, AZURECN-0028]");
        try (InputStream golden = MpiPingPongParserTest.class.getResourceAsStream("mpipingpong-latency.svg")) {
            assertThat(table.toSvg()).isEqualTo(new String(golden.readAllBytes(), StandardCharsets.UTF_8));
        }
    }

    @Test
    void bothTestsInOneTextAreTwoTables() throws IOException {
        assertThat(Benchmarks.parse(sample("mpipingpong-latency.txt") + "\n" + sample("mpipingpong-throughput.txt"))
                        .reports())
                .extracting(table -> table.rows().size())
                .containsExactly(6, 6);
    }

    @Test
    void formsThatAreNotPublishedAreRefused() throws IOException {
        Benchmarks parsed = Benchmarks.parse(sample("mpipingpong-latency.txt").replace("(MB/sec)", "(Gb/sec)"));

        assertThat(parsed.reports()).isEmpty();
        assertThat(parsed.findings()).extracting(Finding::code).containsExactly("CW-BENCH-009");
        assertThat(parsed.findings().get(0).message())
                .contains("an unknown form")
                .contains("(Gb/sec)");
        assertThat(Benchmarks.parse("mpipingpong\nNODE1 to NODE2 latency: 3.25 usec\n"))
                .isEqualTo(new Benchmarks(List.of(), List.of()));
    }

    /** A pair without numbers costs its row, other output nothing. */
    @Test
    void readsTheRowsBehindOtherOutput() throws IOException {
        String text = sample("mpipingpong-latency.txt");
        String first = text.lines()
                .filter(line -> line.startsWith("AZURECN-0027         AZURECN-0028"))
                .findFirst()
                .orElseThrow();
        Benchmarks parsed = Benchmarks.parse(text.replace(
                first,
                "NODE1                NODE2                  failed      failed\n[0] warning: adapter resumed\n"
                        + "rank zero finished work\nBenchmark done in time\nAll tests passed\n"
                        + first));

        assertThat(parsed.reports())
                .singleElement()
                .satisfies(table -> assertThat(table.rows()).hasSize(6));
        assertThat(parsed.findings())
                .singleElement()
                .satisfies(finding -> assertThat(finding.message()).contains("NODE1", "failed"));
    }

    @Test
    void readsCommasAsPoints() throws IOException {
        String text = sample("mpipingpong-latency.txt");

        assertThat(rows(text.replaceAll("(\\d)\\.(\\d{3})\\b", "$1,$2")))
                .isEqualTo(rows(text))
                .hasSize(6);
    }

    @Test
    void aCutTextNeverGivesAnotherNumber() throws IOException {
        String text = sample("mpipingpong-latency.txt");
        List<BenchmarkRow> genuine = rows(text);
        for (int end = 0; end < text.length(); end++) {
            assertThat(rows(text.substring(0, end))).as("cut after %d", end).allMatch(genuine::contains);
        }
    }

    private static List<BenchmarkRow> rows(String text) {
        return Benchmarks.parse(text).reports().stream()
                .flatMap(report -> report.rows().stream())
                .toList();
    }

    private static BenchmarkReport only(String text) {
        List<BenchmarkReport> reports = Benchmarks.parse(text).reports();
        assertThat(reports).hasSize(1);
        return reports.get(0);
    }

    private static String sample(String name) throws IOException {
        try (InputStream text = MpiPingPongParserTest.class.getResourceAsStream(name)) {
            return new String(text.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
