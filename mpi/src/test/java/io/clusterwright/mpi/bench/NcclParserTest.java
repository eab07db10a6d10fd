package io.clusterwright.mpi.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.clusterwright.core.catalog.VmSizeFacts;
import io.clusterwright.core.catalog.VmSizes;
import io.clusterwright.core.plan.Finding;
import io.clusterwright.core.type.VmSize;
import io.clusterwright.mpi.fabric.FabricEnvelope;
import java.util.List;
import org.junit.jupiter.api.Test;

class NcclParserTest {
    private static final String OUTPUT = """
            # nccl-tests version 2.17.1 nccl-headers=22807 nccl-library=22807
            # Collective test starting: all_reduce_perf
            # nThread 1 nGpus 1 minBytes 8 maxBytes 1073741824 step: 2(factor) warmup iters: 1 iters: 20 agg iters: 1 validation: 1
            #
            # Using devices
            #  Rank  0 Group  0 Pid 4711 on      node1 device  0 [0001:00:00] NVIDIA A100-SXM4-40GB
            #  Rank  1 Group  0 Pid 4712 on      node2 device  0 [0001:00:00] NVIDIA A100-SXM4-40GB
            #
            #                                                              out-of-place                       in-place
            #       size         count      type   redop    root     time   algbw   busbw  #wrong     time   algbw   busbw  #wrong
            #        (B)    (elements)                               (us)  (GB/s)  (GB/s)            (us)  (GB/s)  (GB/s)
                       8             2     float     sum      -1    28.63    0.00    0.00       0    29.68    0.00    0.00     N/A
                33554432       8388608     float     sum      -1   2184.5   15.36   15.36       0   2191.5   15.31   15.31     N/A
              1073741824     268435456     float     sum      -1    50648   21.20   21.20       0    50900   21.10   21.10     N/A
            # Out of bounds values : 0 OK
            # Avg bus bandwidth    : 12.19
            """;

    private static Verdict judge(String text) {
        return FabricEnvelope.judge(
                VmSizes.standard().find(VmSize.of("Standard_ND96asr_v4")).orElseThrow(),
                Benchmarks.parse(text).reports().get(0));
    }

    @Test
    void readsBothHalvesOfTheTable() {
        Benchmarks parsed = Benchmarks.parse(OUTPUT);

        assertThat(parsed.findings()).isEmpty();
        assertThat(parsed.reports())
                .extracting(BenchmarkReport::benchmark)
                .containsExactly("all_reduce_perf", "all_reduce_perf in place");
        BenchmarkReport table = parsed.reports().get(0);
        assertThat(table.tool()).isEqualTo("nccl-tests 2.17.1");
        assertThat(table.processes()).hasValue(2);
        assertThat(table.machines()).hasValue(2);
        BenchmarkRow last = table.row(1_073_741_824).orElseThrow();
        assertThat(last.value(Measure.AVERAGE)).hasValue(50648);
        assertThat(last.bytesPerSecond()).hasValue(21.20e9);
        assertThat(last.value(Measure.BUS_RATE)).hasValue(21.20);
        assertThat(last.value(Measure.DEFECTS)).hasValue(0);
        assertThat(parsed.reports().get(1).rows()).hasSize(3);
        assertThat(parsed.reports().get(1).rows().get(0).value(Measure.DEFECTS)).isEmpty();
    }

    @Test
    void readsTheColumnsOfOtherVersionsAndOptions() {
        List<BenchmarkReport> reports = Benchmarks.parse("""
                #       size         count      type     time   algbw   busbw   error     time   algbw   busbw   error
                #        (B)    (elements)               (us)  (GB/s)  (GB/s)             (us)  (GB/s)  (GB/s)
                        1024           256     float    9.36    0.11    0.10  0e+00     9.31    0.11    0.10  0e+00
                #       size         count      type   redop    root  cputime   algbw   busbw  #wrong    i_min    i_max    i_p99    i_cv%  cputime   algbw   busbw  #wrong    i_min    i_max    i_p99    i_cv%  timestamp
                        1024           256     float    none      -1  1.2e+07    0.11    0.10       0     9.10     9.90     9.80     1.20     9.31    0.11    0.10       0     9.10     9.90     9.70     1.30  2026-01-05 10:00:00
                """).reports();

        assertThat(reports)
                .hasSize(4)
                .allSatisfy(report -> assertThat(report.rows()).hasSize(1));
        assertThat(reports.get(2).rows().get(0).value(Measure.AVERAGE)).hasValue(1.2e7);
        assertThat(reports.get(3).rows().get(0).value(Measure.PERCENTILE_99)).hasValue(9.70);
        assertThat(reports)
                .extracting(report -> report.findings().get(0).message())
                .containsExactly(
                        "these columns of the table are not read: error",
                        "these columns of the table are not read: error",
                        "these columns of the table are not read: i_cv%",
                        "these columns of the table are not read: i_cv%");
    }

    @Test
    void saysThatDataWereWrong() {
        String wrong =
                OUTPUT.replace("21.20   21.20       0", "21.20   21.20      12").replace("0 OK", "12 FAILED");

        assertThat(Benchmarks.parse(wrong).findings())
                .extracting(Finding::code)
                .containsExactly("CW-BENCH-007", "CW-BENCH-007");
    }

    @Test
    void aBandwidthBelowTheWantedOneIsNotWrongData() {
        String slow = OUTPUT.replace("bandwidth    : 12.19", "bandwidth    : 12.19 FAILED");

        assertThat(Benchmarks.parse(slow).findings()).singleElement().satisfies(finding -> {
            assertThat(finding.code()).isEqualTo("CW-BENCH-012");
            assertThat(finding.message()).contains("12.19 GB/s").contains("below 90 % of NCCL_TESTS_MIN_BW");
        });
        assertThat(Benchmarks.parse(slow.replace("FAILED", "OK")).findings()).isEmpty();
    }

