package io.clusterwright.mpi.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.clusterwright.core.plan.Finding;
import io.clusterwright.core.plan.Severity;
import io.clusterwright.mpi.bench.BenchmarkReport.BenchmarkFormat;
import io.clusterwright.mpi.bench.BenchmarkReport.CommunicationPattern;
import io.clusterwright.mpi.bench.BenchmarkRow.RateUnit;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ImbParserTest {
    @Test
    void readsTheArticlesTableInMebibytes() {
        BenchmarkReport report = Samples.only(Samples.read(Samples.ARTICLE));

        assertThat(report.format()).isEqualTo(BenchmarkFormat.IMB);
        assertThat(report.tool()).isEqualTo("Intel (R) MPI Benchmarks 4.0 Update 1");
        assertThat(report.benchmark()).isEqualTo("PingPong");
        assertThat(report.traffic()).isEqualTo(CommunicationPattern.PING_PONG);
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
        assertThat(report.minLatencyMicros()).hasValue(2.18);
        assertThat(report.peakRate()).hasValue(10526.36);
    }

    @Test
    void readsEveryTableOfAFile() {
        Benchmarks parsed = Benchmarks.parse(Samples.read("02_imb41_aarch64_ompi_five_benchmarks.txt"));

        assertThat(parsed.findings()).isEmpty();
        assertThat(parsed.reports())
                .extracting(BenchmarkReport::benchmark)
                .containsExactly("PingPong", "PingPing", "Sendrecv", "Exchange", "Allreduce");
        assertThat(parsed.reports()).extracting(report -> report.rows().size()).containsExactly(24, 24, 24, 12, 22);
        BenchmarkRow sendrecv = parsed.reports().get(2).row(4_194_304).orElseThrow();
        assertThat(sendrecv.value(Measure.MIN)).hasValue(5815.60);
        assertThat(sendrecv.value(Measure.MAX)).hasValue(5816.29);
        assertThat(sendrecv.value(Measure.AVERAGE)).hasValue(5815.95);
        assertThat(sendrecv.printedRate()).hasValue(1375.45);
        assertThat(sendrecv.latencyMicros()).isEmpty();
        BenchmarkReport allreduce = parsed.reports().get(4);
        assertThat(allreduce.traffic()).isEqualTo(CommunicationPattern.COLLECTIVE);
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
                .isEqualTo("Intel(R) MPI Benchmarks 2018 should print MB/s, and bytes divided by time give MiB/s;"
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
        Benchmarks parsed = Benchmarks.parse(Samples.read("mixed_launcher_mpich_runs_ompi.txt"));

        assertThat(parsed.reports()).isEmpty();
        assertThat(parsed.findings()).hasSize(2).allMatch(finding -> finding.severity() == Severity.ERROR);
        assertThat(parsed.findings().get(0).message()).contains("PingPong ran in a world of 1 process(es)");
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
        assertThat(report.findings().get(0).message()).contains("stopped at 8 bytes");
    }

    @Test
    void namesTheNotesInThePlaceOfNumbers() {
        BenchmarkReport report = Samples.only("""
                # Benchmarking Alltoall
                # #processes = 4
                       #bytes #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]
                        4          200      8269.41      9161.72      8798.83
                        8 int-overflow; The production rank*size caused int overflow;
                       16 out-of-mem.; needed X=   4.201 GB; use flag "-mem X" or MAX_MEM_USAGE>=X (IMB_mem_info.h)
                """);

        assertThat(report.rows()).hasSize(1);
        assertThat(report.findings()).extracting(Finding::code).containsExactly("CW-BENCH-010", "CW-BENCH-010");
        assertThat(report.findings().get(1).message()).contains("16 out-of-mem.; needed X=   4.201 GB");
    }

    @Test
    void namesTheNotesBehindTheRepetitions() {
        BenchmarkReport report = Samples.only("""
                # Benchmarking Alltoall
                # #processes = 4
                       #bytes #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]
                        4          200      8269.41      9161.72      8798.83
                  2097152           20  int-overflow.; The production rank*size caused int overflow;
                  4194304           10  out-of-mem.; needed X=   4.001 GB; use flag "-mem X" or MAX_MEM_USAGE>=X (IMB_mem_info.h)
                """);

        assertThat(report.rows()).hasSize(1);
        assertThat(report.findings()).extracting(Finding::code).containsExactly("CW-BENCH-010", "CW-BENCH-010");
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

    @Test
    void readsANonBlockingCollective() {
        BenchmarkReport report = Samples.only("""
                #------------------------------------------------------------------------------------------
                # Benchmarking Ibcast
                # #processes = 2
                #------------------------------------------------------------------------------------------
                       #bytes #repetitions t_ovrl[usec] t_pure[usec]  t_CPU[usec]   overlap[%]
                            0         1000         1.24         0.53         0.74         4.05
                            8          640        21.90        11.82        12.01        16.11
                """);

        assertThat(report.benchmark()).isEqualTo("Ibcast");
        assertThat(report.findings()).isEmpty();
        BenchmarkRow row = report.row(8).orElseThrow();
        assertThat(row.repetitions()).hasValue(640);
        assertThat(row.value(Measure.OVERALL)).hasValue(21.90);
        assertThat(row.value(Measure.PURE)).hasValue(11.82);
        assertThat(row.value(Measure.COMPUTE)).hasValue(12.01);
        assertThat(row.value(Measure.OVERLAP)).hasValue(16.11);
        assertThat(row.typicalMicros()).isEmpty();
        assertThat(report.minLatencyMicros()).isEmpty();
    }

    @Test
    void readsANonBlockingBarrierWithoutSizes() {
        BenchmarkReport report = Samples.only("""
                # Benchmarking Ibarrier
                # #processes = 2
                 #repetitions t_ovrl[usec] t_pure[usec]  t_CPU[usec]   overlap[%]
                         1000         3.24         1.53         1.74         0.00
                """);

        assertThat(report.rows()).singleElement().satisfies(row -> {
            assertThat(row.bytes()).isEmpty();
            assertThat(row.value(Measure.PURE)).hasValue(1.53);
        });
    }

    /** IMB-P2P counts the messages of all ranks, and divides by the time of the slowest rank. */
    @ParameterizedTest
    @CsvSource({"PingPong, 2, 1170.29, 285714", "PingPong, 4, 2300.17, 561429", "PingPing, 2, 2340.57, 571429"})
    void readsRatesOfSeveralPairs(String benchmark, int processes, double rate, int messages) {
        BenchmarkReport report = Samples.only("""
                #    Intel(R) MPI Benchmarks 2021.7, IMB-P2P part
                # Benchmarking %s
                # #processes = %d
                       #bytes #repetitions      t[usec]   Mbytes/sec      Msg/sec
                         4096         1000         3.50      %s       %d
                """.formatted(benchmark, processes, rate, messages));

        assertThat(report.findings()).isEmpty();
        assertThat(report.rows())
                .singleElement()
                .satisfies(row -> assertThat(row.printedRate()).hasValue(rate));
    }

    @Test
    void namesTheProcessesOfABenchmarkWithThreads() {
        BenchmarkReport report = Samples.only("""
                # Benchmarking PingPongMT
                # #processes = 2 (threads: 4)
                        #bytes  #repetitions   t_min[usec]   t_max[usec]   t_avg[usec]    Mbytes/sec
                             4          1000          2.33          2.46          2.40          1.63
                """);

        assertThat(report.processes()).hasValue(2);
    }

    @Test
    void numbersOfProcessesThatAreTooLargeAreNotRead() {
        assertThat(Benchmarks.parse("Intel(R) MPI Benchmarks 99999999999\n# #processes = 99999999999\n"
                                + "# ( 2 groups of 99999999999 processes each running simultaneous )\n")
                        .reports())
                .isEmpty();
    }

    @Test
    void readsMessageRates() {
        BenchmarkReport report = Samples.only("""
                #    Intel(R) MPI Benchmarks 2021.11, MPI-1 part
                # Benchmarking Uniband
                # #processes = 2
                       #bytes #repetitions   Mbytes/sec      Msg/sec
                            8         1000        23.11      2888750
                """);

        assertThat(report.traffic()).isEqualTo(CommunicationPattern.STREAM);
        assertThat(report.rows().get(0).printedRate()).hasValue(23.11);
        assertThat(report.rows().get(0).value(Measure.MESSAGE_RATE)).hasValue(2_888_750);
    }

    @Test
    void readsOneBenchmarkForSeveralNumbersOfProcesses() {
        List<BenchmarkReport> reports = Benchmarks.parse("""
                        # Benchmarking Bcast
                        # #processes = 2
                        # ( 2 additional processes waiting in MPI_Barrier)
                               #bytes #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]
                                    1         1000         0.90         1.10         1.00
                        # Benchmarking Bcast
                        # #processes = 4
                               #bytes #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]
                                    1         1000         1.90         2.10         2.00
                        """).reports();

        assertThat(reports).extracting(report -> report.processes().getAsInt()).containsExactly(2, 4);
        assertThat(reports)
                .extracting(
                        report -> report.row(1).orElseThrow().value(Measure.MAX).getAsDouble())
                .containsExactly(1.10, 2.10);
    }

    @Test
    void readsTheSuiteBeforeItsFourthVersionInMebibytes() {
        BenchmarkReport report = Samples.only(Samples.read(Samples.ARTICLE)
                .replace("Intel (R) MPI Benchmarks 4.0 Update 1", "Intel (R) MPI Benchmark Suite V3.2"));

        assertThat(report.tool()).isEqualTo("Intel (R) MPI Benchmark Suite V3.2");
        assertThat(report.rows()).hasSize(24).allMatch(row -> row.rateUnit() == RateUnit.MIB_PER_SECOND);
        assertThat(report.findings()).isEmpty();
    }

    /** A number that is wider than its column touches the rate before, and a number may be none. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "        0.05         3.00",
                "        0.05         0.01",
                "        0.05123456789012.00",
                "        0.05          inf",
                "        0.05         -nan"
            })
    void defectsAreWrongData(String end) {
        BenchmarkReport report = Samples.only("""
                # Benchmarking PingPong
                # #processes = 2
                       #bytes #repetitions      t[usec]   Mbytes/sec      defects
                            0         1000        21.92         0.00         0.00
                            1         1000        21.92 %s
                """.formatted(end));

        assertThat(report.findings())
                .extracting(Finding::code)
                .contains("CW-BENCH-007")
                .isSubsetOf("CW-BENCH-002", "CW-BENCH-007");
    }

    @Test
    void aCutRowWithoutDefectsIsNotWrongData() {
        BenchmarkReport report = Samples.only("""
                # Benchmarking PingPong
                # #processes = 2
                       #bytes #repetitions      t[usec]   Mbytes/sec      defects
                            1         1000        21.92         0.05
                """);

        assertThat(report.findings()).extracting(Finding::code).containsExactly("CW-BENCH-002");
    }

    @Test
    void readsSizesInTheOrderOfTheUser() {
        BenchmarkReport report = Samples.only("""
                #    Intel(R) MPI Benchmarks 2021.3, MPI-1 part
                # Benchmarking PingPong
                # #processes = 2
                       #bytes #repetitions      t[usec]   Mbytes/sec
                      4194304         1000       200.00     20971.52
                          512         1000         1.20       426.67
                          512         1000         9.20        55.65
                            8         1000         1.20         6.67
                """);

        assertThat(report.findings()).isEmpty();
        assertThat(report.rows()).hasSize(4);
        assertThat(LatencyEnvelope.article().judge(report).reasons())
                .singleElement()
                .asString()
                .startsWith("512 bytes in 9.20 us is over the limit");
    }

    /** Without a rate, only the note about the lengths shows that their order is meant. */
    @ParameterizedTest
    @CsvSource({"Message lengths were user defined, 2", "Maximum message length in bytes:   4194304, 1"})
    void readsSizesOfACollectiveInTheOrderOfTheUser(String note, int rows) {
        BenchmarkReport report = Samples.only("""
                #    Intel(R) MPI Benchmarks 2021.3, MPI-1 part
                # %s
                # Benchmarking Bcast
                # #processes = 4
                       #bytes #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]
                         1024         1000         1.90         2.10         2.00
                            8         1000         0.90         1.10         1.00
                """.formatted(note));

        assertThat(report.rows()).hasSize(rows);
        assertThat(report.findings()).hasSize(2 - rows);
    }

    @Test
    void namesTheColumnsItDoesNotKnow() {
        BenchmarkReport report = Samples.only("""
                # Benchmarking PingPong
                # #processes = 2
                       #bytes #repetitions      t[usec]  t_p99[usec]   Mbytes/sec
                            1         1000         1.12         2.00         0.89
                """);

        assertThat(report.rows()).hasSize(1);
        assertThat(report.findings()).singleElement().satisfies(finding -> {
            assertThat(finding.code()).isEqualTo("CW-BENCH-011");
            assertThat(finding.message()).endsWith("t_p99[usec]");
        });
    }

    @Test
    void namesTheModeOfATable() {
        String section = """
                #---------------------------------------------------
                # Benchmarking Unidir_Put
                # #processes = 2
                #---------------------------------------------------
                #
                #    MODE: %s\s
                #
                       #bytes #repetitions      t[usec]   Mbytes/sec
                            4         1000         0.25        16.00
                """;

        assertThat(Benchmarks.parse(section.formatted("AGGREGATE") + section.formatted("NON-AGGREGATE"))
                        .reports())
                .extracting(BenchmarkReport::benchmark)
                .containsExactly("Unidir_Put AGGREGATE", "Unidir_Put NON-AGGREGATE");
    }
}
