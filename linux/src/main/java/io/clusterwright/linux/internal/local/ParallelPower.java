package io.clusterwright.linux.internal.local;

import io.clusterwright.core.spi.Machine;
import io.clusterwright.core.type.ClusterName;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.linux.internal.local.host.LocalMachinesException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/** Starts or stops many nodes, several at a time. */
public final class ParallelPower {
    private static final int THREADS = 8;
    private static final int END_LIMIT_SECONDS = 60;

    private ParallelPower() {}

    /**
     * Tries all of them.
     *
     * @throws ClusterwrightException that of the first that failed, with the others suppressed
     */
    public static void each(String what, ClusterName cluster, Collection<Machine> machines, Consumer<NodeName> work) {
        if (machines.isEmpty()) {
            return;
        }
        AtomicInteger number = new AtomicInteger();
        ExecutorService pool = Executors.newFixedThreadPool(Math.min(THREADS, machines.size()), task -> {
            Thread thread = new Thread(task, "clusterwright-local-" + what + "-" + number.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        });
        List<Future<?>> futures = new ArrayList<>();
        machines.forEach(machine -> futures.add(pool.submit(() -> work.accept(machine.name()))));
        List<ClusterwrightException> failed = new ArrayList<>();
        try {
            for (Future<?> future : futures) {
                try {
                    future.get();
                } catch (ExecutionException e) {
                    failed.add(
                            e.getCause() instanceof ClusterwrightException known
                                    ? known
                                    : new ClusterwrightException("cannot " + what + " a node: " + e.getCause(), e));
                }
            }
        } catch (InterruptedException e) {
            end(pool);
            Thread.currentThread().interrupt();
            throw LocalMachinesException.of(what + " the nodes of cluster " + cluster, e);
        } finally {
            pool.shutdownNow();
        }
        if (!failed.isEmpty()) {
            failed.subList(1, failed.size()).forEach(failed.get(0)::addSuppressed);
            throw failed.get(0);
        }
    }

    private static void end(ExecutorService pool) {
        pool.shutdownNow();
        try {
            pool.awaitTermination(END_LIMIT_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