    @Test
    void leavesOutACutRow() {
        Benchmarks parsed = Benchmarks.parse(OUTPUT.replace("   15.31   15.31     N/A", ""));

        assertThat(parsed.reports().get(0).rows()).hasSize(2);
        assertThat(parsed.findings()).extracting(Finding::code).containsExactly("CW-BENCH-002");
    }

    @Test
    void isJudgedByTheLinksThatItsRanksUse() {
        assertThat(judge(OUTPUT).reasons()).singleElement().asString().startsWith("21.2 GB/s at best, above 20.0 GB/s");
        assertThat(judge(OUTPUT.replace("21.20", "11.20")).status()).isEqualTo(Verdict.Status.FAILED);
        assertThat(judge(OUTPUT.replaceAll("(?m)^ *1073741824.*\n", "")).status())
                .isEqualTo(Verdict.Status.NOT_JUDGED);
        assertThat(judge(OUTPUT.replace("node2", "node1")).status()).isEqualTo(Verdict.Status.NOT_JUDGED);
        assertThat(judge(OUTPUT.replace("all_reduce_perf", "alltoall_perf")).status())
                .isEqualTo(Verdict.Status.NOT_JUDGED);
    }

    private static String row(int bytes, String combination, double rate) {
        return "%12d %12d %s 50648 %6.2f %6.2f 0 50900 %6.2f %6.2f 0%n"
                .formatted(bytes, bytes / 4, combination, rate, rate, rate, rate);
    }

    private static String withRows(String rows) {
        return OUTPUT.replaceAll("(?m)^ +\\d.*\n", "").replace("# Out of", rows + "# Out of");
    }

    @Test
    void eachTypeOperationAndRootHasATable() {
        Benchmarks parsed = Benchmarks.parse(withRows(row(8, "float sum -1", 0.1)
                + row(1_073_741_824, "float sum -1", 21.2)
                + row(8, "float prod -1", 0.1)
                + row(1_073_741_824, "float prod -1", 11.2)
                + row(8, "half none 0", 0.1)
                + row(8, "half none 1", 0.1)));

        assertThat(parsed.findings()).isEmpty();
        assertThat(parsed.reports())
                .extracting(BenchmarkReport::benchmark)
                .containsExactly(
                        "all_reduce_perf (float, sum)",
                        "all_reduce_perf in place (float, sum)",
                        "all_reduce_perf (float, prod)",
                        "all_reduce_perf in place (float, prod)",
                        "all_reduce_perf (half, root 0)",
                        "all_reduce_perf in place (half, root 0)",
                        "all_reduce_perf (half, root 1)",
                        "all_reduce_perf in place (half, root 1)");
        assertThat(parsed.reports()).extracting(report -> report.rows().size()).containsExactly(2, 2, 2, 2, 1, 1, 1, 1);
        VmSizeFacts size =
                VmSizes.standard().find(VmSize.of("Standard_ND96asr_v4")).orElseThrow();
        assertThat(parsed.reports().subList(0, 4))
                .extracting(report -> FabricEnvelope.judge(size, report).status())
                .containsExactly(
                        Verdict.Status.PASSED, Verdict.Status.PASSED, Verdict.Status.FAILED, Verdict.Status.FAILED);
    }

    /** A fast cycle does not hide a slow one; sizes that are rounded to 0 are no cycles. */
    @Test
    void eachCycleHasATable() {
        Benchmarks parsed = Benchmarks.parse(withRows(row(0, "float sum -1", 0.1)
                + row(0, "float sum -1", 0.1)
                + row(16, "float sum -1", 0.1)
                + row(0, "float sum -1", 0.1)
                + row(8, "float prod -1", 0.1)
                + row(8, "float prod -1", 0.1)));

        assertThat(parsed.findings()).isEmpty();
        assertThat(parsed.reports().stream()
                        .filter(report -> !report.benchmark().contains("in place")))
                .extracting(BenchmarkReport::benchmark, report -> report.rows().size())
                .containsExactly(
                        tuple("all_reduce_perf (float, sum) cycle 1", 3),
                        tuple("all_reduce_perf (float, sum) cycle 2", 1),
                        tuple("all_reduce_perf (float, prod) cycle 1", 1),
                        tuple("all_reduce_perf (float, prod) cycle 2", 1));
    }

    @Test
    void wrongDataOfAnUnknownRowFailEachTableOfTheRun() {
        String rows = row(8, "float sum -1", 0.1) + row(8, "float prod -1", 0.1);
        String failed = withRows(rows).replace("0 OK", "12 FAILED");

        assertThat(Benchmarks.parse(failed).reports())
                .hasSize(4)
                .allSatisfy(report ->
                        assertThat(report.findings()).extracting(Finding::code).containsExactly("CW-BENCH-007"));
        assertThat(Benchmarks.parse(failed.replaceFirst(" 0\n", " 12\n")).reports())
                .extracting(report -> report.findings().size())
                .containsExactly(0, 2, 0, 0);
    }

    @Test
    void aSizeOutOfOrderIsReported() {
        assertThat(Benchmarks.parse(withRows(row(8, "float sum -1", 0.1)
                                + row(64, "float sum -1", 0.1)
                                + row(32, "float sum -1", 0.1)))
                        .findings())
                .extracting(Finding::code)
                .containsExactly("CW-BENCH-004", "CW-BENCH-004");
    }
}
