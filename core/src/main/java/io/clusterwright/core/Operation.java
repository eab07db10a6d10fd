package io.clusterwright.core;

import io.clusterwright.core.internal.concurrent.WaitTime;
import io.clusterwright.core.type.OperationInterruptedException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A long operation that was started and can be awaited, cancelled and composed. Use it in a service that must not
 * block, and to cancel a creation. Safe for use by several threads.
 *
 * <pre>{@code
 * Operation<Cluster> creation =
 *         clusters.createAsync(spec, CreateOptions.standard().listener(listener));
 * Optional<Cluster> cluster = creation.await(Duration.ofMinutes(20));
 * if (cluster.isEmpty()) {
 *     creation.cancel(); // deletes what it created
 * }
 * }</pre>
 *
 * @param <T> the result
 */
public final class Operation<T> {
    private final String name;
    /** Completed when the work has ended, also where the caller cancelled the future before. */
    private final CompletableFuture<T> ended = new CompletableFuture<>();

    private final CompletableFuture<T> future = new CompletableFuture<>();
    private @Nullable Thread worker;
    private boolean cancelled;

    private Operation(String name) {
        this.name = name;
    }

    /**
     * Starts the work.
     *
     * @param name a noun for messages: {@code creation of cluster wing}
     * @param executor runs it; stays open
     */
    static <T> Operation<T> start(String name, Executor executor, Supplier<T> work) {
        Operation<T> operation = new Operation<>(name);
        operation.future.whenComplete((value, error) -> {
            if (operation.future.isCancelled()) {
                operation.cancel();
            }
        });
        executor.execute(() -> operation.run(work));
        return operation;
    }

    private void run(Supplier<T> work) {
        synchronized (this) {
            worker = Thread.currentThread();
            if (cancelled) {
                worker.interrupt();
            }
        }
        T result = null;
        Throwable failure = null;
        try {
            result = work.get();
        } catch (RuntimeException | Error e) {
            failure = e;
        }
        synchronized (this) {
            worker = null;
            // An interrupt of ours must not reach the next task on this thread, which may be the caller's.
            Thread.interrupted();
        }
        // In this order: a caller that returns from await finds the future complete.
        for (CompletableFuture<T> each : List.of(future, ended)) {
            if (failure != null) {
                each.completeExceptionally(failure);
            } else {
                each.complete(result);
            }
        }
    }

    /**
     * Waits for the end without a limit.
     *
     * @throws io.clusterwright.core.type.ClusterwrightException the exception of the operation, when it failed or was cancelled
     * @throws OperationInterruptedException when this thread is interrupted; the operation goes on
     */
    public T await() {
        return await(Duration.ofDays(36_500)).orElseThrow();
    }

    /**
     * Waits for the end, at most this long.
     *
     * @return the result, or empty while the operation still runs
     * @throws io.clusterwright.core.type.ClusterwrightException as {@link #await()}
     */
    public Optional<T> await(Duration limit) {
        try {
            return Optional.ofNullable(WaitTime.get(ended, limit));
        } catch (TimeoutException e) {
            return Optional.empty();
        } catch (InterruptedException e) {
            throw new OperationInterruptedException(
                    "the wait for the " + name + " was interrupted; the operation continues", e);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof Error error) {
                throw error;
            }
            throw (RuntimeException) e.getCause();
        }
    }

    /**
     * Stops the operation, which then cleans up as after a failure; {@link #await()} returns when that is done. Calling it twice, or after
     * the end, does nothing.
     */
    public synchronized void cancel() {
        cancelled = true;
        if (worker != null) {
            worker.interrupt();
        }
    }

    /** A future of the result. Cancelling it cancels the operation. */
    public CompletableFuture<T> toFuture() {
        return future;
    }

    /** The operation and its state, such as {@code creation of cluster wing: running}. */
    @Override
    public String toString() {
        return name + ": " + (!ended.isDone() ? "running" : ended.isCompletedExceptionally() ? "failed" : "ended");
    }
}
