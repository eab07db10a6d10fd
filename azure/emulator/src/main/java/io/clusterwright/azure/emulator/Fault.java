package io.clusterwright.azure.emulator;

import io.clusterwright.core.type.InvalidValueException;
import java.time.Duration;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * One fault of requests with a method and path. Immutable.
 *
 * <p>As a list in a file, for {@link ArmEmulator.Builder#faultsFrom}:
 *
 * <pre>{@code
 * faults:
 *   - fault: AllocationFailed
 *     on: PUT ** /virtualMachines/cluster12
 *     skip: 0
 *     times: 1
 *   - fault: TooManyRequests
 *     on: GET **
 *     times: always
 *     wait: 5s
 * }</pre>
 *
 * (without the blank between the stars and the slash). {@code skip}, {@code times} and {@code wait} are optional.
 */
public final class Fault {
    private static final Set<String> METHODS = Set.of("*", "GET", "PUT", "POST", "PATCH", "DELETE", "HEAD");

    private final FaultKind kind;
    private final String method;
    private final String path;
    private final int skip;
    private final int times;
    private final Duration delay;

    private Fault(FaultKind kind, String method, String path, int skip, int times, Duration delay) {
        this.kind = kind;
        this.method = method;
        this.path = path;
        this.skip = skip;
        this.times = times;
        this.delay = delay;
    }

    /**
     * A fault that hits the first matching request.
     *
     * @param method {@code GET PUT POST PATCH DELETE HEAD} or {@code *}
     * @param path a path without query, compared without regard to case: {@code *} stands for any text within a segment,
     *     {@code **} for any text at all
     * @throws InvalidValueException when the method is not known
     */
    public static Fault of(FaultKind kind, String method, String path) {
        String known = method.toUpperCase(Locale.ROOT);
        if (!METHODS.contains(known)) {
            throw new InvalidValueException(
                    "method of a fault", method, "GET, PUT, POST, PATCH, DELETE, HEAD or *", "PUT");
        }
        return new Fault(kind, known, path, 0, 1, kind.delay());
    }

    /**
     * The same after this number of matching requests, 0 by default.
     *
     * @throws InvalidValueException when it is negative
     */
    public Fault skip(int requests) {
        if (requests < 0) {
            throw new InvalidValueException("number of skipped requests", "" + requests, "0 or more", "2");
        }
        return new Fault(kind, method, path, requests, times, delay);
    }

    /**
     * The same for this number of requests, 1 by default.
     *
     * @throws InvalidValueException when it is not positive
     */
    public Fault times(int requests) {
        if (requests < 1) {
            throw new InvalidValueException("number of requests of a fault", "" + requests, "1 or more", "3");
        }
        return new Fault(kind, method, path, skip, requests, delay);
    }

    /** The same for every matching request. */
    public Fault always() {
        return times(Integer.MAX_VALUE);
    }

    /**
     * The same with another {@code Retry-After}, reservation or lag; a kind without any ignores it.
     *
     * @throws InvalidValueException when it is negative
     */
    public Fault waiting(Duration duration) {
        if (duration.isNegative()) {
            throw new InvalidValueException("wait of a fault", duration.toString(), "0 or more", "PT5S");
        }
        return new Fault(kind, method, path, skip, times, duration);
    }

    /** The kind. */
    public FaultKind kind() {
        return kind;
    }

    /** The number of matching requests that are not hit first. */
    public int skip() {
        return skip;
    }

    /** The number of requests that are hit. */
    public int times() {
        return times;
    }

    /** The {@code Retry-After}, the reservation or the lag. */
    public Duration delay() {
        return delay;
    }

    /** Whether it applies to a request. */
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

    @Override
    public String toString() {
        return kind.code() + " on " + method + " " + path;
    }
}
