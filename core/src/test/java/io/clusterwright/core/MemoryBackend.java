package io.clusterwright.core;

import io.clusterwright.core.RunningCommand.OutputListener;
import io.clusterwright.core.internal.session.SessionResources;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.OperatingSystem;
import io.clusterwright.core.spi.Bootstrap;
import io.clusterwright.core.spi.Machine;
import io.clusterwright.core.spi.NodeBackend;
import io.clusterwright.core.spi.NodeBackend.PackageFeed;
import io.clusterwright.core.spi.NodeTransport;
import io.clusterwright.core.spi.SshKeyPair;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.core.type.NodeSet;
import io.clusterwright.core.type.Secret;
import io.clusterwright.core.type.SshPublicKey;
import io.clusterwright.core.type.UserName;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/** A backend that is loaded as a foreign one would be; it keeps what it was asked to do. */
public final class MemoryBackend implements NodeBackend {
    /** Held by each test class that uses the back end: it is found as a service, so what it remembers belongs to the JVM. */
    static final String LOCK = "io.clusterwright.core.MemoryBackend";

    static final List<String> CALLS = Collections.synchronizedList(new ArrayList<>());
    static final Set<NodeName> SILENT = ConcurrentHashMap.newKeySet();
    static final Map<NodeName, Integer> CONNECTS = new ConcurrentHashMap<>();
    static final Map<NodeName, List<Machine>> TOLD = new ConcurrentHashMap<>();
    static final List<Secret> SCHEDULER_KEYS = new CopyOnWriteArrayList<>();
    static volatile String failing = "";
    static volatile Consumer<String> meanwhile = call -> {};
    private static final AtomicInteger KEYS = new AtomicInteger();

    static void reset() {
        CALLS.clear();
        SILENT.clear();
        CONNECTS.clear();
        TOLD.clear();
        SCHEDULER_KEYS.clear();
        failing = "";
        meanwhile = call -> {};
    }

    @Override
    public OperatingSystem operatingSystem() {
        return OperatingSystem.LINUX;
    }

    @Override
    public NodeTransport openTransport() {
        return new NodeTransport() {
            @Override
            public NodeSession connect(Target target) {
                CONNECTS.merge(target.node(), 1, Integer::sum);
                if (SILENT.contains(target.node())) {
                    throw new NodeUnreachableException(target.node(), target.node() + " does not answer");
                }
                return new MemorySession(target.node(), target.user());
            }

            @Override
            public void close() {}
        };
    }

    @Override
    public SshKeyPair newKeyPair(String comment) {
        String body = Base64.getEncoder().encodeToString(sshString("ssh-ed25519", "key-" + KEYS.incrementAndGet()));
        return new SshKeyPair(
                SshPublicKey.of("ssh-ed25519 " + body + " " + comment), Secret.of("private of " + comment));
    }

    private static byte[] sshString(String type, String rest) {
        byte[] bytes = (type + rest).getBytes(StandardCharsets.US_ASCII);
        byte[] framed = new byte[4 + bytes.length];
        framed[3] = (byte) type.length();
        System.arraycopy(bytes, 0, framed, 4, bytes.length);
        return framed;
    }

    @Override
    public Secret bootstrapData(Bootstrap bootstrap) {
        return Secret.of("bootstrap of " + bootstrap.hostName());
    }

    @Override
    public boolean identify(NodeSession session, Bootstrap own, SshPublicKey used) {
        call("identify " + own.hostName());
        return false;
    }

    @Override
    public void update(NodeSession session, ClusterSpec spec, PackageFeed feed, Consumer<String> progress) {
        call("update");
    }

    @Override
    public void customize(NodeSession session, ClusterSpec spec, PackageFeed feed, Consumer<String> progress) {
        call("customize");
    }

    @Override
    public void deprovision(NodeSession session, ClusterSpec spec, Consumer<String> progress) {
        call("deprovision");
    }

    @Override
    public void awaitPackages(NodeSession session, Duration limit, Consumer<String> progress) {
        call("await packages of " + session.node());
    }

    @Override
    public void join(NodeSession session, ClusterSpec spec, List<Machine> members, Trust trust) {
        TOLD.put(session.node(), members);
        call("join " + session.node() + " of " + members.size());
    }

    @Override
    public void startScheduler(Cluster cluster, Trust trust, Consumer<String> progress) {
        SCHEDULER_KEYS.add(trust.schedulerKey());
        call("scheduler of "
                + NodeSet.fold(cluster.nodes().stream().map(Node::name).toList()));
    }

    private static void call(String what) {
        CALLS.add(what);
        meanwhile.accept(what);
        if (!failing.isEmpty() && what.startsWith(failing)) {
            throw new io.clusterwright.core.type.ClusterwrightException(what + " failed as the test wanted");
        }
    }

    private record MemorySession(NodeName node, UserName user) implements NodeSession, SessionResources.Holder {
        @Override
        public boolean isOpen() {
            return true;
        }

        @Override
        public CommandResult run(Command command) {
            return new CommandResult(node, command, 0, node + "\n", "", Duration.ofMillis(1));
        }

        @Override
        public SessionResources resources() {
            return new SessionResources();
        }

        @Override
        public RunningCommand start(Command command, OutputListener output) {
            throw new IllegalStateException("nothing here streams");
        }

        @Override
        public void write(byte[] content, String remotePath, int mode) {}

        @Override
        public void upload(Path local, String remotePath, int mode) {}

        @Override
        public void download(String remotePath, Path local) {}

        @Override
        public void close() {}
    }
}
