package io.clusterwright.windows.internal.rest;

import io.clusterwright.windows.hpcpack.HpcPackInterruptedException;
import java.time.Duration;

/** A moment after which nothing is waited for any more. */
public final class Deadline {
    private final long nanos;
    private final Duration limit;

    private Deadline(Duration limit) {
        this.limit = limit;
        this.nanos = System.nanoTime() + limit.toNanos();
    }

    /** The moment this long from now, at most a century. */
    public static Deadline in(Duration limit) {
        Duration most = Duration.ofDays(36_500);
        return new Deadline(limit.compareTo(most) > 0 ? most : limit);
    }

    /** How long it was from the start. */
    public Duration limit() {
        return limit;
    }

    /** What is left; never negative. */
    public Duration left() {
        return Duration.ofNanos(Math.max(0, nanos - System.nanoTime()));
    }

    /** Whether it has passed. */
    public boolean passed() {
        return left().isZero();
    }

    /**
     * Waits this long, or until the deadline.
     *
     * @param what what the wait is for, for the message
     * @throws HpcPackInterruptedException when the thread is interrupted
     */
    public void pause(Duration length, String what) {
        try {
            Thread.sleep(Math.max(1, Math.min(length.toMillis(), left().toMillis())));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new HpcPackInterruptedException("this thread was interrupted while it waited to " + what, e);
        }
    }
}
