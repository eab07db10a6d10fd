package io.clusterwright.examples.crash;

import io.clusterwright.core.internal.concurrent.WaitTime;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.locks.LockSupport;

/** A time in which pauses pass at once, for a process and its cloud. */
final class JumpingTime implements WaitTime.Source {
    private static final long BREATH = 100_000;

    @Override
    public long nanos() {
        return System.nanoTime()
                + SimulatedProcess.current()
                        .map(process -> process.world().passed())
                        .orElse(0L);
    }

    /** The clock of the process's machine. */
    @Override
    public Instant instant() {
        return Instant.now()
                .plus(SimulatedProcess.current()
                        .map(SimulatedProcess::clockAhead)
                        .orElse(Duration.ZERO));
    }

    @Override
    public void sleep(Duration time) throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        SimulatedProcess.current().ifPresent(process -> {
            process.requireAlive();
            process.world().pass(time);
        });
        // Machines of the cloud start on other threads, in real time.
        LockSupport.parkNanos(BREATH);
    }
}
