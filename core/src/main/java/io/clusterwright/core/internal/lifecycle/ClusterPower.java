package io.clusterwright.core.internal.lifecycle;

import io.clusterwright.core.ClusterEvent.NodePhase;
import io.clusterwright.core.ClusterSummary.ClusterPhase;
import io.clusterwright.core.MachineState;
import io.clusterwright.core.NodesFailedException;
import io.clusterwright.core.internal.state.ClusterState;
import io.clusterwright.core.internal.state.Journal;
import io.clusterwright.core.plan.Step;
import io.clusterwright.core.spi.Machine;
import io.clusterwright.core.spi.MachineProvider;
import io.clusterwright.core.type.ClusterId;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.core.type.NodeSet;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Stops and starts the machines of a cluster. */
final class ClusterPower {
    private ClusterPower() {}

    /** Stops all machines, a separate head node last; returns when the provider reports each of them as stopped. */
    static void stop(ClusterState state, MachineProvider provider, Journal journal, EventEmitter events) {
        ClusterId cluster = state.id();
        List<Machine> machines = machines(state);
        journal.phase(ClusterPhase.STOPPING);
        events.step(Step.STOP, machines.size() + " nodes", () -> {
            List<List<Machine>> batches = new ArrayList<>(ClusterWork.headFirst(state.spec(), machines));
            Collections.reverse(batches);
            batches.forEach(batch -> provider.stop(cluster, batch));
            List<NodeName> running = new ArrayList<>();
            for (Machine machine : machines) {
                MachineState now = provider.state(cluster, machine);
                if (now == MachineState.RUNNING || now == MachineState.STARTING) {
                    running.add(machine.name());
                } else {
                    events.node(machine.name(), NodePhase.STOPPED, "");
                }
            }
            if (!running.isEmpty()) {
                throw new ClusterwrightException(
                        "cluster " + cluster.name() + " was not stopped: " + NodeSet.fold(running) + " still run on "
                                + provider.name() + "; run: clusterwright stop " + cluster.name()
                                + ", or: clusterwright destroy " + cluster.name()
                                + " (ClusterManager.destroy)");
            }
        });
        journal.phase(ClusterPhase.STOPPED);
    }

    /** Starts all machines, a separate head node first, proves each of them and updates the host lists. */
    static List<Machine> start(ClusterState state, ClusterWork work) {
        List<Machine> machines = machines(state);
        work.journal.phase(ClusterPhase.STARTING);
        work.events.step(Step.START, machines.size() + " nodes", () -> {
            machines.forEach(machine -> work.events.node(
                    machine.name(), NodePhase.BOOTING, machine.address().toString()));
            Map<NodeName, ClusterwrightException> failed = new LinkedHashMap<>();
            for (List<Machine> batch : ClusterWork.headFirst(state.spec(), machines)) {
                if (failed.isEmpty()) {
                    work.provider.start(work.cluster(), batch);
                    ClusterWork.each("join", batch, Machine::name, work::prove)
                            .forEach((machine, e) -> failed.put(machine.name(), e));
                }
            }
            if (!failed.isEmpty()) {
                throw new NodesFailedException(
                        "cluster " + work.spec.name() + " was started, but " + failed.size() + " of " + machines.size()
                                + " nodes are not ready: "
                                + failed.values().iterator().next().getMessage()
                                + "; repair the nodes and run start again, or replace them: clusterwright create SPEC --on "
                                + work.provider.name()
                                + " --replace-unreachable (CreateOptions.replaceUnreachable), or stop it again",
                        failed);
            }
        });
        work.joinAll(machines);
        work.startScheduler(machines);
        work.journal.phase(ClusterPhase.READY);
        return machines;
    }

    private static List<Machine> machines(ClusterState state) {
        return state.machines().values().stream()
                .sorted(Comparator.comparing(Machine::name))
                .toList();
    }
}
