package io.clusterwright.core.internal.lifecycle;

import io.clusterwright.core.MachineState;
import io.clusterwright.core.NodeUnreachableException;
import io.clusterwright.core.NodesFailedException;
import io.clusterwright.core.plan.Step;
import io.clusterwright.core.spi.Machine;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.core.type.NodeSet;
import io.clusterwright.core.type.OperationInterruptedException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * Finds out which machines of an existing cluster answer. One that is stopped is started first. One that its provider reports as absent or
 * failed is to be replaced; one that runs and does not answer may only be out of this client's reach, and is not. Used once.
 */
final class NodeSurvey {
    private static final Duration STILL_THERE = Duration.ofSeconds(10);
    private static final int MOST_REASONS = 5;

    private final ClusterWork work;
    private final boolean asleep;
    private final Queue<Machine> answering = new ConcurrentLinkedQueue<>();
    private final Map<NodeName, ClusterwrightException> silent = new ConcurrentSkipListMap<>();

    /**
     * A survey.
     *
     * @param asleep whether the machines were stopped on purpose, so that all of them are started and get the time of a boot
     */
    NodeSurvey(ClusterWork work, boolean asleep) {
        this.work = work;
        this.asleep = asleep;
    }

    /**
     * The machines that answer. The others are to be replaced.
     *
     * @param replaceUnreachable whether that is meant for machines as well that exist and do not answer
     * @throws NodesFailedException when there are such machines and it is not; nothing was deleted
     */
    List<Machine> answering(List<Machine> machines, boolean replaceUnreachable) {
        Queue<Machine> stopped = new ConcurrentLinkedQueue<>();
        Queue<Machine> there = new ConcurrentLinkedQueue<>();
        ClusterWork.requireNone(ClusterWork.each("examine", machines, Machine::name, machine -> {
            MachineState state = work.provider.state(work.cluster(), machine);
            if (state == MachineState.STOPPED) {
                stopped.add(machine);
            }
            if (exists(state)) {
                there.add(machine);
            }
        }));
        start(asleep ? there : stopped);
        Set<Machine> started = asleep ? Set.of() : Set.copyOf(stopped);
        Consumer<Machine> examine = machine -> {
            if (!silent.containsKey(machine.name())) {
                examine(machine, asleep || started.contains(machine));
            }
        };
        Set<NodeName> gateways = machines.stream()
                .flatMap(machine -> work.provider.gateway(work.spec, machine.name()).stream())
                .collect(Collectors.toSet());
        there.stream()
                .filter(machine -> gateways.contains(machine.name()))
                .toList()
                .forEach(examine);
        List<Machine> others = there.stream()
                .filter(machine -> !gateways.contains(machine.name()))
                .toList();
        if (answering.size() < gateways.size() && (silent.isEmpty() || replaceUnreachable)) {
            // The way to them is made anew; what is behind it cannot be judged before that, and is not replaced for it.
            answering.addAll(others);
        } else {
            ClusterWork.requireNone(ClusterWork.each("examine", others, Machine::name, examine));
        }
        if (!silent.isEmpty() && !replaceUnreachable) {
            throw new NodesFailedException(refusal(), silent);
        }
        silent.forEach((node, reason) -> work.sessions.drop(node));
        return answering.stream().sorted((a, b) -> a.name().compareTo(b.name())).toList();
    }

    private static boolean exists(MachineState state) {
        return state != MachineState.ABSENT && state != MachineState.FAILED;
    }

    private void start(Collection<Machine> machines) {
        if (machines.isEmpty()) {
            return;
        }
        try {
            work.events.step(
                    Step.START,
                    machines.size() + " nodes",
                    () -> ClusterWork.headFirst(work.spec, machines)
                            .forEach(batch -> work.provider.start(work.cluster(), batch)));
        } catch (OperationInterruptedException e) {
            throw e;
        } catch (ClusterwrightException e) {
            for (Machine machine : machines) {
                if (work.provider.state(work.cluster(), machine) == MachineState.STOPPED) {
                    silent.put(machine.name(), new ClusterwrightException("it is stopped: " + e.getMessage(), e));
                }
            }
        }
    }

    private void examine(Machine machine, boolean booting) {
        Duration boot = work.spec.nodes().deadline();
        Duration patience = booting || boot.compareTo(STILL_THERE) < 0 ? boot : STILL_THERE;
        try {
            work.sessions.awaitReady(machine, work.spec.login().user(), patience);
            answering.add(machine);
        } catch (NodeUnreachableException e) {
            if (exists(work.provider.state(work.cluster(), machine))) {
                silent.put(machine.name(), e);
            }
        }
    }

    private String refusal() {
        StringBuilder text = new StringBuilder()
                .append(NodeSet.fold(silent.keySet()))
                .append(silent.size() == 1 ? " exists and does not answer" : " exist and do not answer");
        silent.entrySet().stream()
                .limit(MOST_REASONS)
                .forEach(node ->
                        text.append("; ").append(node.getKey()).append(": ").append(reason(node.getValue())));
        return text.append(". See whether this machine reaches ")
                .append(silent.size() == 1 ? "it" : "them")
                .append(" (VPN, firewall, allowed addresses) and try again, or replace ")
                .append(silent.size() == 1 ? "it with its disk" : "them with their disks")
                .append(": add --replace-unreachable to the command (CreateOptions.replaceUnreachable)")
                .toString();
    }

    /** The last answer rather than the time that was waited for it. */
    private static String reason(ClusterwrightException failure) {
        return failure instanceof NodeUnreachableException && failure.getCause() instanceof ClusterwrightException last
                ? String.valueOf(last.getMessage())
                : String.valueOf(failure.getMessage());
    }
}
