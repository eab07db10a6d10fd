package io.clusterwright.azure.emulator;

import io.clusterwright.core.type.InvalidValueException;
import java.time.Duration;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * One fault of requests with a method and path. Use it to test what a client does when Azure refuses, is busy or
 * loses an answer. Immutable.
 *
 * <pre>{@code
 * ArmEmulator.Builder failing = ArmEmulator.builder()
 *         .faults(List.of(
 *                 Fault.of(Fault.Kind.AUTHORIZATION_FAILED, "GET", "**").always()));
 * }</pre>
 *
 * <p>{@link ArmEmulator.Builder#faultsFrom} reads a list from a file:
 *
 * <pre>
 * faults:
 *   - fault: AllocationFailed
 *     on: PUT **&#47;virtualMachineScaleSets/demo-vmss/virtualMachines/1
 *     skip: 0
 *     times: 1
 *   - fault: TooManyRequests
 *     on: GET **
 *     times: always
 *     wait: 5s
 * </pre>
 *
 * <p>{@code skip}, {@code times} and {@code wait} are optional.
 */
public final class Fault {
    private static final Set<String> METHODS = Set.of("*", "GET", "PUT", "POST", "PATCH", "DELETE", "HEAD");

    private final Kind kind;
    private final String method;
    private final String path;
    private final int skip;
    private final int times;
    private final Duration delay;

    private Fault(Kind kind, String method, String path, int skip, int times, Duration delay) {
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
    public static Fault of(Kind kind, String method, String path) {
        String known = method.toUpperCase(Locale.ROOT);
        if (!METHODS.contains(known)) {
            throw new InvalidValueException("fault method", method, "GET, PUT, POST, PATCH, DELETE, HEAD or *", "PUT");
        }
        return new Fault(kind, known, path, 0, 1, kind.delay());
    }

    /**
     * Skips this number of matching requests first. Default: 0.
     *
     * @throws InvalidValueException when it is negative
     */
    public Fault skip(int requests) {
        if (requests < 0) {
            throw new InvalidValueException("number of skipped requests", requests, "0 or more", "2");
        }
        return new Fault(kind, method, path, requests, times, delay);
    }

    /**
     * Sets the number of requests that fail. Default: 1.
     *
     * @throws InvalidValueException when it is not positive
     */
    public Fault times(int requests) {
        if (requests < 1) {
            throw new InvalidValueException("number of requests", requests, "1 or more", "3");
        }
        return new Fault(kind, method, path, skip, requests, delay);
    }

    /** Lets every matching request fail. */
    public Fault always() {
        return times(Integer.MAX_VALUE);
    }

    /**
     * Sets the {@code Retry-After}, reservation, lag or outage; a kind without a wait ignores it.
     *
     * @throws InvalidValueException when it is negative
     */
    public Fault waiting(Duration duration) {
        if (duration.isNegative()) {
            throw new InvalidValueException("fault wait", duration, "a duration of 0 or more", "PT5S");
        }
        return new Fault(kind, method, path, skip, times, duration);
    }

    /** The kind. */
    public Kind kind() {
        return kind;
    }

    /** The method of the requests that it applies to, such as {@code PUT}; {@code *} for all. */
    public String method() {
        return method;
    }

    /** The path of the requests that it applies to; {@code *} stands for a part, and {@code **} for any parts. */
    public String path() {
        return path;
    }

    /** The number of matching requests that are not hit first. */
    public int skip() {
        return skip;
    }

    /** The number of requests that are hit. */
    public int times() {
        return times;
    }

    /** The {@code Retry-After}, the reservation, the lag or the outage. */
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
        return kind.code() + " on " + method + " " + path + (skip == 0 ? "" : ", skip " + skip)
                + (times == 1 ? "" : times == Integer.MAX_VALUE ? ", always" : ", times " + times);
    }

    /** Kinds of faults, each with the error that Azure answers. */
    public enum Kind {
        /** 429 with {@code Retry-After}. */
        TOO_MANY_REQUESTS("TooManyRequests", 429, "The request is being throttled."),
        /** 500. */
        INTERNAL_SERVER_ERROR("InternalServerError", 500, "An internal error occurred. Please try again."),
        /** 503. */
        SERVICE_UNAVAILABLE("ServiceUnavailable", 503, "The service is temporarily unavailable."),
        /** 401, as for a token of another tenant. */
        INVALID_TOKEN("InvalidAuthenticationToken", 401, "The access token is invalid."),
        /** 403, as for a role that does not allow this. */
        AUTHORIZATION_FAILED(
                "AuthorizationFailed",
                403,
                "The client does not have authorization to perform this action over this scope or the scope is invalid."),
        /** 400, as of a Resource Manager that does not offer this, such as an Azure Stack. */
        NOT_OFFERED(
                "NoRegisteredProviderFound",
                400,
                "No registered resource provider found for this location and API version for the type."),
        /** The connection ends without an answer; the request is not carried out. */
        CONNECTION_RESET("ConnectionReset", 0, ""),
        /** 409 at once: the region does not offer the size to this subscription. */
        SKU_NOT_AVAILABLE(
                "SkuNotAvailable",
                409,
                "The requested VM size is currently not available in this location. Please try another size or deploy to a"
                        + " different location or different zone. See https://aka.ms/azureskunotavailable for details."),
        /** 409 at once, although the emulator's own arithmetic would allow it. */
        QUOTA_EXCEEDED(
                "QuotaExceeded",
                409,
                "Operation could not be completed as it results in exceeding approved Total Regional Cores quota."),
        /** The operation fails after its time: no hardware. */
        ALLOCATION_FAILED(
                "AllocationFailed",
                0,
                "Allocation failed. We do not have sufficient capacity for the requested VM size in this region."),
        /** The operation fails after its time: no hardware that fulfils all constraints. */
        OVERCONSTRAINED(
                "OverconstrainedAllocationRequest",
                0,
                "Allocation failed. VM(s) with the following constraints cannot be allocated, because the condition is too"
                        + " restrictive: availability set, size, networking constraints (accelerated networking)."),
        /** The operation fails after its time, and the machine exists. */
        OS_PROVISIONING_TIMED_OUT(
                "OSProvisioningTimedOut",
                0,
                "OS Provisioning for VM did not finish in the allotted time. The VM may still finish provisioning"
                        + " successfully. Please check provisioning state later."),
        /** The extension's operation fails after its time. */
        EXTENSION_FAILED(
                "VMExtensionProvisioningError",
                0,
                "VM has reported a failure when processing extension. Error message: Enable failed: failed to execute"
                        + " command: command terminated with exit status=1"),
        /** The virtual machine is reported as running and is never reachable. */
        SSH_NEVER_ANSWERS("SshNeverAnswers", 0, ""),
        /** After a virtual machine failed, its interface is refused to others and cannot be deleted for a while; 180 s unless said. */
        NIC_RESERVED("NicReservedForAnotherVm", 400, "The network interface is reserved for another virtual machine."),
        /** Lists show what existed a while ago: they lack new resources and still hold deleted ones; 5 s unless said. */
        LIST_LAG("ListLag", 0, ""),
        /** The request is carried out, and the connection ends without an answer. */
        LOST_ANSWER("LostAnswer", 0, ""),
        /**
         * From this request on, every connection ends without an answer, and no request is carried out; for 10 minutes of the emulated time
         * unless said.
         */
        OUTAGE("Outage", 0, "");

        private final String code;
        private final int status;
        private final String message;

        Kind(String code, int status, String message) {
            this.code = code;
            this.status = status;
            this.message = message;
        }

        /** Azure's error code, or a name for what has none; it is the word in a fault script. */
        public String code() {
            return code;
        }

        /** The HTTP status when the request itself is answered with the error; 0 otherwise. */
        public int status() {
            return status;
        }

        /** The message of the error. */
        public String message() {
            return message;
        }

        /** The {@code Retry-After}, the reservation, the lag or the outage of a fault that states none. */
        Duration delay() {
            return switch (this) {
                case NIC_RESERVED -> Duration.ofSeconds(180);
                case LIST_LAG -> Duration.ofSeconds(5);
                case OUTAGE -> Duration.ofMinutes(10);
                default -> Duration.ofSeconds(1);
            };
        }
    }
}
