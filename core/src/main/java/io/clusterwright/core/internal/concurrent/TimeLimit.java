package io.clusterwright.core.internal.concurrent;

import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Interrupts the thread that made it when this process has run for a time, unless it is closed before. The interrupt never arrives after
 * {@link #close()} returned; one that arrived is taken back by {@link #passed()}.
 */
public final class TimeLimit implements AutoCloseable {
    private final Thread worker = Thread.currentThread();
    private final @Nullable Thread timer;
    private boolean closed;
    private boolean passed;

    private TimeLimit(Optional<Duration> limit) {
        this.timer =
                limit.map(time -> Threads.start("limit", () -> sleep(time))).orElse(null);
    }

    /** Starts the time; an empty limit never passes. */
    public static TimeLimit of(Optional<Duration> limit) {
        return new TimeLimit(limit);
    }

    private void sleep(Duration time) {
        try {
            WaitTime.RUNNING.sleep(time);
        } catch (InterruptedException e) {
            return;
        }
        pass();
    }

    private synchronized void pass() {
        if (!closed) {
            passed = true;
            worker.interrupt();
        }
    }

    /** Whether the time passed; ends the limit and clears the interrupt flag in that case. Call it on the thread that made the limit. */
    public boolean passed() {
        close();
        synchronized (this) {
            if (passed) {
                Thread.interrupted();
            }
            return passed;
        }
    }

    @Override
    public void close() {
        synchronized (this) {
            closed = true;
        }
        if (timer != null) {
            timer.interrupt();
        }
    }
}
