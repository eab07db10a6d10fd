package io.clusterwright.mpi.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.clusterwright.core.plan.Finding;
import io.clusterwright.mpi.bench.BenchmarkReport.BenchmarkFormat;
import io.clusterwright.mpi.bench.BenchmarkReport.CommunicationPattern;
import org.junit.jupiter.api.Test;

class OsuParserTest {
    @Test
    void readsLatency() {
        BenchmarkReport report = Samples.only(Samples.read("11_osu563_latency_100g_ib.txt"));

        assertThat(report.format()).isEqualTo(BenchmarkFormat.OSU);
        assertThat(report.tool()).isEqualTo("OSU Micro-Benchmarks 5.6.3");
        assertThat(report.benchmark()).isEqualTo("Latency");
        assertThat(report.processes()).hasValue(2);
        assertThat(report.rows()).hasSize(24);
        assertThat(report.row(0).orElseThrow().latencyMicros()).hasValue(1.27);
        assertThat(report.row(4_194_304).orElseThrow().latencyMicros()).hasValue(346.91);
        assertThat(report.rows().get(0).repetitions()).isEmpty();
        assertThat(report.rows().get(0).printedRate()).isEmpty();
    }

    @Test
    void readsBandwidthInMegabytes() {
        BenchmarkReport report = Samples.only(Samples.read("09_osu543_bw_mvapich2_100g_ib.txt"));

        assertThat(report.benchmark()).isEqualTo("Bandwidth");
        assertThat(report.traffic()).isEqualTo(CommunicationPattern.STREAM);
        assertThat(report.rows()).hasSize(23);
        assertThat(report.row(4_194_304).orElseThrow().bytesPerSecond()).hasValue(12071.68e6);
    }

    @Test
    void readsThe7SeriesWithItsValidationColumn() {
        BenchmarkReport report = Samples.only(Samples.read("15_osu75_latency_validation_column.txt"));

        assertThat(report.rows()).hasSize(12);
        assertThat(report.row(2048).orElseThrow().latencyMicros()).hasValue(4.57);
        assertThat(report.findings()).isEmpty();
    }

    @Test
    void saysThatValidationFailed() {
        String failed = Samples.read("15_osu75_latency_validation_column.txt")
                .replace("4.57              Pass", "4.57              Fail");

        assertThat(Samples.only(failed).findings()).extracting(Finding::code).containsExactly("CW-BENCH-007");
    }

    @Test
    void readsTheMeanOfACollective() {
        BenchmarkReport report = Samples.only(Samples.read("06_osu70_bcast_azure_batch.txt"));

        assertThat(report.benchmark()).isEqualTo("Broadcast Latency");
        assertThat(report.traffic()).isEqualTo(CommunicationPattern.COLLECTIVE);
        assertThat(report.processes()).isEmpty();
        assertThat(report.rows()).hasSize(21);
        assertThat(report.row(16_384).orElseThrow().value(Measure.AVERAGE)).hasValue(21.99);
    }

    @Test
    void readsTheFullTableOfACollective() {
        BenchmarkReport report = Samples.only("""
                # OSU MPI Allreduce Latency Test v5.3
                # Size       Avg Latency(us)   Min Latency(us)   Max Latency(us)  Iterations
                4                    9243.16           6807.82          11911.68        1000
                """);

        BenchmarkRow row = report.rows().get(0);
        assertThat(row.value(Measure.AVERAGE)).hasValue(9243.16);
        assertThat(row.value(Measure.MIN)).hasValue(6807.82);
        assertThat(row.value(Measure.MAX)).hasValue(11911.68);
        assertThat(row.repetitions()).hasValue(1000);
    }

    @Test
    void reportsARowWhoseNumberIsNone() {
        Benchmarks parsed = Benchmarks.parse("""
                # OSU MPI Latency Test v5.6.3
                # Size          Latency (us)
                1                       1.27
                2                        nan
                4                      -1.00
                8                        inf
                16                      1.28
                9223372036854775808     1.29
                """);

        assertThat(parsed.reports().get(0).rows()).hasSize(2);
        assertThat(parsed.findings())
                .hasSize(4)
                .allSatisfy(finding -> assertThat(finding.code()).isEqualTo("CW-BENCH-002"));
    }

