package io.clusterwright.azure.emulator.internal.arm;

import java.time.Duration;
import java.time.Instant;

/** The time in the emulated cloud. Guarded by the cloud's lock. */
public final class EmulatedClock {
    /** The way in which time passes. */
    public enum Pace {
        /** As the machine's own. */
        REAL,
        /** As the machine's own, and it leaps forward when a client comes back to ask. */
        LEAPING,
        /** By {@link #advance} alone. */
        STANDING
    }

    private final Pace pace;
    private final long startNanos = System.nanoTime();
    private final Instant start = Instant.now();
    private Duration leapt = Duration.ZERO;

    public EmulatedClock(Pace pace) {
        this.pace = pace;
    }

    public Instant now() {
        long passed = pace == Pace.STANDING ? 0 : System.nanoTime() - startNanos;
        return start.plusNanos(passed).plus(leapt);
    }

    public Duration elapsed() {
        return Duration.between(start, now());
    }

    /** Makes it at least this late, where time may leap. */
    public void leapTo(Instant instant) {
        Duration ahead = Duration.between(now(), instant);
        if (pace == Pace.LEAPING && !ahead.isNegative()) {
            leapt = leapt.plus(ahead);
        }
    }

    public void advance(Duration duration) {
        leapt = leapt.plus(duration);
    }
}
