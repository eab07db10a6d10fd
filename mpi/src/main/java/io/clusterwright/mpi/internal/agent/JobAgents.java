package io.clusterwright.mpi.internal.agent;

import io.clusterwright.core.NodeSession;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.mpi.Leftovers;
import io.clusterwright.mpi.spi.NodeTarget;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** The attendants that one job has on its nodes, at most one on each. Safe for use by several threads. */
final class JobAgents implements AutoCloseable {
    private final NodeTarget target;
    private final Map<NodeName, Held> held = new HashMap<>();
    private boolean closed;

    JobAgents(NodeTarget target) {
        this.target = target;
    }

    /**
     * Takes one on a node.
     *
     * @throws io.clusterwright.core.NodeUnreachableException when the node does not answer
     */
    NodeAgent take(NodeName node) {
        NodeSession session = target.session(node);
        NodeAgents origin = NodeAgents.of(session);
        NodeAgent attendant = origin.take();
        synchronized (this) {
            if (!closed) {
                held.put(node, new Held(attendant, origin));
                return attendant;
            }
        }
        attendant.dismiss();
        throw new ClusterwrightException("the job ended before its part on " + node + " began");
    }

    /** The one on a node, if there is. */
    synchronized Optional<NodeAgent> on(NodeName node) {
        return Optional.ofNullable(held.get(node)).map(Held::attendant);
    }

    /** What they count, of those that do in this time. */
    Map<NodeName, Leftovers> answers(Duration limit) {
        long deadline = System.nanoTime() + limit.toNanos();
        Map<NodeName, Leftovers> answers = new LinkedHashMap<>();
        all().forEach((node, attendant) -> attendant
                .answer(Duration.ofNanos(Math.max(0, deadline - System.nanoTime())))
                .ifPresent(answer -> answers.put(node, answer)));
        return answers;
    }

    /** All by their nodes. */
    synchronized Map<NodeName, NodeAgent> all() {
        Map<NodeName, NodeAgent> all = new LinkedHashMap<>();
        held.forEach((node, one) -> all.put(node, one.attendant));
        return all;
    }

    /** Lets go of all: those that are done are kept for other jobs; what the others have of this one is ended. */
    @Override
    public void close() {
        Map<NodeName, Held> left;
        synchronized (this) {
            closed = true;
            left = new HashMap<>(held);
            held.clear();
        }
        left.values().forEach(one -> one.origin.giveBack(one.attendant));
    }

    private record Held(NodeAgent attendant, NodeAgents origin) {}
}
