package io.clusterwright.mpi.internal.agent;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.clusterwright.core.RunningCommand.OutputListener.Stream;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LauncherOutputTest {
    private static final String SECRET = "0123456789abcdef0123456789abcdef";

    private final StringBuilder job = new StringBuilder();
    private final StringBuilder after = new StringBuilder();
    private final List<Integer> ended = new ArrayList<>();
    private final LauncherOutput output = new LauncherOutput(
            SECRET, (stream, bytes, length) -> job.append(new String(bytes, 0, length, UTF_8)), ended::add);

    @Test
    void passesOutputOnAtOnceUntilBothStreamsHaveEnded() {
        feed(Stream.STDOUT, "one\ntw");
        assertThat(job).hasToString("one\ntw");

        feed(Stream.STDOUT, "o\u0001" + SECRET + " 7\nclusterwright-sweep 0 0\n");

        assertThat(ended).isEmpty();
        feed(Stream.STDERR, "late\u0001" + SECRET + " 7\n");
        assertThat(ended).containsExactly(7);
        assertThat(job).hasToString("one\ntwolate");
        assertThat(after).hasToString("clusterwright-sweep 0 0\n");
    }

    @Test
    void findsTheEndInPiecesOfAnySize() {
        for (char c : ("a\u0001" + SECRET.substring(1) + " 3\n\u0001" + SECRET + " 143\n").toCharArray()) {
            feed(Stream.STDOUT, String.valueOf(c));
        }
        feed(Stream.STDERR, "\u0001" + SECRET + " 143\n");

        assertThat(ended).containsExactly(143);
        assertThat(job).hasToString("a\u0001" + SECRET.substring(1) + " 3\n");
        assertThat(after).hasToString("");
    }

    /** The launch node knows the word, and could send it with anything behind it. */
    @Test
    void theMarkWithoutAStatusIsOutput() {
        String mark = "\u0001" + SECRET + " ";
        String marks = mark + "\n" + mark + "1x\n" + mark + "1234567890\n" + mark + "-1\n" + mark;
        for (char c : marks.toCharArray()) {
            feed(Stream.STDOUT, String.valueOf(c));
        }
        feed(Stream.STDERR, marks);
        String endless = "7".repeat(100_000);
        feed(Stream.STDERR, endless);
        assertThat(job).hasToString(marks.substring(0, marks.length() - mark.length()) + marks + endless);
        assertThat(ended).isEmpty();

        feed(Stream.STDOUT, "2\n");
        feed(Stream.STDERR, mark + "2\n");
        assertThat(ended).containsExactly(2);
        assertThat(after).hasToString("");
    }

    private void feed(Stream stream, String text) {
        byte[] bytes = text.getBytes(UTF_8);
        after.append(new String(output.feed(stream, bytes, bytes.length), UTF_8));
    }
}
