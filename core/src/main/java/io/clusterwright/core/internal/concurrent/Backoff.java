package io.clusterwright.core.internal.concurrent;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/** Pauses between attempts: each twice as long as the one before up to a limit, shortened at random by up to half. One thread. */
public final class Backoff {
    private final WaitTime.Source time;
    private final Duration longest;
    private Duration next;

    /** Pauses that start with {@code first}. */
    public Backoff(Duration first, Duration longest) {
        this(WaitTime.OF_PROCESS, first, longest);
    }

    /** Pauses by this time that start with {@code first}. */
    public Backoff(WaitTime.Source time, Duration first, Duration longest) {
        this.time = time;
        this.next = first;
        this.longest = longest;
    }

    /** The next pause. */
    public Duration next() {
        Duration pause = next;
        Duration doubled = next.multipliedBy(2);
        next = doubled.compareTo(longest) > 0 ? longest : doubled;
        long millis = pause.toMillis();
        return Duration.ofMillis(millis / 2 + ThreadLocalRandom.current().nextLong(millis / 2 + 1));
    }

    /**
     * Sleeps for the next pause.
     *
     * @throws InterruptedException when the thread is interrupted
     */
    public void sleep() throws InterruptedException {
        time.sleep(next());
    }
}
