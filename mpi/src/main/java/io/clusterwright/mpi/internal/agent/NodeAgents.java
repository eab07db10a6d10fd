package io.clusterwright.mpi.internal.agent;

import io.clusterwright.core.NodeSession;
import io.clusterwright.core.internal.session.SessionResources;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.mpi.spi.NodeTarget;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** The agents of a session that have nothing to do just now, kept with it. */
public final class NodeAgents implements AutoCloseable {
    /** Two for each of two jobs at once: a launch node has one for the launcher and one for its helper. */
    private static final int KEPT = 4;

    private static final Duration GONE = Duration.ofSeconds(1);

    private final NodeSession session;
    private final Deque<NodeAgent> idle = new ArrayDeque<>();
    private boolean closed;

    private NodeAgents(NodeSession session) {
        this.session = session;
    }

    public static NodeAgents of(NodeSession session) {
        return SessionResources.of(session).get(NodeAgents.class, () -> new NodeAgents(session));
    }

    /**
     * Takes one for a job, whose connection is opened again when it breaks.
     *
     * @throws io.clusterwright.core.NodeUnreachableException when the node does not answer
     */
    public static NodeAgent take(NodeTarget target, NodeName node) {
        NodeAgent agent = of(target.session(node)).take();
        agent.keep(() -> target.session(node));
        return agent;
    }

    /**
     * One that is ready, or a new one.
     *
     * @throws io.clusterwright.core.NodeUnreachableException when the node does not answer
     */
    public NodeAgent take() {
        synchronized (this) {
            for (NodeAgent one = idle.poll(); one != null; one = idle.poll()) {
                if (one.ready()) {
                    return one;
                }
            }
        }
        return new NodeAgent(session, this);
    }

    /** Keeps it for others if it has done all it was asked for. */
    void giveBack(NodeAgent agent) {
        synchronized (this) {
            if (!closed && idle.size() < KEPT && agent.ready()) {
                idle.push(agent);
                return;
            }
        }
        agent.dismiss();
    }

    @Override
    public void close() {
        List<NodeAgent> left;
        synchronized (this) {
            closed = true;
            left = new ArrayList<>(idle);
            idle.clear();
        }
        left.forEach(NodeAgent::dismiss);
        left.forEach(one -> one.awaitGone(GONE));
    }
}
