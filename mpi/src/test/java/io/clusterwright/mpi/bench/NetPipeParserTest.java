package io.clusterwright.mpi.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.clusterwright.mpi.bench.BenchmarkReport.BenchmarkFormat;
import io.clusterwright.mpi.bench.BenchmarkRow.RateUnit;
import org.junit.jupiter.api.Test;

class NetPipeParserTest {
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
