package io.clusterwright.core.internal.concurrent;

import java.time.Duration;

/**
 * The time by which deadlines, pauses and rate limits are measured: the time of this machine, unless a test sets another. Waits for another
 * thread or for a node's answer always take real time.
 */
public final class WaitTime {
    private static final Source REAL = new Source() {
        @Override
        public long nanos() {
            return System.nanoTime();
        }

        @Override
        public void sleep(Duration time) throws InterruptedException {
            Thread.sleep(time.toMillis(), time.toNanosPart() % 1_000_000);
        }
    };

    /** The time of this process: the time of this machine, or the time that a test set. */
    public static final Source OF_PROCESS = new Source() {
        @Override
        public long nanos() {
            return source.nanos();
        }

        @Override
        public void sleep(Duration time) throws InterruptedException {
            source.sleep(time);
        }
    };

    private static volatile Source source = REAL;

    private WaitTime() {}

    /** Nanoseconds since an arbitrary instant. */
    public static long nanos() {
        return source.nanos();
    }

    /**
     * Returns after this time.
     *
     * @throws InterruptedException when the thread is interrupted
     */
    public static void sleep(Duration time) throws InterruptedException {
        source.sleep(time);
    }

    /** Measures by another time from now on, in the whole process, until {@link #useReal()}. For tests. */
    public static void use(Source other) {
        source = other;
    }

    /** Measures by the time of this machine again. */
    public static void useReal() {
        source = REAL;
    }

    /** A time. Safe for use by several threads. */
    public interface Source {
        /** Nanoseconds since an arbitrary instant. */
        long nanos();

        /** Returns when this time has passed. */
        void sleep(Duration time) throws InterruptedException;
    }
}
