package io.clusterwright.mpi;

import io.clusterwright.mpi.internal.Pools;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;

/** Threads that open a few things on many nodes at once. */
final class Workers implements AutoCloseable {
    private static final int AT_ONCE = 32;

    private final ExecutorService pool;

    Workers(String name, int tasks) {
        this.pool = Pools.of(name, Math.min(AT_ONCE, tasks));
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
