package io.clusterwright.azure.internal.arm;

import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpResponse;
import com.azure.core.http.policy.ExponentialBackoff;
import com.azure.core.http.policy.RetryPolicy;
import io.clusterwright.core.internal.concurrent.Backoff;
import io.clusterwright.core.internal.concurrent.Tasks;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.function.Supplier;

/**
 * Retries of calls: server errors (5xx) and lost connections by the pipeline, throttled calls (429) once more here, because Resource
 * Manager throttles for longer than the pipeline waits. A throttled answer holds back all calls of this object.
 */
final class ArmRetry {
    private static final int THROTTLED_TRIES = 40;
    private static final Duration FIRST_PAUSE = Duration.ofSeconds(4);
    private static final Duration LONGEST_PAUSE = Duration.ofMinutes(5);
    private static final int THROTTLED = 429;

    private static final int PIPELINE_RETRIES = 5;
    private static final Duration PIPELINE_FIRST = Duration.ofMillis(800);
    private static final Duration PIPELINE_LAST = Duration.ofSeconds(30);

    private final RateLimiter limiter = new RateLimiter();

    /** The policy for the pipeline. */
    static RetryPolicy pipelinePolicy() {
        return new RetryPolicy(
                new ExponentialBackoff(PIPELINE_RETRIES, PIPELINE_FIRST, PIPELINE_LAST),
                "Retry-After",
                ChronoUnit.SECONDS);
    }

    /**
     * Makes a call, again while it is throttled.
     *
     * @throws io.clusterwright.azure.AzureException when it is refused for another reason, or throttled 40 times
     */
    <T> T call(RateLimiter.Kind kind, String what, Supplier<T> call) {
        Backoff backoff = new Backoff(FIRST_PAUSE, LONGEST_PAUSE);
        for (int tried = 1; ; tried++) {
            Tasks.interruptibly(what + ": interrupted", () -> limiter.await(kind));
            try {
                return call.get();
            } catch (RuntimeException e) {
                HttpResponse response = Errors.response(e);
                if (response == null || response.getStatusCode() != THROTTLED || tried == THROTTLED_TRIES) {
                    throw Errors.of(what, e);
                }
                limiter.pause(pause(response, backoff));
            }
        }
    }

    /** The pause that the answer names, or else the next of the back-off; at most 5 minutes. */
    private static Duration pause(HttpResponse response, Backoff backoff) {
        String asked = response.getHeaderValue(HttpHeaderName.RETRY_AFTER);
        if (asked == null || !asked.matches("[0-9]{1,6}")) {
            return backoff.next();
        }
        Duration time = Duration.ofSeconds(Long.parseLong(asked));
        return time.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : time;
    }
}
