package io.clusterwright.windows.emulator.internal.scheduler;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The faults in force: lasting ones of the scheduler, and those of the next requests. Safe for use by several threads. */
public final class Faults {
    private final Deque<OfRequest> requests = new ArrayDeque<>();
    private boolean credentialsExpired;
    private boolean queueHeld;
    private @Nullable TaskFailure taskFailure;

    /**
     * The end of every task that starts.
     *
     * @param exitCode its exit code
     * @param output the output it writes before
     */
    public record TaskFailure(int exitCode, String output) {}

    /** A fault of one request. */
    public sealed interface OfRequest {}

    /**
     * Status 503 instead of an answer.
     *
     * @param retryAfter the {@code Retry-After}
     */
    public record Refused(Duration retryAfter) implements OfRequest {}

    /** The request is carried out, and the connection breaks before the answer. */
    public record Broken() implements OfRequest {}

    /**
     * A redirect instead of an answer.
     *
     * @param status such as 307
     * @param location the start of the new location; path and query of the request are appended
     */
    public record Redirected(int status, String location) implements OfRequest {}

    /** A late answer. */
    public record Delayed(Duration by) implements OfRequest {}

    public synchronized void expireCredentials() {
        credentialsExpired = true;
    }

    public synchronized boolean credentialsExpired() {
        return credentialsExpired;
    }

    public synchronized void holdQueue() {
        queueHeld = true;
    }

    public synchronized boolean queueHeld() {
        return queueHeld;
    }

    public synchronized void failTasks(TaskFailure failure) {
        taskFailure = failure;
    }

    synchronized Optional<TaskFailure> taskFailure() {
        return Optional.ofNullable(taskFailure);
    }

    /** Adds a fault for the next requests that have none yet. */
    public synchronized void add(OfRequest fault, int times) {
        for (int i = 0; i < times; i++) {
            requests.add(fault);
        }
    }

    /** The fault of this request. */
    public synchronized Optional<OfRequest> next() {
        return Optional.ofNullable(requests.poll());
    }

    /** Ends all faults. */
    public synchronized void clear() {
        requests.clear();
        credentialsExpired = false;
        queueHeld = false;
        taskFailure = null;
    }
}
