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
    private boolean over;
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
        try {
            T value = work.get();
            synchronized (this) {
                result = value;
            }
        } catch (Throwable e) {
            synchronized (this) {
                failure = e;
            }
        } finally {
            synchronized (this) {
                over = true;
                worker = null;
                // An interrupt of ours must not reach the next task of the caller's thread.
                Thread.interrupted();
            }
            ended.countDown();
            complete();
        }
    }

    private synchronized void complete() {
        if (failure != null) {
            future.completeExceptionally(failure);
        } else {
            future.complete(result);
        }
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
        if (!over && worker != null) {
            worker.interrupt();
        }
    }

    @Override
    public CompletableFuture<T> toFuture() {
        return future;
    }
}
