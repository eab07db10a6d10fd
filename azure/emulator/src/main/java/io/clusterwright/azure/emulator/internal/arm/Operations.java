package io.clusterwright.azure.emulator.internal.arm;

import io.clusterwright.emulator.internal.http.Reply;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** The operations that run, or ended within the last hour. Guarded by the cloud's lock. */
public final class Operations {
    /** The leap where clients are not asked to wait, and where they get no answer at all. */
    private static final Duration LEAP = Duration.ofSeconds(10);

    private static final Duration KEPT = Duration.ofHours(1);

    private final EmulatedClock clock;
    private final Duration retryAfter;
    private final List<Runnable> listeners = new ArrayList<>();
    private final Map<String, LongOperation> all = new LinkedHashMap<>();

    public Operations(EmulatedClock clock, Duration retryAfter) {
        this.clock = clock;
        this.retryAfter = retryAfter;
    }

    public LongOperation start(
            Duration duration,
            @Nullable ArmException failure,
            CompletableFuture<?> machines,
            LongOperation.Ending ending) {
        Instant now = clock.now();
        all.values().removeIf(old -> old.endedBefore(now.minus(KEPT)));
        LongOperation operation =
                new LongOperation(UUID.randomUUID().toString(), now, now.plus(duration), failure, machines, ending);
        all.put(operation.id(), operation);
        return operation;
    }

    /** Ends what is due, in the order in which it is due, and whatever ends by that. */
    public void settle() {
        while (settleOnce()) {
            listeners.forEach(Runnable::run);
        }
    }

    private boolean settleOnce() {
        Instant now = clock.now();
        List<LongOperation> due = all.values().stream()
                .filter(operation -> operation.isDue(now))
                .sorted(Comparator.comparing(LongOperation::due))
                .toList();
        due.forEach(operation -> operation.end(now));
        return !due.isEmpty();
    }

    /** Runs this, with the cloud's lock held, whenever operations have ended. */
    public void whenSettled(Runnable listener) {
        listeners.add(listener);
    }

    /** A client comes back for this operation: as much time has passed as it was asked to wait. */
    private void asked(LongOperation operation) {
        if (operation.isRunning()) {
            clock.leapTo(operation.lastAnswered().plus(leap()));
            settle();
            operation.answered(clock.now());
        }
    }

    private Duration leap() {
        return retryAfter.isZero() ? LEAP : retryAfter;
    }

    /** A client gets no answer: it will wait before it comes back. */
    public void notAnswered() {
        clock.leapTo(clock.now().plus(leap()));
    }

    /** A client reads a resource: it may wait for the operation that runs on it. */
    public void asked(Resource resource) {
        resource.runningOperation().ifPresent(this::asked);
    }

    /** The operation that a client comes back for. */
    public LongOperation asked(String id) {
        LongOperation operation = all.get(id);
        if (operation == null) {
            throw ArmException.of("NotFound.operation", id);
        }
        asked(operation);
        return operation;
    }

    /** The status of an operation that a client comes back for. */
    public Reply status(String id) {
        LongOperation operation = asked(id);
        Reply answer = Reply.ok(operation.status());
        return operation.isRunning() ? timed(answer) : answer;
    }

    /** The answer with what its client is to wait; without, where clients poll as they like. */
    public Reply timed(Reply answer) {
        return retryAfter.toSeconds() < 1 ? answer : answer.with("Retry-After", Long.toString(retryAfter.toSeconds()));
    }

    public Duration retryAfter() {
        return retryAfter;
    }
}
