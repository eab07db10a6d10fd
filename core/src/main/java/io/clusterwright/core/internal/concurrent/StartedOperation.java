package io.clusterwright.core.internal.concurrent;

import io.clusterwright.core.Operation;
import io.clusterwright.core.type.OperationInterruptedException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Work that blocks and reacts to interrupts, run on an executor.
 *
 * @param <T> the result
 */
public final class StartedOperation<T> implements Operation<T> {
    private final String name;
    /** Completed when the work has ended, also where the caller cancelled the future before. */
    private final CompletableFuture<T> ended = new CompletableFuture<>();

    private final CompletableFuture<T> future = new CompletableFuture<>();
    private @Nullable Thread worker;
    private boolean cancelled;

    private StartedOperation(String name) {
        this.name = name;
    }

    /**
     * Starts the work.
     *
     * @param name a noun for messages: {@code creation of cluster wing}
     * @param executor runs it; stays open
     */
    public static <T> StartedOperation<T> start(String name, Executor executor, Supplier<T> work) {
        StartedOperation<T> operation = new StartedOperation<>(name);
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

    @Override
    public T await() {
        return await(Duration.ofDays(36_500)).orElseThrow();
    }

    @Override
    public Optional<T> await(Duration limit) {
        try {
            return Optional.ofNullable(ended.get(limit.toMillis(), TimeUnit.MILLISECONDS));
        } catch (TimeoutException e) {
            return Optional.empty();
        } catch (InterruptedException e) {
            throw new OperationInterruptedException("interrupted while waiting for the " + name + ", which goes on", e);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof Error error) {
                throw error;
            }
            throw (RuntimeException) e.getCause();
        }
    }

    @Override
    public synchronized void cancel() {
        cancelled = true;
        if (worker != null) {
            worker.interrupt();
        }
    }

    @Override
    public CompletableFuture<T> toFuture() {
        return future;
    }
}
