package io.clusterwright.mpi.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.Assertions.within;

import io.clusterwright.core.plan.Finding;
import io.clusterwright.mpi.bench.BenchmarkReport.BenchmarkFormat;
import io.clusterwright.mpi.bench.BenchmarkReport.CommunicationPattern;
import io.clusterwright.mpi.bench.BenchmarkRow.RateUnit;
import io.clusterwright.mpi.fabric.FabricEnvelope;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class VerbsParsersTest {
    @Test
    void readsPerftestBandwidthInMebibytes() {
        BenchmarkReport report = Samples.only(Samples.read("18_ib_write_bw_irdma_10g.txt"));

        assertThat(report.format()).isEqualTo(BenchmarkFormat.PERFTEST);
        assertThat(report.benchmark()).isEqualTo("RDMA_Write BW");
        BenchmarkRow row = report.rows().get(0);
        assertThat(row.bytes()).hasValue(65_536);
        assertThat(row.repetitions()).hasValue(5000);
        assertThat(row.value(Measure.PEAK_RATE)).hasValue(1103.39);
        assertThat(row.printedRate()).hasValue(1103.38);
        assertThat(row.rateUnit()).isEqualTo(RateUnit.MIB_PER_SECOND);
        assertThat(row.value(Measure.MESSAGE_RATE).orElseThrow()).isCloseTo(17_654, within(0.001));
        assertThat(report.peakRate()).hasValue(1103.39);
    }

    @Test
    void takesAPeakOfZeroForNotMeasured() {
        BenchmarkReport report = Samples.only("""
                                    RDMA_Write BW Test
                 #bytes     #iterations    BW peak[MB/sec]    BW average[MB/sec]   MsgRate[Mpps]
                Conflicting CPU frequency values detected: 2000.000000 != 2100.000000. CPU Frequency is not max.
                 65536      500              0.00               50.19  \t\t   0.000803
                """);

        assertThat(report.rows()).hasSize(1);
        assertThat(report.rows().get(0).value(Measure.PEAK_RATE)).isEmpty();
        assertThat(report.peakRate()).hasValue(50.19);
    }

    /** {@code --run_infinitely}, a rate of messages under no title or with three digits, and a peak that is no number. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "MsgRate[Mpps] | 65536 100 0.00 97.65 0.186250 | 65536 101 0.00 97.64 0.186231",
                "              | 65536 100 97.66 97.65 0.186250 | 131072 101 97.65 97.64 0.093115",
                "MsgRate[Mpps] | 65536 100 97.66 97.65 0.186 | 131072 101 97.65 97.64 0.093",
                "MsgRate[Mpps] | 65536 100 inf 97.65 0.186250 | 131072 101 -nan 97.64 0.093115"
            })
    void readsRowsOfOtherVersions(@Nullable String title, String first, String second) {
        BenchmarkReport report = Samples.only("                    RDMA_Write BW Test\n"
                + " #bytes     #iterations    BW peak[Gb/sec]    BW average[Gb/sec]  " + (title == null ? "" : title)
                + "\n " + first + "\n " + second + "\n");

        assertThat(report.findings()).isEmpty();
        assertThat(report.rows())
                .extracting(row -> row.printedRate().orElseThrow())
                .containsExactly(97.65, 97.64);
        assertThat(report.rows())
                .allMatch(row -> row.value(Measure.MESSAGE_RATE).isPresent());
    }

    @Test
    void readsPerftestLatency() {
        BenchmarkReport report = Samples.only("""
                                    RDMA_Write Latency Test
                 #bytes #iterations    t_min[usec]    t_max[usec]  t_typical[usec]    t_avg[usec]    t_stdev[usec]   99% percentile[usec]   99.9% percentile[usec]\s
                 2       500          12.16          279.55       12.42    \t       13.73       \t9.45   \t\t40.18   \t\t279.55\s
                """);

        BenchmarkRow row = report.rows().get(0);
        assertThat(report.traffic()).isEqualTo(CommunicationPattern.PING_PONG);
        assertThat(row.latencyMicros()).hasValue(12.42);
        assertThat(row.value(Measure.MIN)).hasValue(12.16);
        assertThat(row.value(Measure.PERCENTILE_99)).hasValue(40.18);
    }

    @Test
    void readsSixDecimalsBelowATenthOfAGigabit() {
        BenchmarkReport report = Samples.only("""
                                    Send BW Test
                 #bytes     #iterations    BW peak[Gb/sec]    BW average[Gb/sec]   MsgRate[Mpps]
                 2          5000           0.109376            0.099152            6.822015
                 4          5000             0.21               0.20            6.422015
                 8          5000             0.4123             0.41            6.422015
                """);

        assertThat(report.rows()).hasSize(2);
        assertThat(report.row(2).orElseThrow().printedRate()).hasValue(0.099152);
        assertThat(report.row(2).orElseThrow().value(Measure.PEAK_RATE)).hasValue(0.109376);
        assertThat(report.findings()).extracting(Finding::code).containsExactly("CW-BENCH-002");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            BW peak[Gb/sec]    BW average[Gb/sec]   MsgRate[Mpps]    CPU_Util[%]           | 9.00 8.00 0.500000 12.34
            BW peak[Gb/sec]    BW average[Gb/sec]   MsgRate[Mpps]    CPU_Util[%]           | 9.00 8.00 0.500000 -nan
            BW peak[Gb/sec]    BW average[Gb/sec]   MsgRate[Mpps]        BW min[Gb/sec]    | 9.00 8.00 0.500000 7.00
            BW peak[Gb/sec]    BW average[Gb/sec]   MsgRate[Mpps]   BW Port1[Gb/sec]   MsgRate Port1[Mpps] | 9.00 8.00 0.500000 4.00 0.2
            """)
    void readsRowsWithColumnsItDoesNotKnow(String titles, String numbers) {
        BenchmarkReport report = Samples.only("                    RDMA_Write BW Test\n #bytes     #iterations    "
                + titles + "\n 65536      100    " + numbers + "\n");

        assertThat(report.rows()).hasSize(1);
        assertThat(report.rows().get(0).printedRate()).hasValue(8);
        assertThat(report.findings()).extracting(Finding::code).containsExactly("CW-BENCH-011");
    }

    @Test
    void readsARowForEachServiceLevel() {
        BenchmarkReport report = Samples.only("""
                                    RDMA_Write BW Test
                 #bytes    #sl      #iterations    BW peak[MiB/sec]    BW average[MiB/sec]   MsgRate[Mpps]
                 65536    0           5000           11000.10            10999.90                  0.175998
                 65536    3           5000           0.00                9000.90                   0.144014
                """);

        assertThat(report.rows()).extracting(row -> row.printedRate().orElse(0)).containsExactly(10999.90, 9000.90);
        assertThat(report.rows().get(1).value(Measure.PEAK_RATE)).isEmpty();
    }

    @Test
    void leavesOutATableWhoseTitlesHoldOtherOutput() {
        Benchmarks parsed = Benchmarks.parse("""
                 #bytes     #iterations    BW peak[MB/sec]    BW average[MB/sec]   [node1] warning: 17 retries
                 65536      5000           11000.10            10999.90
                """);

        assertThat(parsed.reports()).isEmpty();
        assertThat(parsed.findings()).extracting(Finding::code).containsExactly("CW-BENCH-008");
    }

    @Test
    void readsTheFinalLineOfUcxPerftest() {
        BenchmarkReport report = Samples.only(Samples.read("21_ucx_perftest_tag_lat_threads.txt"));

        assertThat(report.format()).isEqualTo(BenchmarkFormat.UCX_PERFTEST);
        assertThat(report.rows()).hasSize(1);
        BenchmarkRow row = report.rows().get(0);
        assertThat(row.bytes()).isEmpty();
        assertThat(row.repetitions()).hasValue(1_000_000);
        assertThat(row.value(Measure.MEDIAN)).hasValue(2.457);
        assertThat(row.value(Measure.AVERAGE)).hasValue(2.460);
        assertThat(row.latencyMicros()).hasValue(2.463);
        assertThat(row.printedRate()).hasValue(3.10);
        assertThat(row.value(Measure.MESSAGE_RATE)).hasValue(406_036);
    }

    private static final String UCX = """
            +------------------------------------------------------------------------------------------+
            | API:          protocol layer                                                             |
            | Test:         tag match latency                                                          |
            | Message size: 8                                                                          |
            +------------------------------------------------------------------------------------------+
            +--------------+--------------+------------------------------+---------------------+-----------------------+
            |              |              |       latency (usec)         |   bandwidth (MB/s)  |  message rate (msg/s) |
            +--------------+--------------+----------+---------+---------+----------+----------+-----------+-----------+
            |    Stage     | # iterations | 50.0%%ile | average | overall |  average |  overall |  average  |  overall  |
            +--------------+--------------+----------+---------+---------+----------+----------+-----------+-----------+
            """.replace("%%", "%");

    /** {@code -N} groups digits, {@code -f} prints one line, and {@code -T} fewer numbers. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "Stage | Final:   1000000   1.123     1.456     9.456       5.72      5.72      686813      686813",
                "Stage | Final:   1,000,000   1.123     1.456     9.456       5.72      5.72      686,813      686,813",
                "Stage | Final:   1000000                         9.456                  5.72                 686813",
                "Test  | '              1000000   1.123     1.456     9.456       5.72      5.72      686813      686813'"
            })
    void judgesTheSizeThatUcxPerftestPrints(String stage, String line) {
        BenchmarkReport report = Samples.only(UCX.replace("Stage", stage.length() < 5 ? stage + " " : stage)
                + "[thread 0]             50000      1.123     1.456     1.456       5.72      5.72      686813      686813\n"
                + line + "\n");

        assertThat(report.findings()).isEmpty();
        assertThat(report.rows()).singleElement().satisfies(row -> {
            assertThat(row.bytes()).hasValue(8);
            assertThat(row.repetitions()).hasValue(1_000_000);
            assertThat(row.latencyMicros()).hasValue(9.456);
            assertThat(row.printedRate()).hasValue(5.72);
            assertThat(row.value(Measure.MESSAGE_RATE)).hasValue(686_813);
        });
        assertThat(FabricEnvelope.article().judge(report).status()).isEqualTo(Verdict.Status.FAILED);
    }

    /** The size of the heading is not the size of a test of a batch file. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void eachTestOfABatchFileHasATable(boolean onlyLines) {
        String row = "              1000      1.123     1.456     1.456       5.72      5.72      686813      686813\n";
        String rule =
                "-+--------------+----------+---------+---------+----------+----------+-----------+-----------+\n";
        String tests = onlyLines
                ? "tag-lat/8" + row + "tag-lat/1m" + row
                : "+tag-lat/8---" + rule + "Final:    " + row + "+tag-lat/1m--" + rule + "Final:    " + row;

        assertThat(Benchmarks.parse(UCX.replace("Stage", onlyLines ? "Test " : "Stage") + tests)
                        .reports())
                .extracting(
                        BenchmarkReport::benchmark,
                        report -> report.rows().size(),
                        report -> report.rows().get(0).bytes().isPresent())
                .containsExactly(
                        tuple("tag match latency (tag-lat/8)", 1, false),
                        tuple("tag match latency (tag-lat/1m)", 1, false));
    }

    @Test
    void theSizeOfOneRunIsNotTheSizeOfTheNext() {
        String run =
                UCX + "Final:   1000000   1.123     1.456     1.456       5.72      5.72      686813      686813\n";

        assertThat(Benchmarks.parse(run + run.replaceAll("(?m)^\\| (?:API|Test|Message).*\n", ""))
                        .reports())
                .extracting(
                        BenchmarkReport::benchmark,
                        report -> report.rows().get(0).bytes().isPresent())
                .containsExactly(tuple("tag match latency", true), tuple("latency", false));
    }

    @Test
    void namesThePercentileThatWasAskedFor() {
        BenchmarkReport report = Samples.only(UCX.replace("50.0%ile", "99.0%ile")
                + "Final:   1000000   1.123     1.456     1.456       5.72      5.72      686813      686813\n");

        assertThat(report.rows().get(0).value(Measure.MEDIAN)).isEmpty();
        assertThat(report.rows().get(0).value(Measure.PERCENTILE_99)).hasValue(1.123);
    }

    @Test
    void readsTheTitlesOfMulticastAndForwarding() {
        assertThat(Samples.only("""
                                    Send BW Multicast Test
                 #bytes     #iterations    BW peak[MB/sec]    BW average[MB/sec]   MsgRate[Mpps]
                 65536      500              0.00               50.19  \t\t   0.000803
                """).benchmark()).isEqualTo("Send BW Multicast");
    }

    @Test
    void timesInCyclesAreRefusedWithTheOptionThatPrintsThem() {
        Benchmarks parsed = Benchmarks.parse("""
                                    RDMA_Write Latency Test
                 #bytes #iterations    t_min[cycles]    t_max[cycles]  t_typical[cycles]    t_avg[cycles]
                 2       1000          1.60           5.60         1.65     \t       1.66
                """);

        assertThat(parsed.reports()).isEmpty();
        assertThat(parsed.findings()).singleElement().satisfies(finding -> {
            assertThat(finding.code()).isEqualTo("CW-BENCH-008");
            assertThat(finding.remedy()).contains("without -C");
        });
    }
}
