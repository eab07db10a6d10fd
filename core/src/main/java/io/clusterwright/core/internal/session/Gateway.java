package io.clusterwright.core.internal.session;

import io.clusterwright.core.NodeSession;
import io.clusterwright.core.NodeUnreachableException;
import io.clusterwright.core.internal.concurrent.Deadline;
import io.clusterwright.core.internal.concurrent.WaitTime;
import io.clusterwright.core.spi.Machine;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.core.type.OperationInterruptedException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The session to a node from which others are dialled: one connection for all of them, apart from the sessions in which commands run
 * there. Where several wait for it, one dials, and all who waited get its failure.
 */
final class Gateway implements AutoCloseable {
    private static final Duration TURN = Duration.ofMinutes(2);

    private final NodeName name;
    private final Map<NodeName, Machine> machines;
    private final Function<Machine, NodeSession> dial;
    private final ReentrantLock dialling = new ReentrantLock();
    private final AtomicReference<@Nullable NodeUnreachableException> failure = new AtomicReference<>();
    private volatile @Nullable Open open;

    /** The gateway of this name, when it is among these machines. */
    Gateway(NodeName name, Map<NodeName, Machine> machines, Function<Machine, NodeSession> dial) {
        this.name = name;
        this.machines = machines;
        this.dial = dial;
    }

    /** The session, for someone who wants to reach a node. */
    NodeSession session(NodeName node) {
        NodeUnreachableException before = failure.get();
        lock(node);
        try {
            Machine machine = machines.get(name);
            if (machine == null) {
                throw new NodeUnreachableException(node, "the gateway " + name + " of " + node + " does not exist yet");
            }
            Open last = open;
            if (last != null && last.session.isOpen() && last.machine.equals(machine)) {
                return last.session;
            }
            NodeUnreachableException meanwhile = failure.get();
            if (meanwhile != null && meanwhile != before) {
                throw through(node, meanwhile);
            }
            close();
            NodeSession session = dial.apply(machine);
            open = new Open(machine, session);
            return session;
        } catch (NodeUnreachableException e) {
            if (e.node().equals(name)) {
                failure.set(e);
                throw through(node, e);
            }
            throw e;
        } finally {
            dialling.unlock();
        }
    }

    private static NodeUnreachableException through(NodeName node, NodeUnreachableException cause) {
        return new NodeUnreachableException(
                node,
                "the gateway " + cause.node() + " of " + node + " cannot be reached: " + cause.getMessage(),
                cause);
    }

    private void lock(NodeName node) {
        try {
            if (!WaitTime.await(TURN, nanos -> dialling.tryLock(nanos, TimeUnit.NANOSECONDS))) {
                throw new NodeUnreachableException(
                        node,
                        "no connection to " + name + ", the gateway of " + node + ", within " + Deadline.text(TURN));
            }
        } catch (InterruptedException e) {
            throw new OperationInterruptedException("interrupted while waiting for " + name, e);
        }
    }

    @Override
    public void close() {
        Open last = open;
        open = null;
        if (last != null) {
            last.session.close();
        }
    }

    private record Open(Machine machine, NodeSession session) {}
}
