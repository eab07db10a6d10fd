package io.clusterwright.mpi.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class BenchmarkRowTest {

    @Test
    void alignsRowsUnderTheirTitles() {
        BenchmarkReport report = Samples.only("  0:       1 bytes  12062 times -->      0.62 Mbps in      12.24 usec\n"
                + " 43: 4194304 bytes     16 times -->  13224.52 Mbps in    2419.75 usec\n");

        String rows =
                report.rows().stream().map(BenchmarkRow::toPingPongLine).collect(Collectors.joining("\n", "", "\n"));
        assertThat(BenchmarkRow.pingPongHeader() + "\n" + rows).isEqualTo("""
                       bytes   repetitions   latency [us]   bandwidth [MB/s]
                           1         12062          12.24               0.08
                     4194304            16        2419.75            1733.36
                """);
    }

    @Test
    void showsADashForWhatWasNotPrinted() {
        BenchmarkReport report = Samples.only(Samples.read("11_osu563_latency_100g_ib.txt"));

        assertThat(report.rows().get(0).toPingPongLine())
                .isEqualTo("           0             -           1.27                  -");
    }
}
