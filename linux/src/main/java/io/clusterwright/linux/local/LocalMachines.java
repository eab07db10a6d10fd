package io.clusterwright.linux.local;

import io.clusterwright.core.MachineState;
import io.clusterwright.core.ResourceId;
import io.clusterwright.core.StoredImage;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spi.Endpoint;
import io.clusterwright.core.spi.Inspection;
import io.clusterwright.core.spi.Machine;
import io.clusterwright.core.spi.MachineHost;
import io.clusterwright.core.spi.MachineOutcome;
import io.clusterwright.core.spi.MachineProvider;
import io.clusterwright.core.spi.MachineRequest;
import io.clusterwright.core.spi.PackageFeed;
import io.clusterwright.core.spi.ProviderMachines;
import io.clusterwright.core.spi.ResourceLog;
import io.clusterwright.core.type.ClusterName;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.linux.internal.local.AptFeed;
import io.clusterwright.linux.internal.local.LocalHost;
import io.clusterwright.linux.internal.local.LocalInspection;
import io.clusterwright.linux.internal.local.LocalNetworks;
import io.clusterwright.linux.internal.local.ParallelBoot;
import io.clusterwright.linux.internal.local.ParallelPower;
import io.clusterwright.linux.internal.local.Requirements;
import io.clusterwright.linux.internal.local.host.Folders;
import io.clusterwright.linux.internal.local.host.HostFacts;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Makes real nodes out of this one Linux machine: each with its own network, process, host-name and mount namespaces, its
 * own copy-on-write view of this system, and a real {@code sshd}.
 *
 * <p>Needs root and the programs {@link #inspect} asks for. What is changed on the machine while a cluster named NAME exists:
 *
 * <ul>
 *   <li>an {@code unreachable} route of protocol 129 for its address space, so that no packet for a node ever leaves;
 *   <li>a bridge {@code cwXXXXXXbr} and an interface {@code cwXXXXXXnK} per node, all with the alias
 *       {@code clusterwright:NAME};
 *   <li>a file system in memory on {@code /run/clusterwright/NAME}, with the disks of the nodes;
 *   <li>a process per node, whose end is the end of the node; its number is in {@code nodes/NODE/node.json} there.
 * </ul>
 *
 * <p>{@code /var/lib/clusterwright} holds captured images, and downloaded packages until the last image is deleted. To remove a cluster
 * by hand: end those processes, {@code ip link del} the links, {@code umount /run/clusterwright/NAME} and remove the folder,
 * {@code ip route flush proto 129}. After a reboot nothing of a cluster is left.
 *
 * <p>A node is not this machine: it sees neither home folders, logs, keys and passwords nor folders that are not the
 * system's, and root in it lacks the rights to leave it. The kernel, however, is shared.
 *
 * <p>Safe for use by several threads, and by several processes as long as each cluster is changed by one of them.
 */
public final class LocalMachines implements MachineProvider, ProviderMachines {
    /** The name of this provider: {@value}. */
    public static final String NAME = "local";

    private static final String NETWORK = "network";

    private final LocalHost host;
    private final Folders folders;

    /** Local machines in the standard folders; for {@link java.util.ServiceLoader}. */
    public LocalMachines() {
        this(Folders.STANDARD, Set.of());
    }

    private LocalMachines(Folders folders, Set<Path> masked) {
        this.folders = folders;
        this.host = new LocalHost(folders, masked);
    }

    /** A builder of local machines with the standard folders. */
    public static Builder builder() {
        return new Builder();
    }

    /** The single machines these clusters are made of. */
    public MachineHost host() {
        return host;
    }

    /** What local nodes need of this machine, and whether it has it. Changes nothing. */
    public static List<Requirement> requirements() {
        return Requirements.of(new HostFacts());
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public MachineProvider open() {
        return this;
    }

    @Override
    public boolean bootsNamedImages() {
        return false;
    }

    @Override
    public Inspection inspect(ClusterSpec spec) {
        return new LocalInspection(spec, new HostFacts()).run();
    }

    @Override
    public void createNetwork(ClusterSpec spec, ResourceLog log) {
        LocalNetworks.requireFree(spec.name(), spec.network().addressSpace());
        ResourceId network = network(spec.name());
        log.creating(network);
        host.createNetwork(
                spec.name(),
                spec.network().addressSpace(),
                spec.network().subnet().range());
        log.created(network);
    }

    @Override
    public void createMachines(
            ClusterSpec cluster, List<MachineRequest> requests, ResourceLog log, Consumer<MachineOutcome> outcome) {
        new ParallelBoot(host, cluster.name(), log).run(requests, outcome);
    }

    @Override
    public Endpoint endpoint(ClusterName cluster, Machine machine) {
        return host.endpoint(cluster, machine.name());
    }

    @Override
    public MachineState state(ClusterName cluster, Machine machine) {
        return host.state(cluster, machine.name());
    }

    @Override
    public void start(ClusterName cluster, Collection<Machine> machines) {
        ParallelPower.each("start", cluster, machines, node -> host.boot(cluster, node));
    }

    @Override
    public void stop(ClusterName cluster, Collection<Machine> machines) {
        ParallelPower.each("stop", cluster, machines, node -> host.stop(cluster, node));
    }

    @Override
    public PackageFeed packageFeed(ClusterName cluster, Machine machine) {
        return new AptFeed(host, folders, cluster);
    }

    @Override
    public List<StoredImage> images() {
        return host.store().images().stream()
                .map(image -> new StoredImage(image.name(), image.created(), image.sizeBytes(), image.proven()))
                .toList();
    }

    @Override
    public boolean layersImages() {
        return true;
    }

    @Override
    public void capture(ClusterName cluster, Machine machine, String imageName) {
        host.stop(cluster, machine.name());
        host.capture(cluster, machine.name(), imageName);
    }

    @Override
    public void proven(String imageName) {
        host.store().proven(imageName);
    }

    @Override
    public void deleteImage(String imageName) {
        host.store().delete(imageName);
        if (host.store().images().isEmpty()) {
            AptFeed.deleteCache(folders);
        }
    }

    @Override
    public void delete(ClusterName cluster, ResourceId resource) {
        switch (resource.kind()) {
            case LocalHost.MACHINE -> host.delete(cluster, NodeName.parse(resource.name()));
            case NETWORK -> host.deleteNetwork(cluster);
            default ->
                throw new ClusterwrightException("local machines have no resource of the kind " + resource.kind()
                        + ", only machine and network");
        }
    }

    @Override
    public List<ResourceId> remaining(ClusterName cluster) {
        List<ResourceId> remaining = new ArrayList<>();
        host.nodes(cluster).forEach(node -> remaining.add(new ResourceId(LocalHost.MACHINE, node.value())));
        if (host.networkRemains(cluster)) {
            remaining.add(network(cluster));
        }
        return remaining;
    }

    @Override
    public void close() {
        host.close();
    }

    private static ResourceId network(ClusterName cluster) {
        return new ResourceId(NETWORK, cluster.value());
    }

    /** Sets where local machines keep things and what their nodes must not see. */
    public static final class Builder {
        private Path runFolder = Folders.STANDARD.run();
        private Path storeFolder = Folders.STANDARD.store();
        private final Set<Path> masked = new HashSet<>();

        private Builder() {}

        /** Where clusters are while they exist; default {@code /run/clusterwright}. */
        public Builder runFolder(Path folder) {
            this.runFolder = folder;
            return this;
        }

        /** Where images and packages are kept; default {@code /var/lib/clusterwright}. */
        public Builder storeFolder(Path folder) {
            this.storeFolder = folder;
            return this;
        }

        /** Hides one more file or folder of this machine from all nodes. */
        public Builder addMasked(Path path) {
            masked.add(path.toAbsolutePath().normalize());
            return this;
        }

        /**
         * The local machines.
         *
         * @throws IllegalArgumentException when a folder is not absolute or has characters that a mount cannot name
         */
        public LocalMachines build() {
            return new LocalMachines(new Folders(runFolder, storeFolder), Set.copyOf(masked));
        }
    }
}
