package io.clusterwright.azure.internal.arm;

import com.azure.core.http.HttpResponse;
import com.azure.core.http.rest.PagedIterable;
import com.azure.core.management.polling.PollResult;
import com.azure.core.util.polling.LongRunningOperationStatus;
import com.azure.core.util.polling.PollResponse;
import com.azure.core.util.polling.SyncPoller;
import io.clusterwright.azure.AzureException;
import io.clusterwright.azure.AzureException.Reason;
import io.clusterwright.core.internal.concurrent.Backoff;
import io.clusterwright.core.internal.concurrent.Deadline;
import io.clusterwright.core.internal.concurrent.Tasks;
import io.clusterwright.core.internal.concurrent.WaitTime;
import io.clusterwright.core.type.OperationInterruptedException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Calls of Resource Manager, through {@link ArmRetry}; failures are {@link io.clusterwright.azure.AzureException}. A long operation is
 * polled by a loop here, because the SDK's interval for one whose answers name none is 30 seconds, and can be changed for the whole
 * process only.
 */
public final class ArmClient {
    /** The longest that the creation or deletion of one resource may take. */
    private static final Duration LONGEST = Duration.ofMinutes(90);

    private static final Duration UNREAD_PAUSE = Duration.ofSeconds(10);
    private static final int BUSY_TRIES = 3;
    private static final Set<String> BUSY = Set.of("conflict", "anotheroperationinprogress", "retryableerror");
    private static final Set<String> CHANGING = Set.of("creating", "updating", "deleting", "migrating");

    private final ArmRetry retry;
    private final Duration pollInterval;
    private final WaitTime.Source time;

    /** A client that polls operations at this interval, where Azure does not name one. */
    public ArmClient(Duration pollInterval) {
        this(pollInterval, WaitTime.OF_PROCESS);
    }

    /** A client whose pauses and limits are measured by this time. */
    public ArmClient(Duration pollInterval, WaitTime.Source time) {
        this.pollInterval = pollInterval;
        this.time = time;
        this.retry = new ArmRetry(time);
    }

    /** Replaces the recipient of lines about an outage that calls wait for. */
    public void onOutage(Consumer<String> recipient) {
        retry.onOutage(recipient);
    }

    /** A deadline by the time of this client. */
    public Deadline deadline(String name, Duration limit) {
        return Deadline.in(time, name, limit);
    }

    /** Pauses by the time of this client. */
    public Backoff backoff(Duration first, Duration longest) {
        return new Backoff(time, first, longest);
    }

    /**
     * Runs tasks and returns when the last has ended.
     *
     * @param parallel the number of tasks at a time
     * @throws RuntimeException the exception of the first task that failed, with the exceptions of the others suppressed
     * @throws OperationInterruptedException when this thread was interrupted; no task goes on
     */
    public static void runAll(String name, int parallel, List<? extends Runnable> tasks) {
        Tasks.interruptibly(
                "waiting for Azure: interrupted; all calls have stopped",
                () -> Tasks.forEach("azure-" + name, parallel, tasks, Runnable::run));
    }

    /** Reads something. */
    public <T> T read(String what, Supplier<T> call) {
        return retry.call(RateLimiter.Kind.READ, what, call);
    }

    /** Reads all pages of a list. */
    public <T> List<T> list(String what, Supplier<PagedIterable<T>> call) {
        return read(what, () -> call.get().stream().toList());
    }

    /** Reads all pages of a list in something that may not exist; empty then. */
    public <T> List<T> listIfAny(String what, Supplier<PagedIterable<T>> call) {
        return find(what, () -> call.get().stream().toList()).orElse(List.of());
    }

    /** Reads something that may not exist. */
    public <T> Optional<T> find(String what, Supplier<T> call) {
        return retry.call(RateLimiter.Kind.READ, what, () -> orAbsent(call));
    }

    /** Writes something whose answer comes at once. */
    public <T> T write(String what, Supplier<T> call) {
        return retry.call(RateLimiter.Kind.WRITE, what, call);
    }

    /** Starts a long operation and waits for its end. */
    public <T> void write(String what, Duration limit, Supplier<SyncPoller<PollResult<T>, T>> begin) {
        finish(RateLimiter.Kind.WRITE, what, limit, () -> Optional.of(begin.get()));
    }

