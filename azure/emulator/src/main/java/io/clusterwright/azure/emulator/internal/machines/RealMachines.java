package io.clusterwright.azure.emulator.internal.machines;

import static io.clusterwright.azure.emulator.internal.arm.ArmException.refuse;

import io.clusterwright.azure.emulator.internal.arm.ArmException;
import io.clusterwright.azure.emulator.internal.arm.BackingMachines;
import io.clusterwright.azure.emulator.internal.arm.ResourcePath;
import io.clusterwright.core.Command;
import io.clusterwright.core.CommandResult;
import io.clusterwright.core.NodeSession;
import io.clusterwright.core.NodeUnreachableException;
import io.clusterwright.core.internal.concurrent.Threads;
import io.clusterwright.core.spec.OperatingSystem;
import io.clusterwright.core.spi.Bootstrap;
import io.clusterwright.core.spi.ImageSource;
import io.clusterwright.core.spi.MachineHost;
import io.clusterwright.core.spi.MachineProvider.MachineRequest;
import io.clusterwright.core.spi.NodeBackend;
import io.clusterwright.core.spi.NodeTransport;
import io.clusterwright.core.spi.SshKeyPair;
import io.clusterwright.core.type.ClusterId;
import io.clusterwright.core.type.ClusterName;
import io.clusterwright.core.type.ImageReference;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.core.type.UserName;
import io.clusterwright.core.type.VmSize;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Virtual machines on a machine host: a virtual network is a separate network, a captured image a layer. Besides the keys of its
 * owner every machine accepts one of the emulator, which it uses for the work of Azure's agent.
 */
public final class RealMachines implements BackingMachines {
    private static final int PARALLEL = 16;
    private static final int BLOCK = 128;
    private static final int MOST_BLOCKS = 500;
    private static final AtomicLong BLOCKS = new AtomicLong();
    private static final Duration REACHABLE = Duration.ofSeconds(60);
    private static final Duration DIAL = Duration.ofSeconds(5);
    private static final Duration SCRIPT = Duration.ofMinutes(90);

    private final MachineHost host;
    private final NodeBackend backend;
    private final NodeTransport transport;
    private final SshKeyPair agentKey;
    private final ExecutorService threads;
    private final Map<String, Made> machines = new HashMap<>();
    private final Map<String, ClusterId> networks = new HashMap<>();
    private final Set<ClusterId> furnished = new HashSet<>();
    private final Map<String, String> images = new HashMap<>();
    private final Map<String, Bootstrap> sources = new HashMap<>();
    private final @Nullable ResourceLedger ledger;
    private final SshForwarding ways = new SshForwarding();
    private final ConsoleLogs consoles = new ConsoleLogs();
    private final long block = (ProcessHandle.current().pid() + BLOCKS.getAndIncrement()) % MOST_BLOCKS;
    private final MarketplaceImages marketplace;

    /**
     * @param host stays open
     * @param ledger the record of resources that outlive a killed emulator, written before each is created; null for none
     */
    public RealMachines(MachineHost host, @Nullable ResourceLedger ledger) {
        this.host = host;
        this.ledger = ledger;
        this.backend = NodeBackend.of(OperatingSystem.LINUX);
        this.transport = backend.openTransport();
        this.agentKey = backend.newKeyPair("arm-emulator-agent");
        this.threads = Threads.pool("arm-machines", PARALLEL);
        this.marketplace = new MarketplaceImages(host, this::ofEmulator, this::keep);
    }

    private record Made(ClusterName cluster, NodeName node, Bootstrap bootstrap) {}

    @Override
    public void requireSystem(String system) {
        refuse(!system.equals("Linux"), "NotImplemented.system", system);
    }

    @Override
    public CompletableFuture<?> create(Order order) {
        return later(() -> {
            ClusterName cluster = network(order);
            NodeName node = NodeName.of(order.name().toLowerCase(Locale.ROOT));
            CustomData data = CustomData.parse(order.source().customData());
            Bootstrap bootstrap = order.login().user().isEmpty() ? inherited(order) : asked(order, node, data);
            ImageSource image = order.source()
                    .image()
                    .<ImageSource>map(captured -> new ImageSource.Captured(imageName(captured)))
                    .orElseGet(() -> order.source().marketplace().isEmpty()
                            ? new ImageSource.Base(new ImageReference.Auto())
                            : marketplace.of(
                                    cluster,
                                    order,
                                    builder -> connect(new Made(cluster, builder.hostName(), builder))));
            host.create(
                    cluster,
                    new MachineRequest(node, order.place().address(), VmSize.of("Standard_D2s_v5"), image, bootstrap));
            synchronized (machines) {
                machines.put(order.id().key(), new Made(cluster, node, bootstrap));
            }
            if (order.boots()) {
                host.boot(cluster, node);
                if (data.needsCloudInit()) {
                    Output output = runOn(order.id(), Command.shell(data.cloudInitScript()));
                    refuse(output.exit() != 0, "OSProvisioningClientError.customData", output.exit(), output.stderr());
                }
            }
            return null;
        });
    }

    private Bootstrap asked(Order order, NodeName node, CustomData data) {
        List<String> keys = new ArrayList<>(order.login().keys());
        data.keys(order.login().user()).stream()
                .filter(key -> !keys.contains(key))
                .forEach(keys::add);
        keys.add(agentKey.publicKey().toString());
        SshKeyPair hostKey = data.hostKey().orElseGet(() -> backend.newKeyPair(order.name()));
        return new Bootstrap(node, UserName.of(order.login().user()), keys, hostKey);
    }

    private Bootstrap ofEmulator(NodeName node) {
        return new Bootstrap(
                node,
                MarketplaceImages.account(),
                List.of(agentKey.publicKey().toString()),
                backend.newKeyPair(node.value()));
    }

