package io.clusterwright.mpi.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

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

    private static void feed(BenchmarkStream stream, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        stream.feed(bytes, bytes.length);
    }
}
