package io.clusterwright.mpi.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.clusterwright.mpi.bench.BenchmarkReport.BenchmarkFormat;
import io.clusterwright.mpi.bench.BenchmarkReport.CommunicationPattern;
import io.clusterwright.mpi.bench.BenchmarkRow.RateUnit;
import org.junit.jupiter.api.Test;

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
