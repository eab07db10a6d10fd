package io.clusterwright.azure;

import io.clusterwright.core.NodeSession;
import io.clusterwright.core.NodeUnreachableException;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.OperatingSystem;
import io.clusterwright.core.spi.Bootstrap;
import io.clusterwright.core.spi.Machine;
import io.clusterwright.core.spi.NodeBackend;
import io.clusterwright.core.spi.NodeBackend.PackageFeed;
import io.clusterwright.core.spi.NodeTransport;
import io.clusterwright.core.spi.SshKeyPair;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.core.type.Secret;
import io.clusterwright.core.type.SshPublicKey;
import io.clusterwright.linux.internal.LinuxBackend;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** A backend for hundreds of nodes that do not exist: it keeps who was given which identity, with which key. */
final class FirstContact implements NodeBackend {
    final Map<NodeName, SshPublicKey> identities = new ConcurrentHashMap<>();
    final Set<SshPublicKey> dialledWith = ConcurrentHashMap.newKeySet();
    final Set<String> silentAddresses = ConcurrentHashMap.newKeySet();
    final Map<NodeName, String> dialled = new ConcurrentHashMap<>();
    private final LinuxBackend linux = new LinuxBackend();

    @Override
    public OperatingSystem operatingSystem() {
        return OperatingSystem.LINUX;
    }

    @Override
    public NodeTransport openTransport() {
        return new NodeTransport() {
            @Override
            public NodeSession connect(Target target) {
                if (silentAddresses.contains(target.endpoint().get().host())) {
                    throw new NodeUnreachableException(target.node(), "nobody answers");
                }
                dialledWith.add(target.identity().publicKey());
                boolean inside = target.gateway().map(Supplier::get).isPresent();
                dialled.put(
                        target.node(),
                        (inside ? "inside " : "") + target.endpoint().get());
                return session();
            }

            @Override
            public void close() {}
        };
    }

    static NodeSession session() {
        return (NodeSession) Proxy.newProxyInstance(
                NodeSession.class.getClassLoader(), new Class<?>[] {NodeSession.class}, (proxy, method, args) -> null);
    }

    @Override
    public SshKeyPair newKeyPair(String comment) {
        return linux.newKeyPair(comment);
    }

    @Override
    public Secret bootstrapData(Bootstrap bootstrap) {
        return linux.bootstrapData(bootstrap);
    }

    @Override
    public boolean identify(NodeSession session, Bootstrap own, SshPublicKey used) {
        identities.put(own.hostName(), own.hostKey().publicKey());
        return false;
    }

    @Override
    public void update(NodeSession session, ClusterSpec spec, PackageFeed feed, Consumer<String> progress) {
        throw new IllegalStateException("not asked for here");
    }

    @Override
    public void customize(NodeSession session, ClusterSpec spec, PackageFeed feed, Consumer<String> progress) {
        throw new IllegalStateException("not asked for here");
    }

    @Override
    public void deprovision(NodeSession session, ClusterSpec spec, Consumer<String> progress) {
        throw new IllegalStateException("not asked for here");
    }

    @Override
    public void join(NodeSession session, ClusterSpec spec, List<Machine> members, Trust trust) {
        throw new IllegalStateException("not asked for here");
    }
}
