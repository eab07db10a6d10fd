package io.clusterwright.mpi.internal.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.clusterwright.mpi.internal.agent.FinalizeWatch.Judge;
import io.clusterwright.mpi.internal.agent.FinalizeWatch.Rank;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** With times as measured of a job that hung: the rank in the barrier sleeps, the other polls and is half of its time in the kernel. */
class FinalizeWatchTest {
    private static final String WAITS = "clusterwright-does 18950:77 waits 25 7 5 1,2,100,0";

    private final Judge judge = new Judge();

    @Test
    void ranksThatWaitForEachOtherAreStuckAtTheFourthLook() {
        for (int look = 0; look < 3; look++) {
            assertThat(look(0, 2, WAITS, polls(look))).as("look %d", look).isFalse();
            assertThat(judge.suspects()).isTrue();
        }
        assertThat(look(0, 2, WAITS, polls(3))).isTrue();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "it computes | runs 0 1000 2 1,2,100,0",
                "it sleeps | other 0 83 94 1,2,100,0",
                "it waits as well and has nothing unread, with the other | waits 0 4 4 1,2,100,0",
                "it does not run at all | runs 0 83 94 1,2,100,0"
            })
    void aRankThatMayGoOnIsWaitedFor(String why, String second) {
        String first = why.contains("with the other") ? WAITS.replace("waits 25", "waits 0") : WAITS;
        for (int look = 0; look < 10; look++) {
            String number = second.startsWith("runs 0 1000") ? "runs 0 " + look * 400 + " 2 1,2,100,0" : second;
            assertThat(look(0, 2, first, "clusterwright-does 18951:78 " + number))
                    .as(why)
                    .isFalse();
        }
    }

    @Test
    void aRankThatReadsOrWritesIsWaitedFor() {
        for (int look = 0; look < 10; look++) {
            assertThat(look(0, 2, WAITS, polls(look).replace("1,2,", "1," + look + ",")))
                    .isFalse();
        }
    }

    @Test
    void outputAndRanksThatAreNotSeenBeginAnew() {
        for (int look = 0; look < 10; look++) {
            assertThat(look(look, 2, WAITS, polls(look))).isFalse();
        }
        for (int look = 0; look < 10; look++) {
            assertThat(look(0, 3, WAITS, polls(look))).isFalse();
        }
    }

    private static String polls(int look) {
        return "clusterwright-does 18951:78 runs 0 " + (83 + 16 * look) + " " + (94 + 22 * look) + " 1,2,100,0";
    }

    private boolean look(long quietSince, int expected, String... lines) {
        Map<String, Rank> seen = new HashMap<>();
        for (String line : lines) {
            FinalizeWatch.read("node1", line, seen);
        }
        assertThat(seen).hasSameSizeAs(lines);
        return judge.stuck(seen, expected, quietSince);
    }
}
