package io.clusterwright.core.internal.text;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
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
}
