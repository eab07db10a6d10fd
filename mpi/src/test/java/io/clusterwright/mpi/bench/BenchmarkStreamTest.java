package io.clusterwright.mpi.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BenchmarkStreamTest {

    @Test
    void handsOnARowAsSoonAsItsLineEnds() {
        List<BenchmarkRow> rows = new ArrayList<>();
        BenchmarkStream stream = new BenchmarkStream(rows::add);

        feed(stream, "0: cluster11\n  0:       1 bytes  12062 times -->  ");
        assertThat(rows).isEmpty();
        feed(stream, "    0.62 Mbps in      12.24 usec");
        assertThat(rows).isEmpty();
        feed(stream, "\n");
        assertThat(rows).hasSize(1);
        assertThat(stream.finish().reports().get(0).rows()).isEqualTo(rows);
    }

    @Test
    void givesTheSameRowsByteByByte() {
        String text = Samples.read(Samples.ARTICLE);
        List<BenchmarkRow> rows = new ArrayList<>();
        BenchmarkStream stream = new BenchmarkStream(rows::add);

        for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
            stream.feed(new byte[] {b}, 1);
        }

        assertThat(stream.finish().reports().get(0).rows())
                .isEqualTo(Samples.only(text).rows())
                .isEqualTo(rows);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "0: ",
                " 3: ",
                "[1,0]<stdout>: ",
                "Sun May 27 12:24:33 2018[1,0]<stdout>:",
                "Sun May 27 12:24:33 2018<stdout>:",
                "[prterun-node1-4711@1,0]<stdout>: ",
                "2026-01-05T10:00:00.123456+01:00 ",
                "[2026-01-05 10:00:00,123] ",
                "2026-01-05T10:00:00Z 0: ",
                "May  7 12:24:33 ",
                "12:24:33 "
            })
    void readsLinesBehindLabelsAndTimeStamps(String label) {
        for (String sample : List.of(Samples.ARTICLE, "11_osu563_latency_100g_ib.txt", "netpipe_mpich402_veth.txt")) {
            String text = Samples.read(sample);

            assertThat(Samples.only(text.replaceAll("(?m)^", label)).rows())
                    .as(sample)
                    .isEqualTo(Samples.only(text).rows());
        }
    }

    private static final String LATENCIES =
            "# OSU MPI Latency Test v7.4\n# Size       Avg Latency(us)\n1                       1.62\n";

    /** pdsh and clush write the node before each line. */
    @Test
    void aSingleNodeIsNotNamed() {
        assertThat(Samples.only(LATENCIES.replaceAll("(?m)^", "node1: ")))
                .satisfies(report -> assertThat(report.benchmark()).isEqualTo("Latency"))
                .satisfies(report -> assertThat(report.rows()).hasSize(1));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void readsTheTablesOfEachNode(boolean mixed) {
        List<String> one = LATENCIES.replaceAll("(?m)^", "node1: ").lines().toList();
        List<String> other = LATENCIES
                .replace("1.62", "9.99")
                .replaceAll("(?m)^", "node2: ")
                .lines()
                .toList();
        List<String> lines = new ArrayList<>();
        for (int i = 0; i < one.size(); i++) {
            lines.add(mixed ? i : lines.size(), one.get(i));
            lines.add(other.get(i));
        }

        Benchmarks parsed = Benchmarks.parse("node1: note: nothing\n" + String.join("\n", lines) + "\n");

        assertThat(parsed.findings()).isEmpty();
        assertThat(parsed.reports())
                .extracting(
                        BenchmarkReport::benchmark,
                        report -> report.minLatencyMicros().orElse(0))
                .containsExactlyInAnyOrder(tuple("Latency on node1", 1.62), tuple("Latency on node2", 9.99));
    }

    /** perftest and ucx_perftest print their name before any number sign, NetPIPE and mpipingpong print none. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "11_osu563_latency_100g_ib.txt",
                "18_ib_write_bw_irdma_10g.txt",
                "21_ucx_perftest_tag_lat_threads.txt",
                "netpipe_mpich402_veth.txt"
            })
    void readsLinesBehindNodesOfEachTool(String sample) {
        String text = Samples.read(sample).replaceFirst("# source.*\n", "");
        BenchmarkReport plain = Samples.only(text);

        assertThat(Samples.only(text.replaceAll("(?m)^", "node-1.cluster: "))).isEqualTo(plain);
    }

    @Test
    void aTitleBehindANodeNamesItsTraffic() {
        BenchmarkReport report = Samples.only("""
                ---------------------------------------------------------------------------------------
                                    RDMA_Write Bidirectional BW Test
                 #bytes     #iterations    BW peak[MiB/sec]    BW average[MiB/sec]   MsgRate[Mpps]
                 65536      5000             23000.25              22900.00\t\t     0.366400
                """.replaceAll("(?m)^(?=.)", "node1: "));

        assertThat(report.benchmark()).isEqualTo("RDMA_Write Bidirectional BW");
        assertThat(report.traffic()).isEqualTo(BenchmarkReport.CommunicationPattern.EXCHANGE);
    }

    @ParameterizedTest
    @ValueSource(strings = {"launcher-1  | ", "[pod/osu-launcher-x/launcher] "})
    void readsATableBehindTheNameOfAContainer(String container) {
        String table = "# OSU MPI Latency Test v7.4\n# Size       Avg Latency(us)\n1                       1.62\n";

        assertThat(Benchmarks.parse(table.replaceAll("(?m)^", container)).reports())
                .singleElement()
                .satisfies(report -> assertThat(report.rows()).hasSize(1));
    }

    @Test
    void aLineOfManyLabelsIsRead() {
        assertThat(Benchmarks.parse("[0] ".repeat(15_000) + "\n" + "1: ".repeat(20_000))
                        .reports())
                .isEmpty();
    }

    private static void feed(BenchmarkStream stream, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        stream.feed(bytes, bytes.length);
    }
}
