package io.clusterwright.mpi;

import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Threads that open a few things on many nodes at once. */
final class Workers implements AutoCloseable {
    private static final int AT_ONCE = 32;

    private final ExecutorService pool;

    Workers(String name, int tasks) {
        AtomicInteger threads = new AtomicInteger();
        this.pool = Executors.newFixedThreadPool(Math.max(1, Math.min(AT_ONCE, tasks)), task -> {
            Thread thread = new Thread(task, name + "-" + threads.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        });
    }

    void submit(Runnable task) {
        pool.execute(task);
    }

    /** Waits at most this long for what was submitted; takes nothing more. */
    void finish(Duration limit) {
        pool.shutdown();
        try {
            if (!pool.awaitTermination(limit.toNanos(), TimeUnit.NANOSECONDS)) {
                pool.shutdownNow();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        pool.shutdownNow();
    }
}