    /** A machine of a specialised image has the name, the account and the keys of the machine that was captured. */
    private Bootstrap inherited(Order order) {
        synchronized (images) {
            return order.source()
                    .image()
                    .map(image -> sources.get(imageName(image)))
                    .orElseThrow(() -> ArmException.of("OSProvisioningClientError.image", order.name()));
        }
    }

    private ClusterName network(Order order) {
        synchronized (networks) {
            ClusterId network = networks.get(order.place().subnetId().key());
            if (network == null) {
                network = ClusterId.random(ClusterName.of(newName()));
                if (ledger != null) {
                    ledger.network(
                            network,
                            order.place().subnetId().toString(),
                            order.place().subnet());
                }
                networks.put(order.place().subnetId().key(), network);
            }
            if (!furnished.contains(network)) {
                host.createNetwork(network, order.place().space(), order.place().subnet());
                furnished.add(network);
            }
            return network.name();
        }
    }

    /** A name that no other emulator on this host uses, whose resources may have the same ids. */
    private static String newName() {
        return "arm-" + UUID.randomUUID().toString().substring(24);
    }

    private String imageName(ResourcePath image) {
        synchronized (images) {
            return images.computeIfAbsent(image.key(), unused -> newName());
        }
    }

    @Override
    public CompletableFuture<?> start(ResourcePath machine) {
        return on(machine, made -> host.boot(made.cluster(), made.node()));
    }

    @Override
    public CompletableFuture<?> stop(ResourcePath machine) {
        return on(machine, made -> host.stop(made.cluster(), made.node()));
    }

    @Override
    public CompletableFuture<?> delete(ResourcePath machine) {
        return on(machine, made -> {
            host.delete(made.cluster(), made.node());
            synchronized (machines) {
                machines.remove(machine.key());
            }
        });
    }

    @Override
    public CompletableFuture<?> deleteNetwork(ResourcePath subnet) {
        return later(() -> {
            synchronized (networks) {
                ClusterId network = networks.get(subnet.key());
                if (network != null) {
                    host.deleteNetwork(network.name());
                    networks.remove(subnet.key());
                    furnished.remove(network);
                    if (ledger != null) {
                        ledger.deleted(network.name());
                    }
                }
            }
            return null;
        });
    }

    @Override
    public CompletableFuture<?> capture(ResourcePath machine, ResourcePath image) {
        return on(machine, made -> {
            String name = imageName(image);
            synchronized (images) {
                sources.put(name, made.bootstrap());
            }
            if (ledger != null) {
                ledger.image(name);
            }
            host.capture(made.cluster(), made.node(), name);
        });
    }

    /** Records the disk of a marketplace image that is about to be made. */
    private void keep(String image) {
        synchronized (images) {
            images.putIfAbsent(image, image);
        }
        if (ledger != null) {
            ledger.image(image);
        }
    }

    @Override
    public CompletableFuture<Output> run(ResourcePath machine, String script) {
        return later(() -> runOn(machine, Command.shell(script)));
    }

    @Override
    public CompletableFuture<Output> run(ResourcePath machine, String script, byte[] input) {
        return later(() -> runOn(machine, Command.of("/bin/sh", "-c", script).input(input)));
    }

    private Output runOn(ResourcePath machine, Command script) {
        Made made = find(machine).orElseThrow(() -> ArmException.notFound(machine));
        try (NodeSession session = connect(made)) {
            CommandResult result = session.run(script.elevate().timeout(SCRIPT));
            return new Output(result.exitStatus(), result.stdout(), result.stderr());
        }
    }

    private NodeSession connect(Made made) {
        NodeTransport.Target target = new NodeTransport.Target(
                made.node(),
                () -> host.endpoint(made.cluster(), made.node()),
                made.bootstrap().loginUser(),
                agentKey,
                host.hostKey(made.cluster(), made.node()),
                DIAL);
        Instant end = Instant.now().plus(REACHABLE);
        while (true) {
            try {
                return transport.connect(target);
            } catch (NodeUnreachableException e) {
                refuse(Instant.now().isAfter(end), "VMAgentStatusCommunicationError", made.node(), e.getMessage());
                pause();
            }
        }
    }

    private static void pause() {
        try {
            Thread.sleep(200);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw ArmException.of("OperationPreempted.cancelled");
        }
    }

    @Override
    public Optional<URI> console(ResourcePath machine, Duration valid) {
        return Optional.of(consoles.url(
                valid, () -> find(machine).flatMap(made -> host.console(made.cluster(), made.node()))));
    }

    @Override
    public void listen(String address, int port, Supplier<Optional<String>> behind) {
        ways.open(address, port, behind);
    }

    @Override
    public void close(String address) {
        ways.close(address);
    }

    @Override
    public long firstAddress() {
        return 1 + block * BLOCK;
    }

    private interface Use {
        void with(Made made);
    }

    private CompletableFuture<?> on(ResourcePath machine, Use use) {
        return later(() -> {
            find(machine).ifPresent(use::with);
            return null;
        });
    }

    private Optional<Made> find(ResourcePath machine) {
        synchronized (machines) {
            return Optional.ofNullable(machines.get(machine.key()));
        }
    }

    private <T> CompletableFuture<T> later(Supplier<T> work) {
        return CompletableFuture.supplyAsync(work, threads);
    }

    @Override
    public void close() {
        ways.close();
        consoles.close();
        threads.shutdownNow();
        transport.close();
        synchronized (networks) {
            networks.values().forEach(network -> host.deleteNetwork(network.name()));
            networks.clear();
        }
        synchronized (images) {
            images.values().forEach(host::deleteImage);
            images.clear();
        }
    }
}
