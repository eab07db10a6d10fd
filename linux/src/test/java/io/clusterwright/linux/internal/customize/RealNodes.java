package io.clusterwright.linux.internal.customize;

import static org.awaitility.Awaitility.await;

import io.clusterwright.core.Command;
import io.clusterwright.core.NodeSession;
import io.clusterwright.core.NodeUnreachableException;
import io.clusterwright.core.ResourceId;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spi.Bootstrap;
import io.clusterwright.core.spi.ImageSource;
import io.clusterwright.core.spi.Machine;
import io.clusterwright.core.spi.MachineProvider;
import io.clusterwright.core.spi.MachineProvider.MachineOutcome;
import io.clusterwright.core.spi.MachineProvider.MachineRequest;
import io.clusterwright.core.spi.MachineProvider.ResourceLog;
import io.clusterwright.core.spi.NodeBackend.PackageFeed;
import io.clusterwright.core.spi.NodeBackend.Trust;
import io.clusterwright.core.spi.NodeTransport;
import io.clusterwright.core.spi.SshKeyPair;
import io.clusterwright.core.type.ClusterId;
import io.clusterwright.core.type.ImageReference;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.core.type.Secret;
import io.clusterwright.core.type.UserName;
import io.clusterwright.core.type.VmSize;
import io.clusterwright.linux.internal.LinuxBackend;
import io.clusterwright.linux.local.LocalMachines;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/** Real nodes of a cluster on this machine, reached through the backend's own transport; gone when closed. */
public final class RealNodes implements AutoCloseable {
    static final UserName LOGIN = new UserName("azureuser");
    public static final ImageSource THIS_SYSTEM = new ImageSource.Base(new ImageReference.Auto());

    public final LinuxBackend backend = new LinuxBackend();
    final NodeTransport transport = backend.openTransport();
    final SshKeyPair loginKey = backend.newKeyPair("clusterwright-login:test");
    public final Trust trust;
    public final ClusterSpec spec;
    private final ClusterId id;
    public final List<String> progress = Collections.synchronizedList(new ArrayList<>());
    private final Path folder;
    private final MachineProvider machines;
    private final Map<NodeName, NodeSession> sessions = new HashMap<>();

    public RealNodes(String name, String addressSpace, UnaryOperator<ClusterSpec.Builder> more) {
        try {
            folder = Files.createTempDirectory("clusterwright-backend-");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        trust = new Trust(backend.newKeyPair("clusterwright:" + name), loginKey.publicKey(), Secret.of("scheduler"));
        spec = spec(name, addressSpace, more).toBuilder().baseFolder(folder).build();
        id = ClusterId.random(spec.name());
        machines = LocalMachines.builder()
                .runFolder(folder.resolve("run"))
                .storeFolder(folder.resolve("store"))
                .build()
                .open();
        machines.createNetwork(spec, new Silent());
    }

    static ClusterSpec spec(String name, String addressSpace, UnaryOperator<ClusterSpec.Builder> more) {
        return more.apply(ClusterSpec.builder(name)
                        .region("here")
                        .login(login -> login.user(LOGIN))
                        .nodes(nodes -> nodes.count(2).size("Standard_HB120rs_v3"))
                        .network(network -> network.addressSpace(addressSpace)))
                .build();
    }

    Path folder() {
        return folder;
    }

    ImageSource capture(Machine machine, String image) {
        machines.capture(id, machine, image, "", 1);
        return new ImageSource.Captured(image);
    }

    public List<Machine> boot(ImageSource image, int... numbers) {
        List<MachineRequest> requests = new ArrayList<>();
        for (int number : numbers) {
            requests.add(request(image, number));
        }
        List<Machine> made = Collections.synchronizedList(new ArrayList<>());
        AtomicReference<MachineOutcome.Failed> failed = new AtomicReference<>();
        machines.createMachines(spec, requests, new Silent(), outcome -> {
            if (outcome instanceof MachineOutcome.Made one) {
                made.add(one.machine());
            } else {
                failed.set((MachineOutcome.Failed) outcome);
            }
        });
        if (failed.get() != null) {
            throw failed.get().cause();
        }
        made.sort(Comparator.comparing(Machine::name));
        return List.copyOf(made);
    }

    private MachineRequest request(ImageSource image, int number) {
        NodeName name = new NodeName(spec.name() + "-" + number);
        return new MachineRequest(
                name,
                spec.network().subnet().range().address(number),
                new VmSize("Standard_HB120rs_v3"),
                image,
                new Bootstrap(name, LOGIN, List.of(loginKey.publicKey().toString()), backend.newKeyPair(name.value())));
    }

    public PackageFeed feed(Machine machine) {
        return machines.packageFeed(id, machine);
    }

    /** The session to a node as the login user, opened as soon as the node lets us in. */
    public NodeSession session(Machine machine) {
        return sessions.computeIfAbsent(
                machine.name(),
                name -> await().pollInterval(Duration.ofMillis(50))
                        .atMost(Duration.ofSeconds(30))
                        .ignoreException(NodeUnreachableException.class)
                        .until(() -> connect(machine, LOGIN, loginKey), session -> true));
    }

    NodeSession connect(Machine machine, UserName user, SshKeyPair key) {
        return transport.connect(new NodeTransport.Target(
                machine.name(),
                () -> machines.endpoint(id, machine),
                user,
                key,
                machine.hostKey(),
                Duration.ofSeconds(20)));
    }

    public String output(Machine machine, String script) {
        return session(machine).run(Command.shell(script)).orThrow().stdout().strip();
    }

    public String outputAsRoot(Machine machine, String script) {
        return session(machine)
                .run(Command.shell(script).elevate())
                .orThrow()
                .stdout()
                .strip();
    }

    void forget(Machine machine) {
        NodeSession session = sessions.remove(machine.name());
        if (session != null) {
            session.close();
        }
    }

    void delete(Machine machine) {
        forget(machine);
        machines.delete(id, machine.resource());
    }

    @Override
    public void close() throws IOException {
        sessions.values().forEach(NodeSession::close);
        transport.close();
        machines.remaining(id).forEach(resource -> machines.delete(id, resource));
        machines.images().forEach(image -> machines.deleteImage(image.name()));
        machines.close();
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }

    private final class Silent implements ResourceLog {
        @Override
        public ClusterId cluster() {
            return id;
        }

        @Override
        public void creating(ResourceId resource) {}

        @Override
        public void created(ResourceId resource) {}

        @Override
        public void deleted(ResourceId resource) {}
    }
}
