package io.clusterwright.azure.emulator;

import java.time.Duration;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * One thing that goes wrong, for requests of one method and path.
 *
 * @param kind what goes wrong
 * @param method {@code GET PUT POST PATCH DELETE HEAD} or {@code *}
 * @param path a path without query, compared without regard to case: {@code *} stands for anything within a segment,
 *     {@code **} for anything at all
 * @param skip how many matching requests are left alone first; 0 or more
 * @param times how many are then hit; 1 or more
 * @param delay the {@code Retry-After}, the reservation or the lag; a kind without any ignores it
 */
public record Fault(FaultKind kind, String method, String path, int skip, int times, Duration delay) {
    private static final Set<String> METHODS = Set.of("*", "GET", "PUT", "POST", "PATCH", "DELETE", "HEAD");

    /** Checks the numbers and the method. */
    public Fault {
        method = method.toUpperCase(Locale.ROOT);
        if (!METHODS.contains(method)) {
            throw new IllegalArgumentException("method \"" + method
                    + "\" of a fault is not known; write GET, PUT, POST, PATCH, DELETE, HEAD or *");
        }
        if (skip < 0 || times < 1) {
            throw new IllegalArgumentException(
                    "a fault skips 0 or more requests and hits 1 or more; skip is " + skip + " and times is " + times);
        }
        if (delay.isNegative()) {
            throw new IllegalArgumentException("a fault cannot wait for " + delay);
        }
    }

    /** A fault that hits the first matching request. */
    public static Fault of(FaultKind kind, String method, String path) {
        return new Fault(kind, method, path, 0, 1, defaultWait(kind));
    }

    /** The same after this many matching requests. */
    public Fault skip(int requests) {
        return new Fault(kind, method, path, requests, times, delay);
    }

    /** The same for this many requests. */
    public Fault times(int requests) {
        return new Fault(kind, method, path, skip, requests, delay);
    }

    /** The same for every matching request. */
    public Fault always() {
        return times(Integer.MAX_VALUE);
    }

    /** The same with another {@code Retry-After}, reservation or lag. */
    public Fault waiting(Duration duration) {
        return new Fault(kind, method, path, skip, times, duration);
    }

    /** Whether this request is meant. */
    public boolean matches(String requestMethod, String requestPath) {
        if (!method.equals("*") && !method.equalsIgnoreCase(requestMethod)) {
            return false;
        }
        StringBuilder regex = new StringBuilder();
        for (String part : path.split("(?<=\\*)(?!\\*)|(?<!\\*)(?=\\*)")) {
            regex.append(
                    switch (part) {
                        case "**" -> ".*";
                        case "*" -> "[^/]*";
                        default -> Pattern.quote(part);
                    });
        }
        return Pattern.compile(regex.toString(), Pattern.CASE_INSENSITIVE)
                .matcher(requestPath)
                .matches();
    }

    static Duration defaultWait(FaultKind kind) {
        return switch (kind) {
            case NIC_RESERVED -> Duration.ofSeconds(180);
            case LIST_LAG -> Duration.ofSeconds(5);
            default -> Duration.ofSeconds(1);
        };
    }
}
