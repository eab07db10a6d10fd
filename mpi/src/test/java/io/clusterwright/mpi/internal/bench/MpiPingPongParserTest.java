package io.clusterwright.mpi.internal.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.clusterwright.core.plan.Finding;
import io.clusterwright.mpi.bench.BenchmarkReport;
import io.clusterwright.mpi.bench.BenchmarkReport.BenchmarkFormat;
import io.clusterwright.mpi.bench.BenchmarkRow;
import io.clusterwright.mpi.bench.Benchmarks;
import java.util.List;
import org.junit.jupiter.api.Test;

/** No output of mpipingpong is published, so these texts are made up: the parser must read what says its unit, and nothing else. */
class MpiPingPongParserTest {
    private static final String TEXT = """
            mpipingpong -p 4:100 -op
            Packet size: 4 bytes
            NODE1 to NODE2 latency: 3.25 usec
            NODE2 to NODE3 latency: 0.004 ms
            Packet size: 4000000 bytes
            NODE1 to NODE2 throughput = 1043.5 MB/s
            NODE1 to NODE2 latency was good
            42 pairs, latency limit 7
            """;

    @Test
    void readsNumbersThatSayTheirUnit() {
        List<BenchmarkReport> reports = Benchmarks.parse(TEXT).reports();

        assertThat(reports).hasSize(2).allMatch(report -> report.format() == BenchmarkFormat.MPIPINGPONG);
        assertThat(reports.get(0).rows())
                .extracting(
                        row -> row.bytes().orElseThrow(),
                        row -> row.latencyMicros().orElseThrow())
                .containsExactly(tuple(4L, 3.25), tuple(4L, 4.0));
        assertThat(reports.get(1).rows()).singleElement().satisfies(row -> {
            assertThat(row.printedRate()).hasValue(1043.5);
            assertThat(row.bytesPerSecond()).hasValue(1043.5e6);
        });
        assertThat(reports.get(0).findings()).extracting(Finding::code).containsExactly("CW-BENCH-009");
    }

    @Test
    void readsNothingBeforeItsName() {
        assertThat(Benchmarks.parse("NODE1 to NODE2 latency: 3.25 usec\n"))
                .isEqualTo(new Benchmarks(List.of(), List.of()));
    }

    @Test
    void aCutTextNeverGivesAnotherNumber() {
        List<BenchmarkRow> genuine = rows(TEXT);
        for (int end = 0; end < TEXT.length(); end++) {
            assertThat(rows(TEXT.substring(0, end))).as("cut after %d", end).allMatch(genuine::contains);
        }
    }

    private static List<BenchmarkRow> rows(String text) {
        return Benchmarks.parse(text).reports().stream()
                .flatMap(report -> report.rows().stream())
                .toList();
    }
}
