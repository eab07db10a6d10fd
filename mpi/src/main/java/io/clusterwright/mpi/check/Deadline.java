package io.clusterwright.mpi.check;

import java.time.Duration;

/** When a whole check must be over. */
record Deadline(long nanoTime) {
    /** Below this a measurement is not started. */
    private static final Duration LEAST = Duration.ofSeconds(1);

    static Deadline in(Duration limit) {
        if (limit.isZero() || limit.isNegative()) {
            throw new IllegalArgumentException("a check's time must be positive, not " + limit);
        }
        return new Deadline(System.nanoTime() + limit.toNanos());
    }

    /** What is left, but no more than this. */
    Duration left(Duration most) {
        Duration left = Duration.ofNanos(nanoTime - System.nanoTime());
        return left.compareTo(most) < 0 ? left : most;
    }

    boolean allows(Duration left) {
        return left.compareTo(LEAST) >= 0;
    }
}
