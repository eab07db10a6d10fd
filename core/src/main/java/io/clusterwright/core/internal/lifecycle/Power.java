package io.clusterwright.core.internal.lifecycle;

import io.clusterwright.core.ClusterEvent.NodePhase;
import io.clusterwright.core.MachineState;
import io.clusterwright.core.internal.state.ClusterState;
import io.clusterwright.core.internal.state.Journal;
import io.clusterwright.core.plan.Step;
import io.clusterwright.core.spi.Machine;
import io.clusterwright.core.spi.MachineProvider;
import io.clusterwright.core.type.ClusterName;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.core.type.NodeSet;
import java.util.ArrayList;
import java.util.List;

/** Stops and starts the machines of a cluster. */
public final class Power {
    private final ClusterName cluster;
    private final MachineProvider provider;
    private final Journal journal;
    private final Emitter events;
    private final List<Machine> machines;

    /** The power of a cluster in this state. */
    public Power(ClusterState state, MachineProvider provider, Journal journal, Emitter events) {
        this.cluster = state.spec().name();
        this.provider = provider;
        this.journal = journal;
        this.events = events;
        this.machines = state.machines().values().stream()
                .sorted((a, b) -> a.name().compareTo(b.name()))
                .toList();
    }

    /** Stops all machines; returns when the provider reports each of them as stopped. */
    public void stop() {
        journal.stopping();
        events.step(Step.STOP, machines.size() + " nodes", () -> {
            provider.stop(cluster, machines);
            List<NodeName> running = new ArrayList<>();
            for (Machine machine : machines) {
                MachineState state = provider.state(cluster, machine);
                if (state == MachineState.RUNNING || state == MachineState.STARTING) {
                    running.add(machine.name());
                } else {
                    events.node(machine.name(), NodePhase.STOPPED, "");
                }
            }
            if (!running.isEmpty()) {
                throw new ClusterwrightException("cluster " + cluster + " was not stopped: " + NodeSet.fold(running)
                        + " still run on " + provider.name() + "; stop it again, or destroy it");
            }
        });
        journal.stopped();
    }

    /** Starts all machines, proves each of them and updates the host lists, also when some are not ready. */
    public List<Machine> start(Joining joining) {
        journal.starting();
        events.step(Step.START, machines.size() + " nodes", () -> {
            machines.forEach(machine -> events.node(
                    machine.name(), NodePhase.BOOTING, machine.address().toString()));
            provider.start(cluster, machines);
            List<ClusterwrightException> failed = Joining.each(machines, joining::prove);
            if (!failed.isEmpty()) {
                ClusterwrightException failure = new ClusterwrightException(
                        "cluster " + cluster + " was started, but " + failed.size() + " of " + machines.size()
                                + " nodes are not ready: " + failed.get(0).getMessage()
                                + "; create the cluster again to make them anew, or stop it again",
                        failed.get(0));
                failed.subList(1, failed.size()).forEach(failure::addSuppressed);
                throw failure;
            }
        });
        joining.joinAll(machines);
        joining.startScheduler(machines);
        journal.ready();
        return machines;
    }
}
