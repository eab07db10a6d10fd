package io.clusterwright.linux.internal.local;

import io.clusterwright.core.ResourceId;
import io.clusterwright.core.spi.Machine;
import io.clusterwright.core.spi.MachineOutcome;
import io.clusterwright.core.spi.MachineRequest;
import io.clusterwright.core.spi.ResourceLog;
import io.clusterwright.core.type.ClusterName;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.linux.internal.local.host.LocalMachinesException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/** Boots many nodes, several at a time; each gets its own result. */
public final class ParallelBoot {
    private static final int THREADS = 8;
    private static final int END_LIMIT_SECONDS = 60;
    private static final AtomicInteger NUMBER = new AtomicInteger();

    private final LocalHost host;
    private final ClusterName cluster;
    private final ResourceLog log;
    private volatile boolean cut;

    public ParallelBoot(LocalHost host, ClusterName cluster, ResourceLog log) {
        this.host = host;
        this.cluster = cluster;
        this.log = log;
    }

    public void run(List<MachineRequest> requests, Consumer<MachineOutcome> outcome) {
        if (requests.isEmpty()) {
            return;
        }
        ExecutorService pool = Executors.newFixedThreadPool(Math.min(THREADS, requests.size()), work -> {
            Thread thread = new Thread(work, "clusterwright-local-boot-" + NUMBER.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        });
        List<Future<?>> boots = new ArrayList<>();
        try {
            for (MachineRequest request : requests) {
                boots.add(pool.submit(() -> outcome.accept(boot(request))));
            }
            for (Future<?> boot : boots) {
                boot.get();
            }
        } catch (InterruptedException e) {
            cut = true;
            pool.shutdownNow().forEach(Runnable::run);
            Thread.currentThread().interrupt();
            throw LocalMachinesException.of("boot the nodes of cluster " + cluster, e);
        } catch (ExecutionException e) {
            throw new ClusterwrightException("a listener of the boot failed: " + e.getCause(), e);
        } finally {
            end(pool);
        }
    }

    private MachineOutcome boot(MachineRequest request) {
        if (cut) {
            return new MachineOutcome.Failed(
                    request.name(),
                    LocalMachinesException.of("boot node " + request.name(), "interrupted before its turn came"));
        }
        ResourceId resource = new ResourceId(LocalHost.MACHINE, request.name().value());
        try {
            log.creating(resource);
            Machine machine = host.create(cluster, request);
            try {
                host.boot(cluster, request.name());
            } catch (ClusterwrightException e) {
                stop(request, e);
                throw e;
            }
            log.created(resource);
            return new MachineOutcome.Made(machine);
        } catch (ClusterwrightException e) {
            return new MachineOutcome.Failed(request.name(), e);
        } catch (RuntimeException e) {
            return new MachineOutcome.Failed(
                    request.name(), LocalMachinesException.of("boot node " + request.name(), e));
        }
    }

    /** The disk stays until the caller, to whom it was announced, deletes it. */
    private void stop(MachineRequest request, ClusterwrightException failure) {
        try {
            host.stop(cluster, request.name());
        } catch (ClusterwrightException e) {
            failure.addSuppressed(e);
        }
    }

    /** Waits for boots that were cut off, so that nothing is made after this returns. */
    private static void end(ExecutorService pool) {
        pool.shutdownNow();
        boolean interrupted = Thread.interrupted();
        try {
            pool.awaitTermination(END_LIMIT_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            interrupted = true;
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