    @Test
    void leavesOutATableWhoseTitlesAreDamaged() {
        Benchmarks parsed = Benchmarks.parse("""
                # OSU MPI Latency Test v5.6.3
                # Size          Late[cluster12] warning: 17 retries
                ncy (us)
                0                       1.27
                """);

        assertThat(parsed.reports()).isEmpty();
        assertThat(parsed.findings()).extracting(Finding::code).containsExactly("CW-BENCH-008");
    }

    @Test
    void readsANonBlockingCollective() {
        BenchmarkReport report = Samples.only("""
                # OSU MPI Non-blocking Broadcast Latency Test v5.6.3
                # Overall = Coll. Init + Compute + MPI_Test + MPI_Wait

                # Size           Overall(us)       Compute(us)    Pure Comm.(us)        Overlap(%)
                1                       4.26              2.07              1.98              0.00
                1048576               812.33            410.05            395.10              1.73
                """);

        assertThat(report.benchmark()).isEqualTo("Non-blocking Broadcast Latency");
        assertThat(report.rows()).hasSize(2);
        BenchmarkRow row = report.row(1_048_576).orElseThrow();
        assertThat(row.value(Measure.OVERALL)).hasValue(812.33);
        assertThat(row.value(Measure.COMPUTE)).hasValue(410.05);
        assertThat(row.value(Measure.PURE)).hasValue(395.10);
        assertThat(row.value(Measure.OVERLAP)).hasValue(1.73);
    }

    @Test
    void readsTheSecondVersionAndIndentedTables() {
        Benchmarks parsed = Benchmarks.parse("""
                    # OSU MPI Bidirectional Bandwidth Test (Version 2.2)
                    # Size\t\tBi-Bandwidth (MB/s)\s
                    1\t\t0.477860
                    2\t\t0.95

                    # OSU MPI Latency Test (Version 2.0)
                    # Size\t\tLatency (us)
                    0\t\t45.86
                """);

        assertThat(parsed.findings()).isEmpty();
        BenchmarkReport rates = parsed.reports().get(0);
        assertThat(rates.tool()).isEqualTo("OSU Micro-Benchmarks 2.2");
        assertThat(rates.traffic()).isEqualTo(CommunicationPattern.EXCHANGE);
        assertThat(rates.rows()).extracting(row -> row.printedRate().orElse(0)).containsExactly(0.477860, 0.95);
        assertThat(parsed.reports().get(1).row(0).orElseThrow().latencyMicros()).hasValue(45.86);
    }

    @Test
    void readsTailLatenciesAndNamesTheOthers() {
        BenchmarkReport report = Samples.only("""
                # OSU MPI Latency Test v7.4
                # Size       Avg Latency(us)  P50 Tail Lat(us)  P75 Tail Lat(us)  P90 Tail Lat(us)  P99 Tail Lat(us)
                1                       1.62              1.60              1.65              1.70              2.10
                """);

        BenchmarkRow row = report.rows().get(0);
        assertThat(row.value(Measure.MEDIAN)).hasValue(1.60);
        assertThat(row.value(Measure.PERCENTILE_90)).hasValue(1.70);
        assertThat(row.value(Measure.PERCENTILE_99)).hasValue(2.10);
        assertThat(report.findings()).singleElement().satisfies(finding -> {
            assertThat(finding.code()).isEqualTo("CW-BENCH-011");
            assertThat(finding.message()).endsWith("P75 Tail Lat(us)");
        });
    }

    @Test
    void readsMessageRates() {
        BenchmarkReport report = Samples.only("""
                # OSU MPI Multiple Bandwidth / Message Rate Test v5.6.3
                # [ pairs: 1 ] [ window size: 64 ]
                # Size                  MB/s        Messages/s
                1                       5.97        5971234.56
                """);

        assertThat(report.traffic()).isEqualTo(CommunicationPattern.STREAM);
        assertThat(report.rows().get(0).bytesPerSecond()).hasValue(5.97e6);
        assertThat(report.rows().get(0).value(Measure.MESSAGE_RATE)).hasValue(5971234.56);
    }
}
