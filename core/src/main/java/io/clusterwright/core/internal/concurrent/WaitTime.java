package io.clusterwright.core.internal.concurrent;

import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * The time by which deadlines, pauses and rate limits are measured: the time in which this process ran, unless a test sets another. A process
 * that was stopped, or whose machine slept, has waited for nothing meanwhile. Waits for another thread or for a node's answer always take the
 * time in which this process ran.
 */
public final class WaitTime {
    /** The time in which this process ran; no test changes it. */
    public static final Source RUNNING = new RunningTime(System::nanoTime);

    private static final Duration LONGEST = Duration.ofDays(36_500);
    private static final long SLICE = Duration.ofSeconds(1).toNanos();

    /** The time of this process: the time in which it ran, or the time that a test set. */
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

    private static volatile Source source = RUNNING;

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

    /**
     * Waits until something is done, or until this process has run this long.
     *
     * @return whether it was done
     * @throws InterruptedException when the thread is interrupted
     */
    public static boolean await(Duration limit, Wait wait) throws InterruptedException {
        long end = RUNNING.nanos() + nanos(limit);
        while (true) {
            long left = end - RUNNING.nanos();
            if (wait.await(Math.max(0, Math.min(left, SLICE)))) {
                return true;
            }
            if (left <= 0) {
                return false;
            }
        }
    }

    /**
     * The result of a future, waited for until this process has run this long.
     *
     * @throws TimeoutException when it was not done
     * @throws ExecutionException as the future
     * @throws InterruptedException when the thread is interrupted
     */
    public static <T> T get(Future<T> future, Duration limit)
            throws InterruptedException, ExecutionException, TimeoutException {
        long end = RUNNING.nanos() + nanos(limit);
        while (true) {
            long left = end - RUNNING.nanos();
            try {
                return future.get(Math.max(0, Math.min(left, SLICE)), TimeUnit.NANOSECONDS);
            } catch (TimeoutException e) {
                if (left <= 0) {
                    throw e;
                }
            }
        }
    }

    private static long nanos(Duration limit) {
        Duration most = limit.compareTo(LONGEST) > 0 ? LONGEST : limit;
        return Math.max(0, most.toNanos());
    }

    /** Measures by another time from now on, in the whole process, until {@link #useReal()}. For tests. */
    public static void use(Source other) {
        source = other;
    }

    /** Measures by the time in which this process ran, again. */
    public static void useReal() {
        source = RUNNING;
    }

    /** A wait with a limit. */
    @FunctionalInterface
    public interface Wait {
        /** Waits at most this many nanoseconds; returns whether it was done. */
        boolean await(long nanos) throws InterruptedException;
    }

    /** A time. Safe for use by several threads. */
    public interface Source {
        /** Nanoseconds since an arbitrary instant. */
        long nanos();

        /** Returns when this time has passed. */
        void sleep(Duration time) throws InterruptedException;
    }
}
