package io.clusterwright.linux.internal.ssh;

import java.time.Duration;

/** A named limit on time, running since it was made; it prints as {@code the connect timeout of 10 s}. */
final class Deadline {
    private final String name;
    private final Duration limit;
    private final long end;

    Deadline(String name, Duration limit) {
        this.name = name;
        this.limit = limit;
        this.end = System.nanoTime() + limit.toNanos();
    }

    /** A new deadline from now on, or this one where it ends earlier. */
    Deadline within(String innerName, Duration innerLimit) {
        return remaining().compareTo(innerLimit) <= 0 ? this : new Deadline(innerName, innerLimit);
    }

    /** What is left; zero when it has passed. */
    Duration remaining() {
        return Duration.ofNanos(Math.max(0, end - System.nanoTime()));
    }

    @Override
    public String toString() {
        return "the " + name + " of " + text(limit);
    }

    /** A duration for people: {@code 1.5 s}, {@code 250 ms}, {@code 2 min}. */
    static String text(Duration duration) {
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
