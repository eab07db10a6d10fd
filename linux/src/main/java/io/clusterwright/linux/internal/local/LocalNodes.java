package io.clusterwright.linux.internal.local;

import io.clusterwright.core.MachineState;
import io.clusterwright.core.ResourceId;
import io.clusterwright.core.internal.concurrent.Tasks;
import io.clusterwright.core.spi.Endpoint;
import io.clusterwright.core.spi.ImageSource;
import io.clusterwright.core.spi.Machine;
import io.clusterwright.core.spi.MachineHost;
import io.clusterwright.core.spi.MachineProvider.MachineRequest;
import io.clusterwright.core.type.AddressRange;
import io.clusterwright.core.type.ClusterId;
import io.clusterwright.core.type.ClusterName;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.core.type.ImageReference;
import io.clusterwright.core.type.Interconnect;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.core.type.SshPublicKey;
import io.clusterwright.linux.internal.local.SharedClusterParts.NetworkRecord;
import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Creates, boots, stops, captures and removes nodes out of namespaces and layers of this machine's file system. The package description lists
 * what makes and what removes each part.
 */
final class LocalNodes implements MachineHost {
    static final String MACHINE = "machine";
    private static final int CONSOLE_BYTES = 64 * 1024;
    private static final int SSH_PORT = 22;

    private final Folders folders;
    final ImageStore store;
    final SharedClusterParts networks;
    final BaseSystems systems;
    private final ClusterLocks locks = new ClusterLocks();

    LocalNodes(Folders folders) {
        this.folders = folders;
        this.store = new ImageStore(folders.images());
        this.networks = new SharedClusterParts(folders);
        this.systems = new BaseSystems(folders);
    }

    @Override
    public void createNetwork(ClusterId cluster, AddressRange addressSpace, AddressRange subnet) {
        locks.alone(cluster.name(), () -> networks.create(cluster, addressSpace, subnet));
    }

    /** Makes the shared parts again that ended with the user namespace of an ordinary user, as in a reboot; the disks of nodes remain. */
    void resume(ClusterId cluster) {
        if (UserNamespace.isNeeded()) {
            NetworkRecord record = network(cluster.name());
            createNetwork(cluster, record.addressSpace(), record.subnet());
        }
    }

    @Override
    public Machine create(ClusterName cluster, MachineRequest request) {
        return locks.onNode(cluster, request.name(), () -> {
            NetworkRecord record = network(cluster);
            Path node = folders.node(cluster, request.name());
            if (Files.exists(node.resolve(NodeRecord.FILE), LinkOption.NOFOLLOW_LINKS)) {
                throw LocalMachinesException.of(
                        "create node " + request.name(),
                        "cluster " + cluster + " already has a node of that name, in " + node);
            }
            List<String> layers = layersOf(request.image());
            BaseSystem system = BaseSystem.below(layers).orThrow();
            String link = new LinkNames(new ClusterId(cluster, record.id())).link(record.subnet(), request.address());
            // A process that was killed while it made this node left a part of it.
            remove(cluster, request.name());
            try {
                systems.hold(system, cluster);
                NodeSeed.plant(node, request, system);
                if (!system.isThisMachine()) {
                    BaseLayers.createAbove(system, folders.cluster(cluster));
                }
                for (String layer : BaseSystem.above(layers)) {
                    store.provide(
                            layer,
                            folders.layers(cluster).resolve(NodeProcess.layerFolder(layer)),
                            new ClusterId(cluster, record.id()),
                            folders.record(cluster));
                }
                new NodeRecord(
                                request.address(),
                                link,
                                request.bootstrap().loginUser(),
                                request.bootstrap().authorizedKeys(),
                                layers,
                                null,
                                null)
                        .write(node);
            } catch (IOException e) {
                throw removed(
                        LocalMachinesException.of(
                                "prepare the disk of node " + request.name() + " in " + folders.cluster(cluster), e),
                        cluster,
                        request.name());
            } catch (ClusterwrightException e) {
                throw removed(e, cluster, request.name());
            }
            return new Machine(
                    request.name(),
                    request.address(),
                    new ResourceId(MACHINE, request.name().value()),
                    request.bootstrap().hostKey().publicKey(),
                    Interconnect.NONE);
        });
    }

