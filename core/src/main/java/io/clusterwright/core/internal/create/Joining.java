package io.clusterwright.core.internal.create;

import io.clusterwright.core.NodePhase;
import io.clusterwright.core.NodeSession;
import io.clusterwright.core.internal.concurrent.Tasks;
import io.clusterwright.core.internal.session.Sessions;
import io.clusterwright.core.plan.Step;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.Customization;
import io.clusterwright.core.spec.OperatingSystem;
import io.clusterwright.core.spec.Scheduler;
import io.clusterwright.core.spi.Machine;
import io.clusterwright.core.spi.NodeBackend;
import io.clusterwright.core.type.ClusterwrightException;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Proves that machines are nodes, and tells them of each other.
 *
 * @param spec whose nodes they are
 */
public record Joining(ClusterSpec spec, NodeBackend backend, Sessions sessions, Keys keys, Emitter events) {

    /** Waits until a command ran on the machine over a session with its pinned host key. */
    void prove(Machine machine) {
        sessions.awaitReady(machine, spec.login().user(), spec.nodes().deadline());
        events.node(machine.name(), NodePhase.READY, "");
    }

    /** Tells one machine of all members. */
    void join(Machine machine, List<Machine> members) {
        NodeSession session = sessions.session(machine, spec.login().user());
        backend.join(session, spec, members, keys.trust());
        events.node(machine.name(), NodePhase.JOINED, "");
    }

    /** Tells all members of each other. */
    void joinAll(List<Machine> members) {
        events.step(
                Step.JOIN,
                members.size() + " nodes",
                () -> each(members, machine -> join(machine, members)).forEach(failure -> {
                    throw failure;
                }));
    }

    /** Whether the nodes get a scheduler: the description may name one that nobody carries out, which is a finding of its own. */
    static boolean runsSlurm(ClusterSpec spec) {
        return spec.scheduler() == Scheduler.SLURM && spec.operatingSystem() == OperatingSystem.LINUX;
    }

    /** Whether nodes need more than their base image has. */
    static boolean changesImage(ClusterSpec spec) {
        return runsSlurm(spec)
                || !spec.image().customize().equals(Customization.builder().build());
    }

    /** Makes the scheduler, where the description names one, know these members and no others. */
    void startScheduler(List<Machine> members) {
        if (runsSlurm(spec)) {
            events.step(
                    Step.SCHEDULER,
                    spec.scheduler() + " on " + members.size() + " nodes",
                    () -> backend.startScheduler(
                            sessions.cluster(spec, members),
                            keys.trust(),
                            line -> events.progress(Step.SCHEDULER, line)));
        }
    }

    /** Does something with each machine, all at once; answers what failed. */
    static List<ClusterwrightException> each(List<Machine> machines, Consumer<Machine> work) {
        return Tasks.each(
                        "join",
                        64,
                        machines,
                        machine -> {
                            work.accept(machine);
                            return Optional.<ClusterwrightException>empty();
                        },
                        (machine, cause) -> Optional.of(
                                cause instanceof ClusterwrightException known
                                        ? known
                                        : new ClusterwrightException(machine.name() + ": " + cause, cause)))
                .stream()
                .flatMap(Optional::stream)
                .toList();
    }
}
