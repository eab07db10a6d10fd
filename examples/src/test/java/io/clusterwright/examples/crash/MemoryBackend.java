package io.clusterwright.examples.crash;

import io.clusterwright.core.Cluster;
import io.clusterwright.core.Command;
import io.clusterwright.core.CommandResult;
import io.clusterwright.core.Node;
import io.clusterwright.core.NodeSession;
import io.clusterwright.core.NodeUnreachableException;
import io.clusterwright.core.internal.session.SessionResources;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.OperatingSystem;
import io.clusterwright.core.spi.Bootstrap;
import io.clusterwright.core.spi.Machine;
import io.clusterwright.core.spi.NodeBackend;
import io.clusterwright.core.spi.NodeTransport;
import io.clusterwright.core.spi.SshKeyPair;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.core.type.Secret;
import io.clusterwright.core.type.SshPublicKey;
import io.clusterwright.core.type.UserName;
import io.clusterwright.linux.internal.LinuxBackend;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Function;

/** Linux on the machines of a {@link MachineRoom}: each step changes the disk of its node, and is an effect of its process. */
public final class MemoryBackend implements NodeBackend {
    private static final String STEP = "step";
    /** The steps that are being made, in all worlds: a session may be told of one again. */
    private static final Map<String, Consumer<Disk>> STEPS = new ConcurrentHashMap<>();

    private static final AtomicLong NUMBER = new AtomicLong();

    private final LinuxBackend linux = new LinuxBackend();

    /** A backend for the threads of a {@link SimulatedProcess}, and for the machines of its cloud. */
    public MemoryBackend() {}

    @Override
    public OperatingSystem operatingSystem() {
        return OperatingSystem.LINUX;
    }

    @Override
    public NodeTransport openTransport() {
        SimulatedProcess process = SimulatedProcess.current().orElseThrow();
        MachineRoom room = process.world().machines();
        return new NodeTransport() {
            @Override
            public NodeSession connect(Target target) {
                process.requireAlive();
                int connection = process.connect(target.node());
                String address = target.endpoint().get().host();
                return room.on(target.node(), address, disk -> {
                    if (!target.hostKey().equals(disk.hostKey)) {
                        throw new NodeUnreachableException(target.node(), target.node() + " shows another host key");
                    }
                    if (disk.deprovisioned
                            || disk.loginKeys.stream()
                                    .noneMatch(target.identity().publicKey()::sameKey)) {
                        throw new NodeUnreachableException(target.node(), target.node() + " refuses the login");
                    }
                    return new Session(target.node(), target.user(), address, room, process, connection);
                });
            }

            @Override
            public void close() {}
        };
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
        step(session, "identify", disk -> {
            disk.name = own.hostName();
            disk.hostKey = own.hostKey().publicKey();
            disk.loginKeys.removeIf(used::sameKey);
        });
        return false;
    }

    @Override
    public void update(NodeSession session, ClusterSpec spec, PackageFeed feed, Consumer<String> progress) {
        step(session, "update", disk -> {});
    }

    @Override
    public void customize(NodeSession session, ClusterSpec spec, PackageFeed feed, Consumer<String> progress) {
        step(session, "begin customisation", disk -> disk.customising = true);
        step(session, "customise", disk -> {
            disk.customising = false;
            disk.customised = true;
        });
    }

    @Override
    public void deprovision(NodeSession session, ClusterSpec spec, Consumer<String> progress) {
        step(session, "deprovision", disk -> disk.deprovisioned = true);
    }

    @Override
    public void join(NodeSession session, ClusterSpec spec, List<Machine> members, Trust trust) {
        List<String> all =
                members.stream().map(member -> member.name().value()).sorted().toList();
        step(session, "join", disk -> disk.members = all);
    }

    @Override
    public void startScheduler(Cluster cluster, Trust trust, Consumer<String> progress) {
        List<String> all = cluster.nodes().stream()
                .map(node -> node.name().value())
                .sorted()
                .toList();
        for (Node node : cluster.nodes()) {
            step(cluster.session(node.name()), "schedule", disk -> disk.scheduled = all);
        }
    }

    private static void step(NodeSession session, String what, Consumer<Disk> change) {
        String id = what + " #" + NUMBER.incrementAndGet();
        STEPS.put(id, change);
        try {
            session.run(Command.of(STEP, id));
        } finally {
            STEPS.remove(id);
        }
    }

    private record Session(
            NodeName node,
            UserName user,
            String address,
            MachineRoom room,
            SimulatedProcess process,
            SessionResources resources,
            AtomicBoolean closed,
            int connection)
            implements StubSession, SessionResources.Holder {

        Session(
                NodeName node,
                UserName user,
                String address,
                MachineRoom room,
                SimulatedProcess process,
                int connection) {
            this(node, user, address, room, process, new SessionResources(), new AtomicBoolean(), connection);
        }

        <T> T effect(String what, Function<Disk, T> use) {
            return process.effect(new Effect(Effect.Kind.NODE, what), () -> room.on(node, address, use));
        }

        @Override
        public boolean isOpen() {
            return !closed.get() && connection == process.connections();
        }

        @Override
        public CommandResult run(Command command) {
            process.requireAlive();
            if (!isOpen()) {
                throw new NodeUnreachableException(node, "the connection to " + node + " is closed");
            }
            String program = command.arguments().get(0);
            String output = switch (program) {
                case "hostname" -> process.read(() -> room.on(node, address, disk -> disk.name + "\n"));
                case STEP -> step(command.arguments().get(1));
                default -> effect("run " + program, disk -> "");
            };
            return new CommandResult(node, command, 0, output, "", Duration.ofMillis(1));
        }

        private String step(String id) {
            Consumer<Disk> change = STEPS.get(id);
            return effect(id.substring(0, id.indexOf(" #")), disk -> {
                change.accept(disk);
                return "";
            });
        }

        @Override
        public void close() {
            closed.set(true);
        }
    }
}
