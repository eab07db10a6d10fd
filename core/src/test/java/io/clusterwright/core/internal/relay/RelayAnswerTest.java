package io.clusterwright.core.internal.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.clusterwright.core.spi.ScriptChannel.Answer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Base64;
import java.util.Optional;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;

class RelayAnswerTest {
    private static final int LONGEST = 256 * 1024;

    @Test
    void takesAPieceOfTheLongestLength() throws IOException {
        assertThat(answer(LONGEST, LONGEST))
                .hasValueSatisfying(found -> assertThat(found.out().bytes()).hasSize(LONGEST));
    }

    /** A node can pack 999,999,999 zeros into less than a megabyte. */
    @Test
    void refusesAPieceThatNoScriptSends() throws IOException {
        assertThat(answer(LONGEST + 1, LONGEST + 1)).isEmpty();
        assertThat(answer(999_999_999, 8 * LONGEST)).isEmpty();
    }

    @Test
    void refusesAPieceOfAnotherLengthThanItSays() throws IOException {
        assertThat(answer(LONGEST, 8 * LONGEST)).isEmpty();
        assertThat(answer(LONGEST, LONGEST - 1)).isEmpty();
    }

    private static Optional<RelayAnswer> answer(int taken, int length) throws IOException {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(packed)) {
            out.write(new byte[length]);
        }
        return RelayAnswer.find(
                "job",
                new Answer(
                        "clusterwright-relay job running 0 999999999 " + taken + " "
                                + Base64.getEncoder().encodeToString(packed.toByteArray()) + " 0 0 -\n",
                        ""));
    }
}
