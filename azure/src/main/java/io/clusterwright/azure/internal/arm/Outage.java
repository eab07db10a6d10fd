package io.clusterwright.azure.internal.arm;

import io.clusterwright.core.internal.concurrent.Deadline;
import io.clusterwright.core.internal.concurrent.WaitTime;
import io.clusterwright.core.type.ClusterwrightException;
import java.time.Duration;
import java.util.function.Consumer;

/** Reports that Azure does not answer: when it begins and while it lasts, at most once a minute, however many calls wait. */
final class Outage {
    private static final Duration INTERVAL = Duration.ofMinutes(1);

    private volatile Consumer<String> listener = line -> {};
    private boolean lasts;
    private long since;
    private long reported = WaitTime.nanos() - INTERVAL.toNanos();

    /** Replaces the recipient of the lines. */
    void onReport(Consumer<String> recipient) {
        this.listener = recipient;
    }

    /** A call got no answer. */
    void lasts(String what, ClusterwrightException last) {
        Duration time;
        synchronized (this) {
            long now = WaitTime.nanos();
            if (!lasts) {
                lasts = true;
                since = now;
            }
            if (now - reported < INTERVAL.toNanos()) {
                return;
            }
            reported = now;
            time = Duration.ofSeconds(Duration.ofNanos(now - since).toSeconds());
        }
        listener.accept("no answer from Resource Manager"
                + (time.isZero() ? "" : " for " + Deadline.text(time)) + ": " + what
                + " goes on when it answers; last: " + last.getMessage());
    }

    /** A call was answered. */
    synchronized void over() {
        lasts = false;
    }
}
