package io.clusterwright.mpi.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.clusterwright.core.plan.Finding;
import io.clusterwright.core.plan.Severity;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class BenchmarksTest {

    @Nested
    class IntelMpiBenchmarks {
        @Test
        void readsTheArticlesTableInMebibytes() {
            BenchmarkReport report = Samples.only(Samples.read(Samples.ARTICLE));

            assertThat(report.format()).isEqualTo(BenchmarkFormat.IMB);
            assertThat(report.tool()).isEqualTo("Intel (R) MPI Benchmarks 4.0 Update 1");
            assertThat(report.benchmark()).isEqualTo("PingPong");
            assertThat(report.traffic()).isEqualTo(Traffic.PING_PONG);
            assertThat(report.processes()).hasValue(2);
            assertThat(report.rows()).hasSize(24);
            assertThat(report.findings()).isEmpty();
            BenchmarkRow first = report.rows().get(0);
            assertThat(first.bytes()).hasValue(0);
            assertThat(first.repetitions()).hasValue(1000);
            assertThat(first.latencyMicros()).hasValue(2.23);
            assertThat(first.printedRate()).hasValue(0);
            assertThat(report.row(512).orElseThrow().latencyMicros()).hasValue(3.09);
            BenchmarkRow last = report.row(4_194_304).orElseThrow();
            assertThat(last.repetitions()).hasValue(10);
            assertThat(last.latencyMicros()).hasValue(1082.94);
            assertThat(last.printedRate()).hasValue(3693.63);
            assertThat(last.rateUnit()).isEqualTo(RateUnit.MIB_PER_SECOND);
            assertThat(last.bytesPerSecond().orElseThrow()).isCloseTo(3693.63 * 1024 * 1024, within(1.0));
        }

        @Test
        void readsVersion2021InMegabytes() {
            BenchmarkReport report = Samples.only(Samples.read("05_imb2021_3_hpcx_azure_batch.txt"));

            assertThat(report.tool()).isEqualTo("Intel(R) MPI Benchmarks 2021.3");
            assertThat(report.rows()).hasSize(24);
            assertThat(report.findings()).isEmpty();
            assertThat(report.row(262_144).orElseThrow().latencyMicros()).hasValue(127.18);
            assertThat(report.row(4_194_304).orElseThrow().rateUnit()).isEqualTo(RateUnit.MEGABYTE_PER_SECOND);
            assertThat(report.summary().minLatencyMicros()).hasValue(2.18);
            assertThat(report.summary().peakRate()).hasValue(10526.36);
        }

        @Test
        void readsEveryTableOfAFile() {
            ParsedBenchmarks parsed = Benchmarks.parse(Samples.read("02_imb41_aarch64_ompi_five_benchmarks.txt"));

            assertThat(parsed.findings()).isEmpty();
            assertThat(parsed.reports())
                    .extracting(BenchmarkReport::benchmark)
                    .containsExactly("PingPong", "PingPing", "Sendrecv", "Exchange", "Allreduce");
            assertThat(parsed.reports())
                    .extracting(report -> report.rows().size())
                    .containsExactly(24, 24, 24, 12, 24);
            BenchmarkRow sendrecv = parsed.reports().get(2).row(4_194_304).orElseThrow();
            assertThat(sendrecv.value(Measure.MIN)).hasValue(5815.60);
            assertThat(sendrecv.value(Measure.MAX)).hasValue(5816.29);
            assertThat(sendrecv.value(Measure.AVERAGE)).hasValue(5815.95);
            assertThat(sendrecv.printedRate()).hasValue(1375.45);
            assertThat(sendrecv.latencyMicros()).isEmpty();
            BenchmarkReport allreduce = parsed.reports().get(4);
            assertThat(allreduce.traffic()).isEqualTo(Traffic.COLLECTIVE);
            assertThat(allreduce.row(4).orElseThrow().typicalMicros()).hasValue(4.71);
            assertThat(allreduce.row(4).orElseThrow().printedRate()).isEmpty();
        }

        @Test
        void trustsArithmeticWhereTheTitleNamesTheOtherUnit() {
            String retitled = Samples.read(Samples.ARTICLE)
                    .replace("Intel (R) MPI Benchmarks 4.0 Update 1", "Intel(R) MPI Benchmarks 2018");
            BenchmarkReport report = Samples.only(retitled);

            assertThat(report.rows()).hasSize(24).allMatch(row -> row.rateUnit() == RateUnit.MIB_PER_SECOND);
            assertThat(report.findings()).extracting(Finding::code).containsExactly("CW-BENCH-001");
            assertThat(report.findings().get(0).message())
                    .isEqualTo("Intel(R) MPI Benchmarks 2018 should print MB/s, but bytes divided by time give MiB/s;"
                            + " the rates are read as MiB/s");
        }

        @Test
        void decidesByArithmeticWhereThereIsNoTitle() {
            BenchmarkReport report = Samples.only("""
                    # Benchmarking PingPong
                    # #processes = 2
                           #bytes #repetitions      t[usec]   Mbytes/sec
                      4194304           10      1082.94      3693.63
                    """);

            assertThat(report.rows().get(0).rateUnit()).isEqualTo(RateUnit.MIB_PER_SECOND);
        }

        @Test
        void leavesOutARowWhoseNumbersContradictEachOther() {
            String wrong = Samples.read(Samples.ARTICLE).replace("1082.94", " 108.94");
            BenchmarkReport report = Samples.only(wrong);

            assertThat(report.rows()).hasSize(23);
            assertThat(report.row(4_194_304)).isEmpty();
            assertThat(report.findings()).extracting(Finding::code).containsExactly("CW-BENCH-003");
        }

        @Test
        void saysThatEachRankWasAlone() {
            ParsedBenchmarks parsed = Benchmarks.parse(Samples.read("mixed_launcher_mpich_runs_ompi.txt"));

            assertThat(parsed.reports()).isEmpty();
            assertThat(parsed.isEmpty()).isFalse();
            assertThat(parsed.findings()).hasSize(2).allMatch(finding -> finding.severity() == Severity.ERROR);
            assertThat(parsed.findings().get(0).message()).contains("PingPong was started in a world of 1 process(es)");
        }

        @Test
        void saysWhichSizeTookTooLong() {
            BenchmarkReport report = Samples.only("""
                    # Benchmarking Alltoall
                    # #processes = 4
                           #bytes #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]
                            4          200      8269.41      9161.72      8798.83
                            8 time-out.; Time limit (secs_per_sample * msg_sizes_list_len) is over; use "-time X"
                    """);

            assertThat(report.rows()).hasSize(1);
            assertThat(report.findings()).extracting(Finding::code).containsExactly("CW-BENCH-006");
            assertThat(report.findings().get(0).message()).contains("gave up at 8 bytes");
        }

        @Test
        void readsABarrierWithoutSizes() {
            BenchmarkReport report = Samples.only("""
                    # Benchmarking Barrier
                    # #processes = 4
                     #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]
                             1000         1.10         1.30         1.20
                    """);

            assertThat(report.rows()).hasSize(1);
            assertThat(report.rows().get(0).bytes()).isEmpty();
            assertThat(report.rows().get(0).value(Measure.AVERAGE)).hasValue(1.20);
        }

        @Test
        void readsOneTablePerGroup() {
            List<BenchmarkReport> reports = Benchmarks.parse("""
                            # Benchmarking Multi-PingPong
                            # ( 2 groups of 2 processes each running simultaneous )
                            # Group  0:     0    1
                            #
                            # Group  1:     2    3
                            #
                            #----------------------------------------------------------------
                                    Group       #bytes #repetitions      t[usec]   Mbytes/sec

                                        0            0          863         2.84         0.00
                                        1            0          863         3.44         0.00

                                        0            4          863      2314.84         0.00
                                        1            4          863       122.44         0.03
                            """).reports();

            assertThat(reports)
                    .extracting(BenchmarkReport::benchmark)
                    .containsExactly("Multi-PingPong (group 0)", "Multi-PingPong (group 1)");
            assertThat(reports.get(1).processes()).hasValue(2);
            assertThat(reports.get(1).row(4).orElseThrow().latencyMicros()).hasValue(122.44);
        }

        @Test
        void readsAColumnOfDefects() {
            BenchmarkReport report = Samples.only("""
                    # Benchmarking PingPong
                    # #processes = 2
                           #bytes #repetitions      t[usec]   Mbytes/sec      defects
                                1         1000        21.92         0.05         0.00
                    """);

            assertThat(report.rows().get(0).value(Measure.DEFECTS)).hasValue(0);
        }
    }

    @Nested
    class Osu {
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
            assertThat(report.traffic()).isEqualTo(Traffic.STREAM);
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

            assertThat(Samples.only(failed).findings())
                    .extracting(Finding::code)
                    .containsExactly("CW-BENCH-007");
        }

        @Test
        void readsTheMeanOfACollective() {
            BenchmarkReport report = Samples.only(Samples.read("06_osu70_bcast_azure_batch.txt"));

            assertThat(report.benchmark()).isEqualTo("Broadcast Latency");
            assertThat(report.traffic()).isEqualTo(Traffic.COLLECTIVE);
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
    }

    @Nested
    class NetPipe {
        @Test
        void readsRowsBetweenItsChatter() {
            BenchmarkReport report = Samples.only(Samples.read("netpipe_mpich402_veth.txt"));

            assertThat(report.format()).isEqualTo(BenchmarkFormat.NETPIPE);
            assertThat(report.benchmark()).isEqualTo("PingPong");
            assertThat(report.processes()).hasValue(2);
            assertThat(report.rows()).hasSize(44);
            assertThat(report.findings()).isEmpty();
            assertThat(report.rows()).allMatch(row -> row.rateUnit() == RateUnit.MEBIBIT_PER_SECOND);
        }

        @Test
        void countsItsMegabitsAs2To20() {
            BenchmarkReport report =
                    Samples.only("  0:       1 bytes  12062 times -->      0.62 Mbps in      12.24 usec\n");

            BenchmarkRow row = report.rows().get(0);
            assertThat(row.repetitions()).hasValue(12062);
            assertThat(row.latencyMicros()).hasValue(12.24);
            assertThat(row.printedRate()).hasValue(0.62);
            assertThat(row.bytesPerSecond().orElseThrow()).isCloseTo(0.62 * 131_072, within(1e-6));
        }
    }

    @Nested
    class Verbs {
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
            assertThat(report.summary().peakRate()).hasValue(1103.39);
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
            assertThat(report.summary().peakRate()).hasValue(50.19);
        }

        @Test
        void readsPerftestLatency() {
            BenchmarkReport report = Samples.only("""
                                        RDMA_Write Latency Test
                     #bytes #iterations    t_min[usec]    t_max[usec]  t_typical[usec]    t_avg[usec]    t_stdev[usec]   99% percentile[usec]   99.9% percentile[usec]\s
                     2       500          12.16          279.55       12.42    \t       13.73       \t9.45   \t\t40.18   \t\t279.55\s
                    """);

            BenchmarkRow row = report.rows().get(0);
            assertThat(report.traffic()).isEqualTo(Traffic.PING_PONG);
            assertThat(row.latencyMicros()).hasValue(12.42);
            assertThat(row.value(Measure.MIN)).hasValue(12.16);
            assertThat(row.value(Measure.PERCENTILE_99)).hasValue(40.18);
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
    }

    @Test
    void recognisesNothingInOrdinaryText() {
        assertThat(Benchmarks.parse("cluster11\n42 is the answer\n").isEmpty()).isTrue();
        assertThat(Benchmarks.parse("").isEmpty()).isTrue();
    }
}
