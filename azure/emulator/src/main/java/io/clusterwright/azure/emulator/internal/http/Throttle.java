package io.clusterwright.azure.emulator.internal.http;

import io.clusterwright.azure.emulator.internal.arm.ArmException;
import io.clusterwright.azure.emulator.internal.arm.EmulatedClock;
import io.clusterwright.emulator.internal.http.Call;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The published limits of Resource Manager (per principal, subscription and region) and of the providers, as token buckets.
 * Sources: learn.microsoft.com "request-limits-and-throttling"; azure-compute-docs compute-throttling-limits.md @1a043fb.
 */
final class Throttle {
    private final EmulatedClock clock;
    private final boolean active;
    private final Map<String, Bucket> buckets = new HashMap<>();

    Throttle(EmulatedClock clock, boolean active) {
        this.clock = clock;
        this.active = active;
    }

    private static final class Bucket {
        private final double capacity;
        private final double perSecond;
        private double tokens;
        private Instant filled;

        Bucket(double capacity, double perSecond, Instant now) {
            this.capacity = capacity;
            this.perSecond = perSecond;
            this.tokens = capacity;
            this.filled = now;
        }

        void fill(Instant now) {
            double seconds = Duration.between(filled, now).toNanos() / 1e9;
            if (seconds > 0) {
                tokens = Math.min(capacity, tokens + seconds * perSecond);
                filled = now;
            }
        }

        Duration missing() {
            return Duration.ofMillis((long) Math.ceil((1 - tokens) / perSecond * 1000));
        }
    }

    private record Limit(String name, double capacity, double perSecond) {}

    /** Lets a request through, or answers 429 with the time until it may come again. */
    synchronized void admit(Call call) {
        if (!active) {
            return;
        }
        Instant now = clock.now();
        List<Bucket> needed = new ArrayList<>();
        for (Limit limit : limits(call)) {
            Bucket bucket =
                    buckets.computeIfAbsent(limit.name(), name -> new Bucket(limit.capacity(), limit.perSecond(), now));
            bucket.fill(now);
            if (bucket.tokens < 1) {
                String refusal =
                        limit.name().contains("/") ? "OperationNotAllowed.throttled" : "SubscriptionRequestsThrottled";
                throw ArmException.of(refusal, limit.name()).retryAfter(bucket.missing());
            }
            needed.add(bucket);
        }
        needed.forEach(bucket -> bucket.tokens -= 1);
    }

    /** The headers with the remaining requests. */
    synchronized Map<String, String> remaining(Call call) {
        String kind = kind(call);
        Bucket bucket = buckets.get("subscription-" + kind);
        Limit limit = subscription(kind);
        long left = (long) (bucket == null ? limit.capacity() : bucket.tokens);
        return Map.of("x-ms-ratelimit-remaining-subscription-" + kind, Long.toString(Math.max(0, left)));
    }

    private static String kind(Call call) {
        return switch (call.method()) {
            case "GET", "HEAD" -> "reads";
            case "DELETE" -> "deletes";
            default -> "writes";
        };
    }

    private static Limit subscription(String kind) {
        return kind.equals("reads")
                ? new Limit("subscription-reads", 250, 25)
                : new Limit("subscription-" + kind, 200, 10);
    }

    private static List<Limit> limits(Call call) {
        String path = call.path().toLowerCase(Locale.ROOT);
        List<Limit> limits = new ArrayList<>(List.of(subscription(kind(call))));
        boolean write = !kind(call).equals("reads");
        if (path.contains("/microsoft.network/")) {
            limits.add(
                    write
                            ? new Limit("Microsoft.Network/Write5Min", 1000, 1000 / 300.0)
                            : new Limit("Microsoft.Network/Read5Min", 10_000, 10_000 / 300.0));
        } else if (path.contains("/microsoft.compute/")) {
            limits.addAll(compute(call, path, write));
        }
        return limits;
    }

    private static List<Limit> compute(Call call, String path, boolean write) {
        if (path.contains("/operations/")) {
            return pair("GetOperation", path, 15, 5000);
        }
        int set = path.indexOf("/virtualmachinescalesets/");
        int machine = path.indexOf("/virtualmachines/");
        if (set >= 0) {
            String name = first(path, set + "/virtualmachinescalesets/".length());
            if (write) {
                return call.method().equals("PUT")
                        ? pair("VMScaleSetPut", name, 4, 125)
                        : call.method().equals("DELETE")
                                ? pair("VMScaleSetDelete", name, 4, 175)
                                : pair("VMScaleSetUpdate", name, 4, 500);
            }
            return pair("VMScaleSetGet", name, 10, 360);
        }
        if (machine < 0) {
            return path.endsWith("/virtualmachines")
                    ? List.of(perMinute("Microsoft.Compute/HighCostGet", 300))
                    : List.of();
        }
        String name = first(path, machine + "/virtualmachines/".length());
        if (!write) {
            return pair("GetVM", name, 12, 8000);
        }
        boolean removes = call.method().equals("DELETE") || path.endsWith("/deallocate");
        boolean puts = call.method().equals("PUT") && path.endsWith("/" + name);
        return pair(removes ? "DeleteVM" : puts ? "PutVM" : "UpdateVM", name, 4, 500);
    }

    private static String first(String path, int from) {
        int slash = path.indexOf('/', from);
        return slash < 0 ? path.substring(from) : path.substring(from, slash);
    }

    private static List<Limit> pair(String name, String resource, int each, int all) {
        return List.of(
                perMinute("Microsoft.Compute/" + name + ":" + resource, each),
                perMinute("Microsoft.Compute/" + name, all));
    }

    /** A bucket with this refill per minute and three minutes' capacity. */
    private static Limit perMinute(String name, int refill) {
        return new Limit(name, refill * 3.0, refill / 60.0);
    }
}
