package io.clusterwright.linux.internal.ssh;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.clusterwright.linux.internal.ssh.LeaderMark.Leader;
import java.io.ByteArrayOutputStream;
import java.util.Random;
import org.junit.jupiter.api.Test;

class LeaderMarkTest {
    private static final String MARK = "clusterwright-leader abc 4711 98765\n";

    private final ByteArrayOutputStream rest = new ByteArrayOutputStream();
    private final LeaderMark mark = new LeaderMark("abc", true, rest::write);

    @Test
    void markIsRemovedFromTheStream() {
        take(MARK + "one\ntwo\n");

        assertThat(mark.leader().join()).isEqualTo(new Leader(4711, 98765));
        assertThat(rest.toString(ISO_8859_1)).isEqualTo("one\ntwo\n");
    }

    @Test
    void whatAStartUpFilePrintsIsNotTheAnswer() {
        LeaderMark begin = new LeaderMark("abc", false, rest::write);
        byte[] all = ("Welcome\n" + MARK + "answer\n").getBytes(ISO_8859_1);

        begin.accept(all, 0, all.length);

        assertThat(rest.toString(ISO_8859_1)).isEqualTo("answer\n");
    }

    @Test
    void findsTheMarkHoweverTheStreamIsCut() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int round = 0; round < 200; round++) {
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            LeaderMark cut = new LeaderMark("abc", true, out::write);
            byte[] all = ("noise of a shell\u00ff\n" + MARK + "text " + MARK).getBytes(ISO_8859_1);
            for (int at = 0; at < all.length; ) {
                int length = Math.min(1 + random.nextInt(20), all.length - at);
                cut.accept(all, at, length);
                at += length;
            }
            assertThat(out.toString(ISO_8859_1)).as("seed %d", seed).isEqualTo("noise of a shell\u00ff\ntext " + MARK);
            assertThat(cut.leader()).isCompletedWithValue(new Leader(4711, 98765));
        }
    }

    @Test
    void aMarkOfAnotherNonceIsOutput() {
        take("clusterwright-leader xyz 1 2\n");
        mark.end();

        assertThat(mark.leader()).isCompletedExceptionally();
        assertThat(rest.toString(ISO_8859_1)).isEqualTo("clusterwright-leader xyz 1 2\n");
    }

    @Test
    void stopsWaitingForTheMark() {
        String noise = "x".repeat(70_000);
        take(noise);
        take("more");

        assertThat(mark.leader()).isCompletedExceptionally();
        assertThat(rest.toString(ISO_8859_1)).isEqualTo(noise + "more");
    }

    private void take(String text) {
        byte[] bytes = text.getBytes(ISO_8859_1);
        mark.accept(bytes, 0, bytes.length);
    }
}
