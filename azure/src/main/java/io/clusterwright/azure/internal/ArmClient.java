package io.clusterwright.azure.internal;

import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpResponse;
import com.azure.core.management.polling.PollResult;
import com.azure.core.util.polling.LongRunningOperationStatus;
import com.azure.core.util.polling.PollResponse;
import com.azure.core.util.polling.SyncPoller;
import io.clusterwright.azure.AzureException.Reason;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Calls of Resource Manager: each in its turn, throttled ones again, failures as {@link io.clusterwright.azure.AzureException}. A long
 * operation is polled by a loop of our own, because the SDK's interval for one whose answers name none is 30 seconds, and can be
 * changed for the whole process only.
 */
public final class ArmClient {
    /** The longest that the creation or deletion of one resource may take. */
    static final Duration LONG = Duration.ofMinutes(90);

    private static final int THROTTLED_TRIES = 40;
    private static final Duration LONGEST_PAUSE = Duration.ofMinutes(5);

    private final RateLimiter pace = new RateLimiter();
    private final Duration pollInterval;
    private final Sleep sleep;

    /** How a pause is made. */
    interface Sleep {
        void pause(Duration time) throws InterruptedException;
    }

    /** Calls that ask for the state of an operation at this interval, where Azure does not name one. */
    public ArmClient(Duration pollInterval) {
        this(pollInterval, time -> Thread.sleep(time.toMillis()));
    }

    /** The same with pauses of another kind. */
    ArmClient(Duration pollInterval, Sleep sleep) {
        this.pollInterval = pollInterval;
        this.sleep = sleep;
    }

    /** Reads something. */
    <T> T read(String what, Supplier<T> call) {
        return once(RateLimiter.Kind.READ, what, call);
    }

    /** Reads something that may not exist. */
    <T> Optional<T> find(String what, Supplier<T> call) {
        return once(RateLimiter.Kind.READ, what, () -> {
            try {
                return Optional.ofNullable(call.get());
            } catch (RuntimeException e) {
                HttpResponse response = Errors.response(e);
                if (response != null && response.getStatusCode() == 404) {
                    return Optional.empty();
                }
                throw e;
            }
        });
    }

    /** Writes something whose answer comes at once. */
    <T> T write(String what, Supplier<T> call) {
        return once(RateLimiter.Kind.WRITE, what, call);
    }

    /** Starts a long operation and waits for its end. */
    <T> void write(String what, Duration limit, Supplier<SyncPoller<PollResult<T>, T>> begin) {
        await(what, limit, once(RateLimiter.Kind.WRITE, what, begin));
    }

    /** Starts a long operation, waits for its end and answers with its result. */
    <T> T ask(String what, Duration limit, Supplier<SyncPoller<PollResult<T>, T>> begin) {
        SyncPoller<PollResult<T>, T> poller = once(RateLimiter.Kind.WRITE, what, begin);
        await(what, limit, poller);
        return read("read the result of: " + what, poller::getFinalResult);
    }

    /** Lets the time pass after which something is tried again. */
    void pause(String what) {
        sleep(what, pollInterval);
    }

    /** Starts a deletion and waits for its end; what is not there is deleted already. */
    void delete(String what, Supplier<SyncPoller<PollResult<Void>, Void>> begin) {
        Optional<SyncPoller<PollResult<Void>, Void>> poller = once(RateLimiter.Kind.DELETE, what, () -> {
            try {
                return Optional.of(begin.get());
            } catch (RuntimeException e) {
                HttpResponse response = Errors.response(e);
                if (response != null && response.getStatusCode() == 404) {
                    return Optional.empty();
                }
                throw e;
            }
        });
        poller.ifPresent(running -> await(what, LONG, running));
    }

    /** Deletes something whose answer comes at once; what is not there is deleted already. */
    void deleteNow(String what, Runnable call) {
        once(RateLimiter.Kind.DELETE, what, () -> {
            try {
                call.run();
            } catch (RuntimeException e) {
                HttpResponse response = Errors.response(e);
                if (response == null || response.getStatusCode() != 404) {
                    throw e;
                }
            }
            return true;
        });
    }

    private <T> T once(RateLimiter.Kind kind, String what, Supplier<T> call) {
        for (int tried = 1; ; tried++) {
            try {
                pace.await(kind);
                return call.get();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw Errors.of(Reason.INTERRUPTED, "", what, "interrupted", e);
            } catch (RuntimeException e) {
                HttpResponse response = Errors.response(e);
                if (response == null || response.getStatusCode() != 429 || tried == THROTTLED_TRIES) {
                    throw Errors.of(what, e);
                }
                pace.pause(pause(response, tried));
            }
        }
    }

    private <T> void await(String what, Duration limit, SyncPoller<PollResult<T>, T> poller) {
        long deadline = System.nanoTime() + limit.toNanos();
        int throttled = 0;
        while (true) {
            PollResponse<PollResult<T>> answer;
            try {
                answer = poller.poll();
                throttled = 0;
            } catch (RuntimeException e) {
                HttpResponse response = Errors.response(e);
                throttled++;
                if (response == null || response.getStatusCode() != 429 || throttled == THROTTLED_TRIES) {
                    throw Errors.of(what, e);
                }
                sleep(what, pause(response, throttled));
                continue;
            }
            if (answer.getStatus().isComplete()) {
                if (!answer.getStatus().equals(LongRunningOperationStatus.SUCCESSFULLY_COMPLETED)) {
                    throw Errors.failed(what, answer.getValue().getError());
                }
                return;
            }
            if (System.nanoTime() > deadline) {
                throw Errors.of(Reason.TIMEOUT, "", what, "not done after " + limit.toMinutes() + " minutes", null);
            }
            Duration asked = answer.getRetryAfter();
            sleep(what, asked == null || asked.isZero() || asked.isNegative() ? pollInterval : asked);
        }
    }

    private void sleep(String what, Duration time) {
        try {
            sleep.pause(time);
            pace.await(RateLimiter.Kind.READ);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw Errors.of(Reason.INTERRUPTED, "", what, "interrupted", e);
        }
    }

    /** What the answer asks for; doubled each time where it does not say. */
    private static Duration pause(HttpResponse response, int tried) {
        String asked = response.getHeaderValue(HttpHeaderName.RETRY_AFTER);
        Duration time = Duration.ofSeconds(1L << Math.min(tried, 6));
        if (asked != null && asked.matches("[0-9]{1,6}")) {
            time = Duration.ofSeconds(Long.parseLong(asked));
        }
        return time.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : time;
    }
}