    /**
     * Starts a long operation and waits for its end. Where another operation runs on the same resource, it begins after that: it may be the
     * same one, whose answer was lost.
     *
     * @param state reads the provisioning state of the resource; empty when there is none
     */
    public <T> void write(
            String what, Duration limit, Supplier<SyncPoller<PollResult<T>, T>> begin, Supplier<String> state) {
        for (int tried = 1; ; tried++) {
            try {
                write(what, limit, begin);
                return;
            } catch (AzureException e) {
                if (tried == BUSY_TRIES || !BUSY.contains(e.code().toLowerCase(Locale.ROOT))) {
                    throw e;
                }
                awaitIdle(what, limit, state, e);
            }
        }
    }

    private void awaitIdle(String what, Duration limit, Supplier<String> state, AzureException busy) {
        Deadline end = deadline("operation timeout", limit);
        while (CHANGING.contains(state.get().toLowerCase(Locale.ROOT))) {
            if (end.passed()) {
                throw busy;
            }
            pause(what, pollInterval);
        }
    }

    /** Starts a long operation, waits for its end and returns its result. */
    public <T> T ask(String what, Duration limit, Supplier<SyncPoller<PollResult<T>, T>> begin) {
        SyncPoller<PollResult<T>, T> poller = finish(
                        RateLimiter.Kind.WRITE, what, limit, () -> Optional.of(begin.get()))
                .orElseThrow();
        return read("read the result of: " + what, poller::getFinalResult);
    }

    /** Sleeps for the poll interval. */
    public void pause(String what) {
        pause(what, pollInterval);
    }

    /** Sleeps for this time. */
    public void pause(String what, Duration length) {
        Tasks.interruptibly(what + ": interrupted", () -> time.sleep(length));
    }

    /** Starts a deletion and waits for its end; does nothing for an absent resource. */
    public void delete(String what, Supplier<SyncPoller<PollResult<Void>, Void>> begin) {
        finish(RateLimiter.Kind.DELETE, what, LONGEST, () -> orAbsent(begin));
    }

    private static <T> Optional<T> orAbsent(Supplier<T> call) {
        try {
            return Optional.ofNullable(call.get());
        } catch (RuntimeException e) {
            HttpResponse response = Errors.response(e);
            if (response != null && response.getStatusCode() == 404) {
                return Optional.empty();
            }
            throw e;
        }
    }

    /**
     * Begins an operation and waits for its end, at most this long from its beginning; begins it again when its state
     * cannot be read any more.
     */
    private <T> Optional<SyncPoller<PollResult<T>, T>> finish(
            RateLimiter.Kind kind,
            String what,
            Duration limit,
            Supplier<Optional<SyncPoller<PollResult<T>, T>>> begin) {
        Optional<SyncPoller<PollResult<T>, T>> poller = retry.call(kind, what, begin);
        Deadline deadline = deadline("operation timeout", limit);
        while (poller.isPresent() && !await(what, deadline, poller.get())) {
            pause(what, UNREAD_PAUSE);
            poller = retry.call(kind, what, begin);
        }
        return poller;
    }

    /**
     * Whether an operation succeeded; no, when a poll was refused.
     *
     * @throws AzureException when the operation failed, or did not end in time
     */
    private <T> boolean await(String what, Deadline deadline, SyncPoller<PollResult<T>, T> poller) {
        while (true) {
            PollResponse<PollResult<T>> answer = retry.call(RateLimiter.Kind.READ, what, poller::poll);
            if (answer.getStatus().isComplete()) {
                if (answer.getStatus().equals(LongRunningOperationStatus.SUCCESSFULLY_COMPLETED)) {
                    return true;
                }
                PollResult.Error error = answer.getValue().getError();
                // The SDK takes an error of the poll for the end of the operation, and asks no more.
                if (error == null || !ArmRetry.isTransient(error.getResponseStatusCode()) || deadline.passed()) {
                    throw Errors.failed(what, error);
                }
                return false;
            }
            if (deadline.passed()) {
                throw Errors.of(Reason.TIMEOUT, what, "it did not finish within " + deadline);
            }
            Duration asked = answer.getRetryAfter();
            pause(what, asked == null || asked.isZero() || asked.isNegative() ? pollInterval : asked);
        }
    }
}
