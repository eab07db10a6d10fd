package io.clusterwright.core.internal.lifecycle;

import io.clusterwright.core.ClusterEvent.NodePhase;
import io.clusterwright.core.NodeSession;
import io.clusterwright.core.internal.concurrent.Tasks;
import io.clusterwright.core.internal.planning.ImageRecipe;
import io.clusterwright.core.internal.session.FanOut;
import io.clusterwright.core.internal.session.Sessions;
import io.clusterwright.core.plan.Step;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spi.Machine;
import io.clusterwright.core.spi.NodeBackend;
import io.clusterwright.core.type.ClusterwrightException;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Proves that machines are nodes, and makes them know each other.
 *
 * @param spec whose nodes they are
 */
public record Joining(ClusterSpec spec, NodeBackend backend, Sessions sessions, Keys keys, Emitter events) {

    /** Waits until a command ran on the machine over a session with its pinned host key. */
    void prove(Machine machine) {
        sessions.awaitReady(machine, spec.login().user(), spec.nodes().deadline());
        events.node(machine.name(), NodePhase.READY, "");
    }

    /** Gives one machine the host list of all members. */
    void join(Machine machine, List<Machine> members) {
        NodeSession session = sessions.session(machine, spec.login().user());
        backend.join(session, spec, members, keys.trust());
        events.node(machine.name(), NodePhase.JOINED, "");
    }

    /** Gives all members the host list of all members. */
    void joinAll(List<Machine> members) {
        events.step(
                Step.JOIN,
                members.size() + " nodes",
                () -> each(members, machine -> join(machine, members)).forEach(failure -> {
                    throw failure;
                }));
    }

    /** Configures the scheduler of the spec, if any, with exactly these members. */
    void startScheduler(List<Machine> members) {
        if (ImageRecipe.installsSlurm(spec)) {
            events.step(
                    Step.SCHEDULER,
                    spec.scheduler() + " on " + members.size() + " nodes",
                    () -> backend.startScheduler(
                            sessions.cluster(spec, members),
                            keys.trust(),
                            line -> events.progress(Step.SCHEDULER, line)));
        }
    }

    /** Works on all machines in parallel; returns the failures. */
    static List<ClusterwrightException> each(List<Machine> machines, Consumer<Machine> work) {
        return Tasks.each(
                        "join",
                        FanOut.LIMIT,
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
