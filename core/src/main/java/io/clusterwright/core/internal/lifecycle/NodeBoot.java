package io.clusterwright.core.internal.lifecycle;

import io.clusterwright.core.ClusterEvent.NodePhase;
import io.clusterwright.core.MachineState;
import io.clusterwright.core.NodeSession;
import io.clusterwright.core.NodeUnreachableException;
import io.clusterwright.core.ResourceId;
import io.clusterwright.core.internal.concurrent.Threads;
import io.clusterwright.core.internal.planning.ImageRecipe;
import io.clusterwright.core.internal.text.Reason;
import io.clusterwright.core.plan.Step;
import io.clusterwright.core.spi.Machine;
import io.clusterwright.core.spi.MachineProvider.MachineOutcome;
import io.clusterwright.core.spi.MachineProvider.MachineRequest;
import io.clusterwright.core.spi.NodeBackend.PackageFeed;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.core.type.Interconnect;
import io.clusterwright.core.type.Ipv4Address;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.core.type.OperationInterruptedException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.function.Consumer;

/**
 * Boots nodes and makes them members. Each node advances independently: addresses and host keys are known before any machine exists, so
 * none waits for the others. Where the provider chooses the addresses, all wait until every machine was created or has failed.
 */
final class NodeBoot {
    private static final int THREADS = 32;
    private static final Duration LONGEST_END = Duration.ofSeconds(20);

    /** Longer than an unattended upgrade of a new machine takes. */
    private static final Duration PACKAGES = Duration.ofMinutes(15);

    private final ClusterWork work;
    private final List<Machine> kept;
    private final boolean fromImage;

    NodeBoot(ClusterWork work, List<Machine> kept, boolean fromImage) {
        this.work = work;
        this.kept = kept;
        this.fromImage = fromImage;
    }

    /**
     * Boots the requested nodes.
     *
     * @return the outcome
     */
    Result boot(Map<NodeName, MachineRequest> requests) {
        ExecutorService pool = Threads.pool("boot", Math.max(1, Math.min(THREADS, requests.size())));
        BootQueue boots = new BootQueue(pool, gateway(requests));
        Map<NodeName, ClusterwrightException> failed = Collections.synchronizedMap(new LinkedHashMap<>());
        try {
            requests.keySet().forEach(node -> work.events.node(node, NodePhase.CREATING, ""));
            boolean wait = work.provider.choosesAddresses(work.spec);
            List<Machine> planned = planned(requests);
            List<Machine> waiting = Collections.synchronizedList(new ArrayList<>());
            work.provider.createMachines(work.spec, List.copyOf(requests.values()), work, outcome -> {
                if (outcome instanceof MachineOutcome.Made made) {
                    Machine machine = made.machine();
                    if (wait) {
                        waiting.add(machine);
                    } else {
                        boots.add(machine.name(), () -> lead(machine, requests, planned, boots));
                    }
                } else if (outcome instanceof MachineOutcome.Failed failure) {
                    work.events.node(
                            failure.name(), NodePhase.FAILED, failure.cause().getMessage());
                    failed.put(failure.name(), failure.cause());
                    boots.block(failure.name(), failure.cause());
                }
            });
            List<Machine> members = wait ? sorted(waiting) : planned;
            waiting.forEach(machine -> boots.add(machine.name(), () -> lead(machine, requests, members, boots)));
            return collect(boots.boots(), failed, members);
        } finally {
            Threads.end(pool, LONGEST_END);
        }
    }

    /** The node among these through which the others are reached, so that it comes first. */
    private Optional<NodeName> gateway(Map<NodeName, MachineRequest> requests) {
        return requests.keySet().stream()
                .flatMap(node -> work.provider.gateway(work.spec, node).stream())
                .filter(requests::containsKey)
                .findFirst();
    }

    private Machine lead(
            Machine machine, Map<NodeName, MachineRequest> requests, List<Machine> members, BootQueue boots) {
        work.events.node(machine.name(), NodePhase.BOOTING, machine.address().toString());
        work.journal.booting(machine);
        Machine ready = proven(machine, Objects.requireNonNull(requests.get(machine.name())));
        boolean staysUp = work.spec.extensions().isEmpty() && (fromImage || !ImageRecipe.installsUpdates(work.spec));
        if (staysUp) {
            boots.pass(machine.name());
        }
        if (!fromImage) {
            customize(ready);
        }
        extend(ready);
        boots.pass(machine.name());
        // What was interrupted before this is made again by a resumed creation, rather than taken for complete.
        work.journal.machine(ready);
        work.join(ready, members);
        return ready;
    }

    /** Without a captured image, what the image would have is done on each node. */
    private void customize(Machine machine) {
        if (!ImageRecipe.changesBase(work.spec)) {
            return;
        }
        PackageFeed feed = work.provider.packageFeed(work.cluster(), machine);
        Consumer<String> progress = line -> work.events.progress(Step.NODES, machine.name() + ": " + line);
        NodeSession session = work.steadySession(machine, progress);
        if (ImageRecipe.installsUpdates(work.spec)) {
            work.backend.update(session, work.spec, feed, progress);
        }
        work.backend.customize(session, work.spec, feed, progress);
        // A session keeps the limits and groups of its login, and this login was before they changed.
        work.sessions.drop(machine.name());
    }

