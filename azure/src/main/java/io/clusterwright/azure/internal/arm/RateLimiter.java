package io.clusterwright.azure.internal.arm;

import io.clusterwright.core.internal.concurrent.WaitTime;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;

/**
 * Lets calls through within the token buckets that Resource Manager publishes for a principal in a region, and not before the time
 * that a throttled answer named. Source: Microsoft, "Understand how Azure Resource Manager throttles requests".
 */
public final class RateLimiter {
    private final Map<Kind, Bucket> buckets = new EnumMap<>(Kind.class);
    private final WaitTime.Source time;
    private long notBefore;

    RateLimiter(WaitTime.Source time) {
        this.time = time;
        this.notBefore = time.nanos();
        for (Kind kind : Kind.values()) {
            buckets.put(kind, new Bucket(kind, notBefore));
        }
    }

    /** Waits for the turn of a call. */
    void await(Kind kind) throws InterruptedException {
        long until = reserve(kind);
        long left = until - time.nanos();
        while (left > 0) {
            time.sleep(Duration.ofNanos(left));
            left = until - time.nanos();
        }
    }

    /** Holds all calls back for a time. */
    synchronized void pause(Duration length) {
        notBefore = Math.max(notBefore, time.nanos() + length.toNanos());
    }

    private synchronized long reserve(Kind kind) {
        long now = time.nanos();
        return Math.max(Objects.requireNonNull(buckets.get(kind)).take(now), notBefore);
    }

    /** The kind of a call, as Resource Manager counts it. */
    enum Kind {
        READ(250, 25),
        WRITE(200, 10),
        DELETE(200, 10);

        private final int size;
        private final int perSecond;

        Kind(int size, int perSecond) {
            this.size = size;
            this.perSecond = perSecond;
        }
    }

    /** Tokens as the time at which the bucket would be full. */
    private static final class Bucket {
        private final long tokenNanos;
        private final long sizeNanos;
        private long full;

        Bucket(Kind kind, long now) {
            this.full = now;
            this.tokenNanos = Duration.ofSeconds(1).toNanos() / kind.perSecond;
            this.sizeNanos = tokenNanos * kind.size;
        }

        /** When the token that is taken now is there. */
        long take(long now) {
            full = Math.max(full, now) + tokenNanos;
            return Math.max(now, full - sizeNanos);
        }
    }
}
