package io.clusterwright.azure.internal.arm;

import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpResponse;
import com.azure.core.http.policy.ExponentialBackoff;
import com.azure.core.http.policy.RetryPolicy;
import io.clusterwright.azure.AzureException.Reason;
import io.clusterwright.core.internal.concurrent.Backoff;
import io.clusterwright.core.internal.concurrent.Deadline;
import io.clusterwright.core.internal.concurrent.Tasks;
import io.clusterwright.core.internal.concurrent.WaitTime;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.core.type.OperationInterruptedException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Retries of calls. The pipeline repeats calls for some seconds; Resource Manager throttles (429) for longer than that, and a network may
 * be down for minutes in the middle of an operation that is billed. Both are waited out here. A call that failed may have been carried
 * out: each call that is made through this object may be made twice.
 */
final class ArmRetry {
    private static final int THROTTLED_TRIES = 40;
    private static final Duration FIRST_PAUSE = Duration.ofSeconds(4);
    private static final Duration LONGEST_PAUSE = Duration.ofMinutes(5);
    private static final int THROTTLED = 429;

    private static final int PIPELINE_RETRIES = 5;
    private static final Duration PIPELINE_FIRST = Duration.ofMillis(800);
    private static final Duration PIPELINE_LAST = Duration.ofSeconds(30);

    private static final int FAILED = 500;
    private static final Set<Integer> NOT_SERVED = Set.of(408, FAILED, 502, 503, 504);
    private static final Duration OUTAGE = Duration.ofMinutes(20);
    private static final Duration OUTAGE_OF_ONE_CALL = Duration.ofMinutes(2);
    private static final Duration OUTAGE_FIRST = Duration.ofSeconds(1);
    private static final Duration OUTAGE_LONGEST = Duration.ofSeconds(20);

    private final WaitTime.Source time;
    private final RateLimiter limiter;
    private final Outage outage;
    private volatile boolean answered;

    ArmRetry(WaitTime.Source time) {
        this.time = time;
        this.limiter = new RateLimiter(time);
        this.outage = new Outage(time);
    }

    /** Replaces the recipient of lines about an outage that calls wait for. */
    void onOutage(Consumer<String> recipient) {
        outage.onReport(recipient);
    }

    /** The policy for the pipeline. */
    static RetryPolicy pipelinePolicy() {
        return new RetryPolicy(
                new ExponentialBackoff(PIPELINE_RETRIES, PIPELINE_FIRST, PIPELINE_LAST),
                "Retry-After",
                ChronoUnit.SECONDS);
    }

    /**
     * Makes a call, again while it is throttled, and again for 20 minutes while nothing answers. Until the first answer nothing is waited
     * for: then the endpoint or the network of this machine is more likely to be wrong.
     *
     * @throws io.clusterwright.azure.AzureException when it is refused for another reason, throttled 40 times, or not answered
     */
    <T> T call(RateLimiter.Kind kind, String what, Supplier<T> call) {
        Backoff throttled = new Backoff(time, FIRST_PAUSE, LONGEST_PAUSE);
        Backoff lost = new Backoff(time, OUTAGE_FIRST, OUTAGE_LONGEST);
        Long lostSince = null;
        for (int tried = 1; ; ) {
            Tasks.interruptibly(what + ": interrupted", () -> limiter.await(kind));
            try {
                T result = call.get();
                reached();
                return result;
            } catch (RuntimeException e) {
                ClusterwrightException failure = Errors.of(what, e);
                HttpResponse response = Errors.response(e);
                if (isOutage(failure, e, response)) {
                    lostSince = lostSince == null ? time.nanos() : lostSince;
                    awaitAnswer(failure, what, response, Duration.ofNanos(time.nanos() - lostSince), lost);
                    continue;
                }
                reached();
                lostSince = null;
                if (response == null || response.getStatusCode() != THROTTLED || tried++ == THROTTLED_TRIES) {
                    throw failure;
                }
                limiter.pause(pause(response, throttled));
            }
        }
    }

    /** Whether this is the status of a call that may be served later. */
    static boolean isTransient(int status) {
        return status == THROTTLED || NOT_SERVED.contains(status);
    }

    private static boolean isOutage(ClusterwrightException failure, Throwable thrown, @Nullable HttpResponse response) {
        if (failure instanceof OperationInterruptedException || thrown instanceof ClusterwrightException) {
            return false;
        }
        return response == null ? Errors.isLost(thrown) : NOT_SERVED.contains(response.getStatusCode());
    }

    private void awaitAnswer(
            ClusterwrightException failure,
            String what,
            @Nullable HttpResponse response,
            Duration lasted,
            Backoff lost) {
        if (!answered) {
            throw failure;
        }
        boolean served = response != null && response.getStatusCode() == FAILED;
        Duration patience = served ? OUTAGE_OF_ONE_CALL : OUTAGE;
        if (lasted.compareTo(patience) > 0) {
            throw Errors.of(
                    Reason.UNREACHABLE,
                    "",
                    what,
                    "no answer for " + Deadline.text(patience) + "; last error: " + failure.getMessage(),
                    failure);
        }
        outage.lasts(what, failure);
        Tasks.interruptibly(what + ": interrupted", lost::sleep);
    }

    private void reached() {
        answered = true;
        outage.over();
    }

    /** The pause that the answer names, or else the next of the back-off; at most 5 minutes. */
    private static Duration pause(HttpResponse response, Backoff backoff) {
        String asked = response.getHeaderValue(HttpHeaderName.RETRY_AFTER);
        if (asked == null || !asked.matches("[0-9]{1,6}")) {
            return backoff.next();
        }
        Duration wanted = Duration.ofSeconds(Long.parseLong(asked));
        return wanted.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : wanted;
    }

    /** Reports that Azure does not answer: when it begins and while it lasts, at most once a minute, however many calls wait. */
    static final class Outage {
        private static final Duration INTERVAL = Duration.ofMinutes(1);

        private volatile Consumer<String> listener = line -> {};
        private boolean lasts;
        private long since;
        private final WaitTime.Source time;
        private long reported;

        Outage(WaitTime.Source time) {
            this.time = time;
            this.reported = time.nanos() - INTERVAL.toNanos();
        }

        /** Replaces the recipient of the lines. */
        void onReport(Consumer<String> recipient) {
            this.listener = recipient;
        }

        /** A call got no answer. */
        void lasts(String what, ClusterwrightException last) {
            Duration lasted;
            synchronized (this) {
                long now = time.nanos();
                if (!lasts) {
                    lasts = true;
                    since = now;
                }
                if (now - reported < INTERVAL.toNanos()) {
                    return;
                }
                reported = now;
                lasted = Duration.ofSeconds(Duration.ofNanos(now - since).toSeconds());
            }
            listener.accept("no answer from Resource Manager"
                    + (lasted.isZero() ? "" : " for " + Deadline.text(lasted)) + ": " + what
                    + " continues when it answers; last error: " + last.getMessage());
        }

        /** A call was answered. */
        synchronized void over() {
            lasts = false;
        }
    }
}
