package io.clusterwright.core.internal.concurrent;

import java.time.Duration;

/** A named limit on time that runs from its creation; prints as {@code the connect timeout of 10 s}. Immutable. */
public final class Deadline {
    private static final Duration SHORTEST = Duration.ofMillis(1);
    private static final Duration LONGEST = Duration.ofDays(36_500);

    private final WaitTime.Source time;
    private final String name;
    private final Duration limit;
    private final long end;

    private Deadline(WaitTime.Source time, String name, Duration limit) {
        this.time = time;
        this.name = name;
        this.limit = limit.compareTo(LONGEST) > 0 ? LONGEST : limit;
        this.end = time.nanos() + this.limit.toNanos();
    }

    /** A deadline this long from now, at most a century. */
    public static Deadline in(String name, Duration limit) {
        return in(WaitTime.OF_PROCESS, name, limit);
    }

    /** A deadline by this time. */
    public static Deadline in(WaitTime.Source time, String name, Duration limit) {
        return new Deadline(time, name, limit);
    }

    /** A new deadline from now, or this one where it ends earlier. */
    public Deadline within(String innerName, Duration innerLimit) {
        return remaining().compareTo(innerLimit) <= 0 ? this : new Deadline(time, innerName, innerLimit);
    }

    /** The remaining time; zero when it has passed. */
    public Duration remaining() {
        return Duration.ofNanos(Math.max(0, end - time.nanos()));
    }

    /** The remaining time, but no more than this. */
    public Duration remaining(Duration most) {
        Duration remaining = remaining();
        return remaining.compareTo(most) < 0 ? remaining : most;
    }

    /** Whether it has passed. */
    public boolean passed() {
        return remaining().isZero();
    }

    /**
     * Sleeps this long, or until the deadline.
     *
     * @throws InterruptedException when the thread is interrupted
     */
    public void sleep(Duration length) throws InterruptedException {
        Duration left = remaining(length);
        time.sleep(left.compareTo(SHORTEST) < 0 ? SHORTEST : left);
    }

    @Override
    public String toString() {
        return "the " + name + " of " + text(limit);
    }

    /** A duration as people write it: {@code 1.5 s}, {@code 250 ms}, {@code 2 min}. */
    public static String text(Duration duration) {
        long millis = duration.toMillis();
        if (millis < 1000) {
            return millis + " ms";
        }
        if (millis % 60_000 == 0) {
            return millis / 60_000 + " min";
        }
        return millis % 1000 == 0 ? millis / 1000 + " s" : millis / 1000.0 + " s";
    }
}
