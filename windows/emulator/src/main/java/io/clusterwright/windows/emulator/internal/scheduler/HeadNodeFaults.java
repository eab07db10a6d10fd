package io.clusterwright.windows.emulator.internal.scheduler;

import io.clusterwright.emulator.internal.http.Call;
import io.clusterwright.emulator.internal.http.Reply;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The faults in force: lasting faults of the scheduler, and faults of the next requests. Safe for use by several threads. */
public final class HeadNodeFaults {
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

    /** The fault of one request. */
    @FunctionalInterface
    public interface OfRequest {
        /** The answer to the request; empty for a broken connection. */
        Optional<Reply> answer(Call call, Supplier<Reply> carriedOut);
    }

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
