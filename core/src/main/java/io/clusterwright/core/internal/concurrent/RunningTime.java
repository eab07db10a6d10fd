package io.clusterwright.core.internal.concurrent;

import java.time.Duration;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The time in which this process ran. While a process is stopped, swapped out or its machine sleeps, nothing that it waits for can reach it, so
 * that time counts for nothing: a gap between two ticks counts as two seconds at most.
 */
final class RunningTime implements WaitTime.Source {
    private static final Duration TICK = Duration.ofMillis(500);
    private static final long LONGEST_GAP = Duration.ofSeconds(2).toNanos();
    /** The clock ends after this time without a question, and starts again with the next one. */
    private static final long UNASKED = Duration.ofMinutes(10).toNanos();

    /** A sleep of the thread goes on while the process is stopped. */
    private static final Duration LONGEST_SLEEP = Duration.ofSeconds(1);

    private final LongSupplier clock;
    private volatile Tick last;
    private volatile long asked;
    private @Nullable Thread ticking;

    /** The time in which this process ran, by a clock in nanoseconds. */
    RunningTime(LongSupplier clock) {
        this.clock = clock;
        // Old enough that the first question starts the ticks.
        this.last = new Tick(clock.getAsLong() - 2 * LONGEST_GAP, 0);
    }

    @Override
    public long nanos() {
        // The tick is read before the time, which is then never the earlier one.
        Tick tick = last;
        long real = clock.getAsLong();
        asked = real;
        if (tick.stale(real)) {
            return restarted();
        }
        return tick.at(real);
    }

    /** Where the clock had ended, it goes on from its last tick. */
    private synchronized long restarted() {
        tick();
        if (ticking == null) {
            ticking = Threads.start("clock", this::run);
        }
        return last.run;
    }

    private void run() {
        while (true) {
            try {
                Thread.sleep(TICK.toMillis());
            } catch (InterruptedException e) {
                // An interrupt is no reason to end the clock of the process.
                continue;
            }
            synchronized (this) {
                tick();
                if (last.real - asked > UNASKED) {
                    ticking = null;
                    return;
                }
            }
        }
    }

    private void tick() {
        long real = clock.getAsLong();
        last = new Tick(real, last.at(real));
    }

    @Override
    public void sleep(Duration time) throws InterruptedException {
        Deadline end = Deadline.in(this, "sleep", time);
        Duration left;
        do {
            left = end.remaining(LONGEST_SLEEP);
            Thread.sleep(left.toMillis(), left.toNanosPart() % 1_000_000);
        } while (!end.passed());
    }

    /**
     * A look at the clock.
     *
     * @param real the time of this machine
     * @param run the time in which this process had run by then
     */
    private record Tick(long real, long run) {
        long at(long now) {
            return run + Math.min(now - real, LONGEST_GAP);
        }

        boolean stale(long now) {
            return now - real > LONGEST_GAP;
        }
    }
}