    /** Extensions change packages, as others may; a machine on which one fails is deleted, and the others go on. */
    private void extend(Machine machine) {
        Consumer<String> progress = line -> work.events.progress(Step.EXTENSIONS, line);
        try {
            boolean installed = work.provider.installExtensions(work.cluster(), work.spec, machine, extension -> {
                work.steadily(
                        machine, Step.EXTENSIONS, session -> work.backend.awaitPackages(session, PACKAGES, progress));
                work.sessions.drop(machine.name());
            });
            if (installed) {
                prove(machine);
            }
        } catch (ClusterwrightException e) {
            if (!Thread.currentThread().isInterrupted()) {
                work.sessions.drop(machine.name());
                work.delete(machine.resource());
            }
            throw e;
        }
    }

    private Machine proven(Machine machine, MachineRequest request) {
        try {
            return prove(machine);
        } catch (NodeUnreachableException late) {
            try {
                return restarted(machine, late);
            } catch (NodeUnreachableException still) {
                return replaced(machine, request, still);
            }
        }
    }

    /** Restarts a late machine once, which keeps its disk, and is faster than a new one. */
    private Machine restarted(Machine machine, NodeUnreachableException late) {
        MachineState state = work.provider.state(work.cluster(), machine);
        if (state == MachineState.ABSENT || state == MachineState.FAILED) {
            throw late;
        }
        work.events.node(machine.name(), NodePhase.RESTARTING, late.getMessage());
        try {
            work.provider.stop(work.cluster(), List.of(machine));
            work.provider.start(work.cluster(), List.of(machine));
        } catch (OperationInterruptedException e) {
            throw e;
        } catch (ClusterwrightException e) {
            // A provider that cannot restart, or a machine that hangs while it stops: replacing it is left.
            late.addSuppressed(e);
            throw late;
        }
        return prove(machine);
    }

    private Machine replaced(Machine machine, MachineRequest request, NodeUnreachableException late) {
        work.events.node(machine.name(), NodePhase.REPLACING, late.getMessage());
        work.sessions.drop(machine.name());
        work.delete(machine.resource());
        Machine made = work.make(request);
        work.journal.booting(made);
        return prove(made);
    }

    private Machine prove(Machine machine) {
        work.prove(machine);
        return machine;
    }

    /** All members, as they are known before their machines exist. */
    private List<Machine> planned(Map<NodeName, MachineRequest> all) {
        return sorted(all.values().stream()
                .map(request -> new Machine(
                        request.name(),
                        request.address(),
                        new ResourceId("machine", request.name().value()),
                        request.bootstrap().hostKey().publicKey(),
                        Interconnect.NONE))
                .toList());
    }

    /** These with those that were kept, by name. */
    private List<Machine> sorted(List<Machine> machines) {
        List<Machine> members = new ArrayList<>(kept);
        members.addAll(machines);
        members.sort((a, b) -> a.name().compareTo(b.name()));
        return List.copyOf(members);
    }

    /** Whether a machine has another address than the host lists say: a replaced one may. */
    private static boolean moved(List<Machine> ready, List<Machine> listed) {
        Map<NodeName, Ipv4Address> addresses = new HashMap<>();
        listed.forEach(machine -> addresses.put(machine.name(), machine.address()));
        return ready.stream().anyMatch(machine -> !machine.address().equals(addresses.get(machine.name())));
    }

    private Result collect(
            Map<NodeName, Future<Machine>> boots, Map<NodeName, ClusterwrightException> failed, List<Machine> members) {
        List<Machine> ready = new ArrayList<>();
        for (Map.Entry<NodeName, Future<Machine>> boot : boots.entrySet()) {
            NodeName node = boot.getKey();
            try {
                ready.add(boot.getValue().get());
            } catch (InterruptedException e) {
                throw new OperationInterruptedException("interrupted while the nodes were booting", e);
            } catch (ExecutionException e) {
                ClusterwrightException cause = e.getCause() instanceof ClusterwrightException known
                        ? known
                        : new ClusterwrightException(
                                node + ": " + Reason.of(Objects.requireNonNullElse(e.getCause(), e)), e);
                work.events.node(node, NodePhase.FAILED, cause.getMessage());
                failed.put(node, cause);
            }
        }
        return new Result(ready, failed, moved(ready, members));
    }

    /**
     * The outcome of booting nodes.
     *
     * @param ready those that are members
     * @param failed those that are not, with the reason
     * @param moved whether one of them has another address than the host lists say
     */
    record Result(List<Machine> ready, Map<NodeName, ClusterwrightException> failed, boolean moved) {}
}
