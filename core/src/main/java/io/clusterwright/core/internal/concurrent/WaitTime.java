package io.clusterwright.core.internal.concurrent;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.concurrent.CancellationException;
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

    private static final Duration SLICE = Duration.ofSeconds(1);

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

        @Override
        public Instant instant() {
            return source.instant();
        }
    };

    /** The date and time of this machine, which may jump: for records, and for limits that others read. */
    public static final Clock CLOCK = ((InstantSource) OF_PROCESS::instant).withZone(ZoneOffset.UTC);

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
        Deadline deadline = Deadline.in(RUNNING, "wait", limit);
        while (true) {
            Duration left = deadline.remaining(SLICE);
            if (wait.await(left.toNanos())) {
                return true;
            }
            if (left.isZero()) {
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
        boolean done = await(limit, nanos -> {
            try {
                future.get(nanos, TimeUnit.NANOSECONDS);
                return true;
            } catch (TimeoutException e) {
                return false;
            } catch (ExecutionException | CancellationException e) {
                return true;
            }
        });
        if (!done) {
            throw new TimeoutException();
        }
        return future.get();
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

        /** The date and time. Default: of this machine. */
        default Instant instant() {
            return Instant.now();
        }
    }
}
