package io.clusterwright.core.internal.concurrent;

import io.clusterwright.core.Operation;
import io.clusterwright.core.type.OperationInterruptedException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Work that blocks and reacts to interrupts, run on an executor.
 *
 * @param <T> the result
 */
public final class StartedOperation<T> implements Operation<T> {
    private final String name;
    private final CountDownLatch ended = new CountDownLatch(1);
    private final CompletableFuture<T> future = new CompletableFuture<>();
    private @Nullable Thread worker;
    private boolean cancelled;
    private @Nullable T result;
    private @Nullable Throwable failure;

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
        T value = null;
        Throwable thrown = null;
        try {
            value = work.get();
        } catch (RuntimeException | Error e) {
            thrown = e;
        }
        synchronized (this) {
            result = value;
            failure = thrown;
            worker = null;
            // An interrupt of ours must not reach the next task on this thread, which may be the caller's.
            Thread.interrupted();
        }
        // Before the latch: a caller that returns from await finds the future complete.
        if (thrown != null) {
            future.completeExceptionally(thrown);
        } else {
            future.complete(value);
        }
        ended.countDown();
    }

    @Override
    public T await() {
        return await(Duration.ofDays(36_500)).orElseThrow();
    }

    @Override
    public Optional<T> await(Duration limit) {
        try {
            if (!ended.await(limit.toMillis(), TimeUnit.MILLISECONDS)) {
                return Optional.empty();
            }
        } catch (InterruptedException e) {
            throw new OperationInterruptedException("interrupted while waiting for the " + name + ", which goes on", e);
        }
        synchronized (this) {
            if (failure instanceof RuntimeException known) {
                throw known;
            }
            if (failure instanceof Error error) {
                throw error;
            }
            return Optional.ofNullable(result);
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
