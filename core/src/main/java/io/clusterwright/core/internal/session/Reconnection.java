package io.clusterwright.core.internal.session;

import io.clusterwright.core.internal.concurrent.Backoff;
import io.clusterwright.core.internal.concurrent.Deadline;
import io.clusterwright.core.internal.concurrent.WaitTime;
import java.time.Duration;

/** Attempts to open a broken connection again: for 3 minutes, with pauses of 0.1 to 2 s. One thread. */
public final class Reconnection {
    /** The time for which a broken connection is opened again; the holder of a job's agent on a node waits as long. */
    public static final Duration LIMIT = Duration.ofMinutes(3);

    private static final Duration FIRST_PAUSE = Duration.ofMillis(100);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(2);

    private final Deadline deadline;
    private final Backoff pauses;

    /** Attempts from now on, by this time. */
    public Reconnection(WaitTime.Source time) {
        this.deadline = Deadline.in(time, "limit on a broken connection", LIMIT);
        this.pauses = new Backoff(time, FIRST_PAUSE, LONGEST_PAUSE);
    }

    /** Whether the time has passed. */
    public boolean isOver() {
        return deadline.passed();
    }

    /**
     * Waits before the next attempt.
     *
     * @throws InterruptedException when the thread is interrupted
     */
    public void pause() throws InterruptedException {
        pauses.sleep();
    }
}
