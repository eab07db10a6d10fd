package io.clusterwright.azure.internal;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Does several things at once and returns when the last has ended; an interrupt is passed on to all of them. */
final class ParallelTasks {
    private static final long LONGEST_END_SECONDS = 60;

    private ParallelTasks() {}

    /**
     * Runs the tasks.
     *
     * @param parallel how many at a time
     * @throws RuntimeException that of the first task that failed, with those of the others suppressed
     */
    static void run(String name, int parallel, List<? extends Runnable> tasks) {
        if (tasks.isEmpty()) {
            return;
        }
        AtomicInteger number = new AtomicInteger();
        ExecutorService pool = Executors.newFixedThreadPool(Math.min(parallel, tasks.size()), task -> {
            Thread thread = new Thread(task, "clusterwright-azure-" + name + "-" + number.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        });
        try {
            List<Future<?>> futures = new ArrayList<>();
            tasks.forEach(task -> futures.add(pool.submit(task)));
            collect(pool, futures);
        } finally {
            pool.shutdownNow();
        }
    }

    private static void collect(ExecutorService pool, List<Future<?>> futures) {
        RuntimeException first = null;
        for (Future<?> future : futures) {
            try {
                future.get();
            } catch (ExecutionException e) {
                first = add(first, e.getCause());
            } catch (InterruptedException e) {
                pool.shutdownNow();
                awaitEnd(pool);
                Thread.currentThread().interrupt();
                throw Errors.of("waiting for Azure", e);
            }
        }
        if (first != null) {
            throw first;
        }
    }

    private static void awaitEnd(ExecutorService pool) {
        try {
            pool.awaitTermination(LONGEST_END_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static RuntimeException add(@Nullable RuntimeException first, @Nullable Throwable cause) {
        if (cause instanceof Error error) {
            throw error;
        }
        RuntimeException next = cause instanceof RuntimeException known ? known : new IllegalStateException(cause);
        if (first == null) {
            return next;
        }
        if (first != next) {
            first.addSuppressed(next);
        }
        return first;
    }
}