    @Override
    public void boot(ClusterName cluster, NodeName machine) {
        locks.onNode(cluster, machine, () -> {
            NodeRecord record = require(cluster, machine);
            if (record.isAlive()) {
                return null;
            }
            NodeProcess.end(record, folders.node(cluster, machine));
            NetworkRecord shared = network(cluster);
            ClusterId id = new ClusterId(cluster, shared.id());
            new ClusterBridge(id).requireRoute(record.address());
            try {
                new NodeProcess(folders, id, machine)
                        .start(record, shared.subnet().prefixLength());
            } catch (LocalMachinesException e) {
                throw LocalMachinesException.onNode(machine, e, log(cluster, machine));
            }
            return null;
        });
    }

    @Override
    public void stop(ClusterName cluster, NodeName machine) {
        locks.onNode(cluster, machine, () -> {
            Path node = folders.node(cluster, machine);
            NodeRecord.read(node).ifPresent(record -> {
                end(node, record);
                record.stopped().write(node);
            });
            return null;
        });
    }

    @Override
    public void capture(ClusterName cluster, NodeName machine, String imageName) {
        capture(cluster, machine, imageName, "");
    }

    /** As {@link #capture(ClusterName, NodeName, String)}, with the mark of the image's owner; empty for none. */
    void capture(ClusterName cluster, NodeName machine, String imageName, String owner) {
        locks.onNode(cluster, machine, () -> {
            NodeRecord record = require(cluster, machine);
            Path upper = folders.node(cluster, machine).resolve("up");
            store.capture(imageName, owner, upper, record.layers(), record.isAlive());
            return null;
        });
    }

    @Override
    public void deleteImage(String imageName) {
        store.delete(imageName);
    }

    @Override
    public MachineState state(ClusterName cluster, NodeName machine) {
        Path node = folders.node(cluster, machine);
        if (!Files.isDirectory(node, LinkOption.NOFOLLOW_LINKS)) {
            return MachineState.ABSENT;
        }
        NodeRecord record = readable(node).orElse(null);
        if (record == null || !record.isWhole(node, folders.layers(cluster))) {
            return MachineState.FAILED;
        }
        return record.isAlive() ? MachineState.RUNNING : MachineState.STOPPED;
    }

    @Override
    public Endpoint endpoint(ClusterName cluster, NodeName machine) {
        NodeRecord record = require(cluster, machine);
        new ClusterBridge(known(cluster)).requireRoute(machine, record.address());
        return UserNamespace.isNeeded()
                ? locks.onNode(
                        cluster,
                        machine,
                        () -> NodeRelay.to(
                                folders.cluster(cluster), folders.node(cluster, machine), record.address(), SSH_PORT))
                : new Endpoint(record.address().toString(), SSH_PORT);
    }

    @Override
    public SshPublicKey hostKey(ClusterName cluster, NodeName machine) {
        require(cluster, machine);
        try {
            return NodeSeed.hostKey(folders.node(cluster, machine));
        } catch (IOException e) {
            throw LocalMachinesException.of("read the host key of node " + machine, e);
        }
    }

    @Override
    public void delete(ClusterName cluster, NodeName machine) {
        locks.onNode(cluster, machine, () -> {
            remove(cluster, machine);
            return null;
        });
    }

    @Override
    public void deleteNetwork(ClusterName cluster) {
        locks.alone(cluster, () -> {
            nodes(cluster).forEach(node -> remove(cluster, node));
            networks.delete(cluster);
            store.release();
        });
    }

    @Override
    public void close() {
        // Machines belong to their cluster, not to this object.
    }

    List<NodeName> nodes(ClusterName cluster) {
        Path nodes = folders.nodes(cluster);
        if (!Files.isDirectory(nodes)) {
            return List.of();
        }
        try (var entries = Files.list(nodes)) {
            return entries.map(entry -> NodeName.of(entry.getFileName().toString()))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw LocalMachinesException.of("list the nodes of cluster " + cluster, e);
        }
    }

    /** The chains of layers that the nodes of a cluster stand on. */
    Set<List<String>> layers(ClusterName cluster) {
        return nodes(cluster).stream()
                .flatMap(node -> readable(folders.node(cluster, node)).stream())
                .map(NodeRecord::layers)
                .collect(Collectors.toSet());
    }

    /** The system below a node. */
    BaseSystem system(ClusterName cluster, NodeName machine) {
        return BaseSystem.below(require(cluster, machine).layers());
    }

    Optional<Long> processOf(ClusterName cluster, NodeName machine) {
        return NodeRecord.read(folders.node(cluster, machine))
                .filter(NodeRecord::isAlive)
                .map(NodeRecord::first)
                .map(ProcessIdentity::pid);
    }

