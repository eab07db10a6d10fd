package io.clusterwright.windows.hpcpack;

import java.time.Duration;

/** The pauses between one question and the next, which grow from 0.2 to 5 s. */
final class Pauses {
    private static final Duration LONGEST = Duration.ofSeconds(5);

    private Duration next = Duration.ofMillis(200);

    Duration next() {
        Duration now = next;
        Duration twice = now.multipliedBy(2);
        next = twice.compareTo(LONGEST) < 0 ? twice : LONGEST;
        return now;
    }
}
