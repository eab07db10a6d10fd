package io.clusterwright.core.internal.text;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class LineSplitterTest {
    private final List<LineSplitter.Line> lines = new ArrayList<>();

    @Test
    void aLineWithoutEndIsHandedOnInPieces() {
        LineSplitter splitter = new LineSplitter(lines::add);
        byte[] chunk = "x".repeat(8 * 1024).getBytes(UTF_8);
        for (int i = 0; i < 1024; i++) {
            splitter.feed(chunk, chunk.length);
        }

        assertThat(lines).hasSizeGreaterThan(100).allSatisfy(line -> {
            assertThat(line.text().length()).isLessThanOrEqualTo(64 * 1024 + chunk.length);
            assertThat(line.number()).isEqualTo(1);
        });
    }

    @Test
    void theLinesTogetherAreTheBytes() {
        byte[] all = new byte[300_000];
        new Random(7).nextBytes(all);
        all[all.length - 1] = 0;
        LineSplitter splitter = new LineSplitter(lines::add);
        splitter.feed(all, 100_001);
        byte[] rest = Arrays.copyOfRange(all, 100_001, all.length);
        splitter.feed(rest, rest.length);
        splitter.finish();

        ByteArrayOutputStream read = new ByteArrayOutputStream();
        lines.forEach(line -> read.writeBytes(line.bytes()));
        assertThat(read.toByteArray()).isEqualTo(all);
        assertThat(lines.get(lines.size() - 1).complete()).isFalse();
    }

    @Test
    void textHasNoLineBreakAndIsDecodedAsUtf8() {
        LineSplitter splitter = new LineSplitter(lines::add);
        byte[] bytes = "µs\r\nlast".getBytes(UTF_8);
        splitter.feed(bytes, 1);
        byte[] rest = Arrays.copyOfRange(bytes, 1, bytes.length);
        splitter.feed(rest, rest.length);
        splitter.finish();

        assertThat(lines).extracting(LineSplitter.Line::text).containsExactly("µs", "last");
    }
}
