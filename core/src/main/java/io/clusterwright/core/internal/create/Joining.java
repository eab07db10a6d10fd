package io.clusterwright.core.internal.create;

import io.clusterwright.core.ClusterwrightException;
import io.clusterwright.core.cluster.NodeSession;
import io.clusterwright.core.event.NodePhase;
import io.clusterwright.core.internal.session.FanOut;
import io.clusterwright.core.internal.session.Sessions;
import io.clusterwright.core.plan.Step;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spi.Machine;
import io.clusterwright.core.spi.NodeBackend;
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

    /** Does something with each machine, all at once; answers what failed. */
    static List<ClusterwrightException> each(List<Machine> machines, Consumer<Machine> work) {
        return FanOut.each(
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
