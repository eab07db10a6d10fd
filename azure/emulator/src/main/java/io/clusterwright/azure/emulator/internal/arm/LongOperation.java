package io.clusterwright.azure.emulator.internal.arm;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.clusterwright.core.internal.json.Json;
import java.time.Instant;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/** Something that goes on after its request was answered. Guarded by the cloud's lock. */
public final class LongOperation {
    /** End of an operation: changes its resource. */
    public interface Ending {
        /**
         * Called once, with the cloud's lock held.
         *
         * @param failure the reason of a failure; null when it succeeded
         * @return the operation's result, if it has one
         */
        @Nullable
        JsonNode end(@Nullable ArmException failure);
    }

    private final String id;
    private final Instant started;
    private final Instant due;
    private final CompletableFuture<?> machines;
    private final Ending ending;
    private @Nullable ArmException failure;
    private Instant lastAnswered;
    private @Nullable Instant ended;
    private @Nullable JsonNode result;

    LongOperation(
            String id,
            Instant started,
            Instant due,
            @Nullable ArmException failure,
            CompletableFuture<?> machines,
            Ending ending) {
        this.id = id;
        this.started = started;
        this.due = due;
        this.failure = failure;
        this.machines = machines;
        this.ending = ending;
        this.lastAnswered = started;
    }

    public String id() {
        return id;
    }

    public boolean isRunning() {
        return ended == null;
    }

    boolean endedBefore(Instant time) {
        return ended != null && ended.isBefore(time);
    }

    public Instant due() {
        return due;
    }

    boolean isDue(Instant now) {
        return isRunning() && !now.isBefore(due) && machines.isDone();
    }

    Instant lastAnswered() {
        return lastAnswered;
    }

    void answered(Instant now) {
        lastAnswered = now;
    }

    public @Nullable ArmException failure() {
        return failure;
    }

    public @Nullable JsonNode result() {
        return result;
    }

    void end(Instant now) {
        ended = now;
        if (failure == null) {
            failure = failureOf(machines);
        }
        result = ending.end(failure);
    }

    /** Ends it because another operation on the same resource takes its place. */
    public void preempt(Instant now) {
        if (isRunning()) {
            ended = now;
            machines.cancel(false);
            failure = ArmException.of("OperationPreempted");
        }
    }

    /** The status as a client reads it. */
    public ObjectNode status() {
        ObjectNode status = Json.object().put("name", id).put("startTime", started.toString());
        if (ended == null) {
            return status.put("status", "InProgress");
        }
        status.put("endTime", ended.toString());
        if (failure != null) {
            status.put("status", "Failed").set("error", failure.error());
            return status;
        }
        status.put("status", "Succeeded");
        if (result != null) {
            status.putObject("properties").set("output", result);
        }
        return status;
    }

    private static @Nullable ArmException failureOf(CompletableFuture<?> future) {
        try {
            future.getNow(null);
            return null;
        } catch (CancellationException e) {
            return ArmException.of("OperationPreempted.cancelled");
        } catch (CompletionException e) {
            return failureOf(e);
        }
    }

    /** The failure of a future, as Azure reports it. */
    public static ArmException failureOf(Throwable thrown) {
        Throwable cause =
                thrown instanceof CompletionException && thrown.getCause() != null ? thrown.getCause() : thrown;
        return cause instanceof ArmException known
                ? known
                : ArmException.of("InternalExecutionError", String.valueOf(cause));
    }
}
