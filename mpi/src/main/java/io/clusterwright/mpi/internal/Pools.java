package io.clusterwright.mpi.internal;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/** Pools of named daemon threads; whoever asks for one shuts it down. */
public final class Pools {
    private Pools() {}

    /** A pool of so many threads, at least one, named {@code clusterwright-NAME-1} and so on. */
    public static ExecutorService of(String name, int threads) {
        AtomicInteger number = new AtomicInteger();
        return Executors.newFixedThreadPool(Math.max(1, threads), task -> {
            Thread thread = new Thread(task, "clusterwright-" + name + "-" + number.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        });
    }
}
