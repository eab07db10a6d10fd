package io.clusterwright.core.internal.concurrent;

import io.clusterwright.core.type.OperationInterruptedException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/** Runs the same work for many items in parallel, at most {@code limit} at a time, and waits for all of it. */
public final class Tasks {
    private static final Duration LONGEST_END = Duration.ofSeconds(60);
    private static final Duration UNLIMITED = Duration.ofDays(36_500);

    private Tasks() {}

    /**
     * Does the work for each item. When this thread is interrupted, items that have not begun are cancelled, the others are interrupted and
     * waited for, and the flag is set.
     *
     * @param name the name of the threads
     * @param limit the number of items at a time, at least 1
     * @param failed makes the result of an item whose work threw, or never began ({@link CancellationException})
     * @return one result per item, in order
     */
    public static <T, R> List<R> each(
            String name, int limit, Collection<T> items, Function<T, R> work, Failed<T, R> failed) {
        return each(name, limit, UNLIMITED, items, work, failed);
    }

    /**
     * Does the work for each item, within a time: items that have not ended then are interrupted and not waited for, and the cause of their
     * result is a {@link TimeoutException}.
     */
    public static <T, R> List<R> each(
            String name, int limit, Duration within, Collection<T> items, Function<T, R> work, Failed<T, R> failed) {
        if (items.isEmpty()) {
            return List.of();
        }
        List<T> order = List.copyOf(items);
        ExecutorService pool = Threads.pool(name, Math.min(limit, order.size()));
        Deadline deadline = Deadline.in(name, within);
        boolean interrupted = false;
        try {
            List<Future<R>> futures = new ArrayList<>();
            order.forEach(item -> futures.add(pool.submit(() -> work.apply(item))));
            List<R> results = new ArrayList<>();
            for (int i = 0; i < order.size(); i++) {
                while (true) {
                    try {
                        results.add(WaitTime.get(futures.get(i), deadline.remaining()));
                        break;
                    } catch (InterruptedException e) {
                        interrupted = true;
                        pool.shutdownNow().forEach(waiting -> ((Future<?>) waiting).cancel(false));
                    } catch (CancellationException | TimeoutException e) {
                        results.add(failed.result(order.get(i), e));
                        break;
                    } catch (ExecutionException e) {
                        results.add(failed.result(order.get(i), e.getCause() == null ? e : e.getCause()));
                        break;
                    }
                }
            }
            return results;
        } finally {
            if (interrupted) {
                Threads.end(pool, LONGEST_END);
                Thread.currentThread().interrupt();
            } else if (deadline.passed()) {
                pool.shutdownNow();
            } else {
                pool.shutdown();
            }
        }
    }

    /**
     * Does the work for each item, all of them whatever some of them throw.
     *
     * @throws InterruptedException when this thread was interrupted; no work goes on
     * @throws RuntimeException the exception of the first item that failed, with the exceptions of the others suppressed
     */
    public static <T> void forEach(String name, int limit, Collection<T> items, Consumer<T> work)
            throws InterruptedException {
        List<Throwable> failures = new ArrayList<>();
        each(
                name,
                limit,
                items,
                item -> {
                    work.accept(item);
                    return true;
                },
                (item, cause) -> {
                    if (!(cause instanceof CancellationException)) {
                        failures.add(cause);
                    }
                    return false;
                });
        if (Thread.interrupted()) {
            throw new InterruptedException("interrupted while " + name + " ran");
        }
        if (failures.isEmpty()) {
            return;
        }
        Throwable first = failures.get(0);
        failures.stream().skip(1).filter(other -> other != first).forEach(first::addSuppressed);
        if (first instanceof Error error) {
            throw error;
        }
        throw first instanceof RuntimeException known ? known : new IllegalStateException(first);
    }

    /**
     * Does work that an interrupt must not cut short, on a new thread, and waits for its end. An interrupt meanwhile, or before, is kept: the
     * flag is set when this returns.
     */
    public static <T> T uninterruptibly(Supplier<T> work) {
        FutureTask<T> task = new FutureTask<>(work::get);
        Threads.start("clean-up", task);
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return task.get();
                } catch (InterruptedException e) {
                    interrupted = true;
                } catch (ExecutionException e) {
                    if (e.getCause() instanceof Error error) {
                        throw error;
                    }
                    throw e.getCause() instanceof RuntimeException cause ? cause : new IllegalStateException(e);
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /**
     * Waits, and reports an interrupt as every blocking call of this library does.
     *
     * @param interrupted the message of the exception
     * @throws OperationInterruptedException when this thread is interrupted
     */
    public static void interruptibly(String interrupted, Wait wait) {
        try {
            wait.await();
        } catch (InterruptedException e) {
            throw new OperationInterruptedException(interrupted, e);
        }
    }

    /** A wait that an interrupt ends. */
    @FunctionalInterface
    public interface Wait {
        /** Returns when it is over. */
        void await() throws InterruptedException;
    }

    /** Makes the result of an item that has none. */
    @FunctionalInterface
    public interface Failed<T, R> {
        /** The result for this item. */
        R result(T item, Throwable cause);
    }
}
