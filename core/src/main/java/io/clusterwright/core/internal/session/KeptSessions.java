package io.clusterwright.core.internal.session;

import io.clusterwright.core.Cluster.SessionSource;
import io.clusterwright.core.NodeSession;
import io.clusterwright.core.internal.concurrent.Tasks;
import io.clusterwright.core.spi.NodeTransport;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.core.type.UserName;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Sessions to nodes: opened when first needed, kept, and opened again when their connection was lost. */
public final class KeptSessions implements SessionSource {
    private final NodeTransport transport;
    private final BiFunction<NodeName, UserName, NodeSession> opener;
    private final Map<NodeName, Map<UserName, Kept>> all = new ConcurrentHashMap<>();

    /** Sessions that this function opens over this transport, which {@link #close} closes. */
    public KeptSessions(NodeTransport transport, BiFunction<NodeName, UserName, NodeSession> opener) {
        this.transport = transport;
        this.opener = opener;
    }

    @Override
    public NodeSession session(NodeName node, UserName user) {
        return session(node, user, () -> open(node, user));
    }

    /** Returns the sessions with another login. */
    NodeSession session(NodeName node, UserName user, Supplier<NodeSession> logIn) {
        Kept kept =
                all.computeIfAbsent(node, name -> new ConcurrentHashMap<>()).computeIfAbsent(user, name -> new Kept());
        // One login at a time for each node and user, side by side for different nodes.
        Tasks.interruptibly(
                "interrupted while another login to " + node + " was in progress",
                () -> kept.loggingIn.lockInterruptibly());
        try {
            NodeSession session = kept.session;
            if (session == null || !session.isOpen()) {
                kept.close();
                session = logIn.get();
                kept.session = session;
            }
            return session;
        } finally {
            kept.loggingIn.unlock();
        }
    }

    /** The session to a node as a user, if it is open already. */
    public Optional<NodeSession> ifOpen(NodeName node, UserName user) {
        Kept kept = all.getOrDefault(node, Map.of()).get(user);
        return Optional.ofNullable(kept == null ? null : kept.session).filter(NodeSession::isOpen);
    }

    @Override
    public NodeSession open(NodeName node, UserName user) {
        return opener.apply(node, user);
    }

    /** Closes the sessions to a node. */
    public void drop(NodeName node) {
        all.getOrDefault(node, Map.of()).values().forEach(Kept::close);
    }

    @Override
    public void close() {
        close(() -> {});
    }

    /**
     * Closes all sessions side by side, as one of a node that answers no more takes seconds; and then the transport.
     *
     * @param between done between the two
     */
    void close(Runnable between) {
        List<Kept> open = all.values().stream()
                .flatMap(ofNode -> ofNode.values().stream())
                .filter(kept -> kept.session != null)
                .toList();
        try {
            if (!open.isEmpty()) {
                Tasks.uninterruptibly(() -> {
                    Tasks.interruptibly("closed", () -> Tasks.forEach("close", FanOut.LIMIT, open, Kept::close));
                    return open;
                });
            }
            between.run();
        } finally {
            transport.close();
        }
    }

    private static final class Kept {
        private final ReentrantLock loggingIn = new ReentrantLock();
        private volatile @Nullable NodeSession session;

        void close() {
            NodeSession last = session;
            if (last != null) {
                session = null;
                last.close();
            }
        }
    }
}
