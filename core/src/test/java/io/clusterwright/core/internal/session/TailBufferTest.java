package io.clusterwright.core.internal.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.clusterwright.core.Command;
import io.clusterwright.core.CommandResult;
import io.clusterwright.core.type.NodeName;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class TailBufferTest {

    @Test
    void keepsExactlyTheLastBytes() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int round = 0; round < 300; round++) {
            int limit = random.nextInt(5000);
            TailBuffer buffer = new TailBuffer(limit);
            ByteArrayOutputStream all = new ByteArrayOutputStream();
            for (int pieces = random.nextInt(12); pieces > 0; pieces--) {
                byte[] piece = new byte[random.nextInt(3000)];
                random.nextBytes(piece);
                int offset = piece.length == 0 ? 0 : random.nextInt(piece.length);
                buffer.append(piece, offset, piece.length - offset);
                all.write(piece, offset, piece.length - offset);
            }
            byte[] expected = all.toByteArray();
            assertThat(buffer.toByteArray())
                    .as("seed %d, round %d", seed, round)
                    .isEqualTo(Arrays.copyOfRange(expected, Math.max(0, expected.length - limit), expected.length));
            assertThat(new CommandResult(
                                    NodeName.of("demo1"),
                                    Command.of("true"),
                                    0,
                                    buffer.output(),
                                    new CommandResult.Output(new byte[0], 0),
                                    Duration.ZERO)
                            .lostBytes())
                    .as("seed %d, round %d", seed, round)
                    .isEqualTo(Math.max(0, expected.length - limit));
        }
    }

    @Test
    void showsTheLastLinesThatHoldAnything() {
        TailBuffer buffer = new TailBuffer(1000);
        byte[] text = "one\n\ntwo\n  \nthree".getBytes(StandardCharsets.UTF_8);
        buffer.append(text, 0, text.length);

        assertThat(buffer.lastLines(2)).containsExactly("two", "three");
        assertThat(buffer.lastLines(9)).containsExactly("one", "two", "three");
    }

    @Test
    void cutsALongLineThatItShows() {
        TailBuffer buffer = new TailBuffer(1_000_000);
        byte[] text = "x".repeat(100_000).getBytes(StandardCharsets.UTF_8);
        buffer.append(text, 0, text.length);

        assertThat(buffer.lastLines(1)).singleElement().asString().hasSize(500).endsWith("xxx...");
    }
}
