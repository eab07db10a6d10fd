package io.clusterwright.azure.emulator.internal.arm;

import java.time.Duration;
import java.time.Instant;

/**
 * The time in the emulated cloud: the machine's own, or one that also leaps forward when a client comes back to ask. Guarded by
 * the cloud's lock.
 */
public final class EmulatedClock {
    private final boolean leaping;
    private final long startNanos = System.nanoTime();
    private final Instant start = Instant.now();
    private Duration leapt = Duration.ZERO;

    public EmulatedClock(boolean leaping) {
        this.leaping = leaping;
    }

    public Instant now() {
        return start.plusNanos(System.nanoTime() - startNanos).plus(leapt);
    }

    public Duration elapsed() {
        return Duration.between(start, now());
    }

    /** Makes it at least this late, where time may leap. */
    public void leapTo(Instant instant) {
        Duration ahead = Duration.between(now(), instant);
        if (leaping && !ahead.isNegative()) {
            leapt = leapt.plus(ahead);
        }
    }

    public void advance(Duration duration) {
        leapt = leapt.plus(duration);
    }
}