    /** {@inheritDoc} It has the messages of the node's first process and its services. */
    @Override
    public Optional<String> console(ClusterName cluster, NodeName machine) {
        // A node writes to the file, and may make it longer than memory.
        try (SeekableByteChannel log =
                Files.newByteChannel(folders.node(cluster, machine).resolve("log"))) {
            log.position(Math.max(0, log.size() - CONSOLE_BYTES));
            byte[] end = Channels.newInputStream(log).readNBytes(CONSOLE_BYTES);
            return Optional.of(new String(end, StandardCharsets.UTF_8));
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    List<String> log(ClusterName cluster, NodeName machine) {
        return console(cluster, machine).map(HostCommand::lastLines).orElse(List.of());
    }

    /** The record of a node; empty when there is none, or none that can be read. */
    private static Optional<NodeRecord> readable(Path node) {
        try {
            return NodeRecord.read(node);
        } catch (LocalMachinesException damaged) {
            return Optional.empty();
        }
    }

    /** Answers the failure after removing the node that could not be made. */
    private ClusterwrightException removed(ClusterwrightException failure, ClusterName cluster, NodeName machine) {
        try {
            Tasks.uninterruptibly(() -> {
                remove(cluster, machine);
                return true;
            });
        } catch (RuntimeException e) {
            failure.addSuppressed(e);
        }
        return failure;
    }

    private void remove(ClusterName cluster, NodeName machine) {
        Path node = folders.node(cluster, machine);
        if (!Files.exists(node, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        readable(node)
                .ifPresentOrElse(
                        record -> end(node, record), () -> NodeProcess.endUnrecorded(folders.cluster(cluster), node));
        NodeRelay.end(node);
        try {
            Mounts.unmountAll(node);
            DurableFiles.deleteTree(node);
        } catch (IOException e) {
            throw LocalMachinesException.of("delete the disk of node " + machine, e);
        }
    }

    private static void end(Path node, NodeRecord record) {
        NodeProcess.end(record, node);
        ClusterBridge.disconnect(record.link());
    }

    private NodeRecord require(ClusterName cluster, NodeName machine) {
        return NodeRecord.read(folders.node(cluster, machine))
                .orElseThrow(() -> LocalMachinesException.of(
                        "find node " + machine, "cluster " + cluster + " has no node of that name on this machine"));
    }

    private NetworkRecord network(ClusterName cluster) {
        return networks.record(cluster)
                .filter(record -> networks.isComplete(cluster))
                .orElseThrow(() -> LocalMachinesException.of(
                        "use the network of cluster " + cluster,
                        "there is no such network; run: clusterwright create again"));
    }

    private ClusterId known(ClusterName cluster) {
        return new ClusterId(cluster, network(cluster).id());
    }

    private List<String> layersOf(ImageSource image) {
        if (image instanceof ImageSource.Captured captured) {
            List<String> layers = store.require(captured.name()).layers();
            store.used(captured.name());
            return layers;
        }
        if (image instanceof ImageSource.Base base && base.reference() instanceof ImageReference.Local local) {
            return store.require(local.name()).layers();
        }
        if (image instanceof ImageSource.Base base && base.reference() instanceof ImageReference.SystemFile file) {
            return List.of(systems.at(Path.of(file.path())).root().toString());
        }
        return List.of();
    }

    /** Keeps the threads of this process apart: nodes of a cluster are worked on side by side, its network alone. */
    private static final class ClusterLocks {
        private final ConcurrentMap<ClusterName, ReentrantReadWriteLock> clusters = new ConcurrentHashMap<>();
        private final ConcurrentMap<String, Object> monitors = new ConcurrentHashMap<>();

        void alone(ClusterName cluster, Runnable work) {
            Lock lock = of(cluster).writeLock();
            lock.lock();
            try {
                work.run();
            } finally {
                lock.unlock();
            }
        }

        <T extends @Nullable Object> T onNode(ClusterName cluster, NodeName node, Supplier<T> work) {
            Lock lock = of(cluster).readLock();
            lock.lock();
            try {
                synchronized (monitor(cluster + "/" + node)) {
                    return work.get();
                }
            } finally {
                lock.unlock();
            }
        }

        private Object monitor(String name) {
            return monitors.computeIfAbsent(name, unused -> new Object());
        }

        private ReentrantReadWriteLock of(ClusterName cluster) {
            return clusters.computeIfAbsent(cluster, unused -> new ReentrantReadWriteLock());
        }
    }
}
