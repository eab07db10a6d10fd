package io.clusterwright.core.internal.create;

import io.clusterwright.core.ClusterwrightException;
import io.clusterwright.core.cluster.NodeSession;
import io.clusterwright.core.cluster.NodeUnreachableException;
import io.clusterwright.core.event.NodePhase;
import io.clusterwright.core.internal.session.Threads;
import io.clusterwright.core.plan.Step;
import io.clusterwright.core.spec.Customization;
import io.clusterwright.core.spec.Updates;
import io.clusterwright.core.spi.Machine;
import io.clusterwright.core.spi.MachineOutcome;
import io.clusterwright.core.spi.MachineRequest;
import io.clusterwright.core.spi.PackageFeed;
import io.clusterwright.core.spi.ResourceId;
import io.clusterwright.core.type.Interconnect;
import io.clusterwright.core.type.NodeName;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Boots nodes and makes them members. Each node goes its own way: addresses and host keys are known before any machine exists, so
 * none waits for the others.
 */
final class NodeBoot {
    private static final int THREADS = 32;

    private final Work work;
    private final List<Machine> kept;

    NodeBoot(Work work, List<Machine> kept) {
        this.work = work;
        this.kept = kept;
    }

    /**
     * Boots the nodes that are asked for.
     *
     * @return what became of each of them
     */
    Result boot(Map<NodeName, MachineRequest> requests) {
        ExecutorService pool = Threads.pool("boot", Math.max(1, Math.min(THREADS, requests.size())));
        Map<NodeName, Future<Machine>> ways = new LinkedHashMap<>();
        Map<NodeName, ClusterwrightException> failed = new LinkedHashMap<>();
        try {
            requests.keySet().forEach(node -> work.events.node(node, NodePhase.CREATING, ""));
            work.provider.createMachines(work.spec(), List.copyOf(requests.values()), work, outcome -> {
                if (outcome instanceof MachineOutcome.Made made) {
                    MachineRequest request = Objects.requireNonNull(requests.get(made.name()));
                    Future<Machine> way = pool.submit(() -> lead(made.machine(), request, requests));
                    synchronized (ways) {
                        ways.put(made.name(), way);
                    }
                } else if (outcome instanceof MachineOutcome.Failed failure) {
                    work.events.node(
                            failure.name(), NodePhase.FAILED, failure.cause().getMessage());
                    synchronized (ways) {
                        failed.put(failure.name(), failure.cause());
                    }
                }
            });
            return collect(ways, failed);
        } finally {
            pool.shutdownNow();
            awaitEnd(pool);
        }
    }

    private Machine lead(Machine machine, MachineRequest request, Map<NodeName, MachineRequest> all) {
        work.journal.machine(machine);
        work.events.node(machine.name(), NodePhase.BOOTING, machine.address().toString());
        Machine ready = proven(machine, request);
        if (!work.plan.image().capture()) {
            customize(ready);
        }
        work.joining().join(ready, members(all));
        return ready;
    }

    /** Without a captured image, what the image would have is done on each node. */
    private void customize(Machine machine) {
        Customization wanted = work.spec().image().customize();
        if (wanted.equals(Customization.builder().build())) {
            return;
        }
        NodeSession session = work.sessions.session(machine, work.spec().login().user());
        PackageFeed feed = work.provider.packageFeed(work.spec().name(), machine);
        Consumer<String> progress = line -> work.events.progress(Step.NODES, machine.name() + ": " + line);
        if (wanted.updates().install() != Updates.Install.NONE) {
            work.backend.update(session, work.spec(), feed, progress);
        }
        work.backend.customize(session, work.spec(), feed, work.keys.trust(), progress);
    }

    private Machine proven(Machine machine, MachineRequest request) {
        try {
            return prove(machine);
        } catch (NodeUnreachableException first) {
            work.events.node(machine.name(), NodePhase.REPLACING, first.getMessage());
            work.provider.delete(work.spec().name(), machine.resource());
            work.deleted(machine.resource());
            Machine again = work.make(request);
            work.journal.machine(again);
            return prove(again);
        }
    }

    private Machine prove(Machine machine) {
        work.joining().prove(machine);
        return machine;
    }

    /** Everybody there will be, as far as it is known before they exist. */
    private List<Machine> members(Map<NodeName, MachineRequest> all) {
        List<Machine> members = new ArrayList<>(kept);
        for (MachineRequest request : all.values()) {
            members.add(new Machine(
                    request.name(),
                    request.address(),
                    new ResourceId("machine", request.name().value()),
                    request.bootstrap().hostKey().publicKey(),
                    Interconnect.NONE));
        }
        members.sort((a, b) -> a.name().compareTo(b.name()));
        return members;
    }

    private Result collect(Map<NodeName, Future<Machine>> ways, Map<NodeName, ClusterwrightException> failed) {
        List<Machine> ready = new ArrayList<>();
        for (Map.Entry<NodeName, Future<Machine>> way : ways.entrySet()) {
            NodeName node = way.getKey();
            try {
                ready.add(way.getValue().get());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new ClusterwrightException("interrupted while the nodes were booting", e);
            } catch (ExecutionException e) {
                ClusterwrightException cause = e.getCause() instanceof ClusterwrightException known
                        ? known
                        : new ClusterwrightException(node + ": " + e.getCause(), e);
                work.events.node(node, NodePhase.FAILED, cause.getMessage());
                failed.put(node, cause);
            }
        }
        return new Result(ready, failed);
    }

    private static void awaitEnd(ExecutorService pool) {
        boolean interrupted = Thread.interrupted();
        try {
            pool.awaitTermination(20, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            interrupted = true;
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * What became of the nodes.
     *
     * @param ready those that are members
     * @param failed those that are not, with the reason
     */
    record Result(List<Machine> ready, Map<NodeName, ClusterwrightException> failed) {}
}
