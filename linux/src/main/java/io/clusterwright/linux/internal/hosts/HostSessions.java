package io.clusterwright.linux.internal.hosts;

import io.clusterwright.core.Cluster.SessionSource;
import io.clusterwright.core.NodeSession;
import io.clusterwright.core.spi.Endpoint;
import io.clusterwright.core.spi.NodeTransport;
import io.clusterwright.core.spi.SshKeyPair;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.core.type.SshPublicKey;
import io.clusterwright.core.type.UserName;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/** Sessions to existing hosts, opened when first needed and kept. */
public final class HostSessions implements SessionSource {
    private final NodeTransport transport;
    private final SshKeyPair identity;
    private final Duration timeout;
    private final Map<NodeName, Host> hosts;
    private final Map<Key, Kept> kept = new HashMap<>();

    /** Sessions over this transport, which {@link #close} closes. */
    public HostSessions(NodeTransport transport, SshKeyPair identity, Duration timeout, Map<NodeName, Host> hosts) {
        this.transport = transport;
        this.identity = identity;
        this.timeout = timeout;
        this.hosts = Map.copyOf(hosts);
    }

    @Override
    public NodeSession session(NodeName node, UserName user) {
        Kept one;
        synchronized (kept) {
            one = kept.computeIfAbsent(new Key(node, user), key -> new Kept());
        }
        // One log-in at a time for each node and user, side by side for different nodes.
        synchronized (one) {
            NodeSession session = one.session;
            if (session == null || !session.isOpen()) {
                session = open(node, user);
                one.session = session;
            }
            return session;
        }
    }

    @Override
    public NodeSession open(NodeName node, UserName user) {
        Host host = Objects.requireNonNull(hosts.get(node), () -> "no host " + node);
        return transport.connect(new NodeTransport.Target(node, host::endpoint, user, identity, host.key(), timeout));
    }

    @Override
    public void close() {
        synchronized (kept) {
            kept.values().forEach(one -> {
                NodeSession session = one.session;
                if (session != null) {
                    session.close();
                }
            });
            kept.clear();
        }
        transport.close();
    }

    /**
     * The address of a host and its key.
     *
     * @param endpoint the address to dial
     * @param key the only host key accepted
     */
    public record Host(Endpoint endpoint, SshPublicKey key) {}

    private record Key(NodeName node, UserName user) {}

    private static final class Kept {
        private volatile @org.jspecify.annotations.Nullable NodeSession session;
    }
}
