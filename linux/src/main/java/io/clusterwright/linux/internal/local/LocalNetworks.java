package io.clusterwright.linux.internal.local;

import io.clusterwright.core.type.AddressRange;
import io.clusterwright.core.type.ClusterName;
import io.clusterwright.linux.internal.local.disk.BaseLayers;
import io.clusterwright.linux.internal.local.host.DurableFiles;
import io.clusterwright.linux.internal.local.host.FolderLock;
import io.clusterwright.linux.internal.local.host.Folders;
import io.clusterwright.linux.internal.local.host.LocalMachinesException;
import io.clusterwright.linux.internal.local.host.Mounts;
import io.clusterwright.linux.internal.local.network.LinkNames;
import io.clusterwright.linux.internal.local.network.LocalNetwork;
import io.clusterwright.linux.internal.local.node.NodeProcess;
import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/** Makes and removes what the nodes of a cluster share: guard route, folder, base layers, bridge. */
public final class LocalNetworks {
    private final Folders folders;
    private final Set<Path> masked;

    LocalNetworks(Folders folders, Set<Path> alsoMasked) {
        this.folders = folders;
        this.masked = new HashSet<>(alsoMasked);
        masked.add(folders.run());
        masked.add(folders.store());
    }

    void create(ClusterName cluster, AddressRange addressSpace, AddressRange subnet) {
        LocalNetwork network = new LocalNetwork(cluster);
        Path folder = folders.cluster(cluster);
        ClusterRecord wanted = new ClusterRecord(addressSpace, subnet);
        Optional<ClusterRecord> existing = ClusterRecord.read(folder);
        if (existing.isPresent() && !existing.get().equals(wanted)) {
            throw LocalMachinesException.of(
                    "make the network of cluster " + cluster,
                    "it exists with the address space " + existing.get().addressSpace() + " and the subnet "
                            + existing.get().subnet() + "; destroy the cluster first");
        }
        try {
            Files.createDirectories(folders.store());
            FolderLock.holding(folders.store(), () -> {
                requireFree(cluster, addressSpace);
                network.guard(addressSpace);
                Files.createDirectories(folder);
            });
            if (existing.isEmpty()) {
                furnish(cluster, folder);
                wanted.write(folder);
            }
        } catch (IOException e) {
            throw LocalMachinesException.of("make the folder of cluster " + cluster, e);
        }
        network.bridge(subnet);
        network.requireRoute(subnet.address(2));
    }

    /** Throws when somebody else uses these addresses. */
    public static void requireFree(ClusterName cluster, AddressRange addressSpace) {
        LocalNetwork.conflict(cluster, addressSpace).ifPresent(conflict -> {
            throw LocalMachinesException.of(
                    "use the address space " + addressSpace,
                    conflict.describe() + "; choose another with network.addressSpace");
        });
    }

    private void furnish(ClusterName cluster, Path folder) throws IOException {
        if (!Mounts.points().contains(folder)) {
            Mounts.tmpfs(folder, new LinkNames(cluster).alias());
        }
        NodeProcess.writeScripts(folder);
        BaseLayers.create(folder, masked);
        Files.createDirectories(folder.resolve("layers"));
        Files.createDirectories(folders.nodes(cluster));
    }

    void delete(ClusterName cluster) {
        LocalNetwork network = new LocalNetwork(cluster);
        Path folder = folders.cluster(cluster);
        network.deleteLinks();
        try {
            Mounts.unmountAll(folder);
            Files.createDirectories(folders.store());
            FolderLock.holding(folders.store(), () -> {
                DurableFiles.deleteTree(folder);
                deleteIfEmpty(folders.run());
            });
        } catch (IOException e) {
            throw LocalMachinesException.of("delete the folder of cluster " + cluster, e);
        }
        network.deleteGuards();
    }

    boolean remains(ClusterName cluster) {
        LocalNetwork network = new LocalNetwork(cluster);
        return Files.exists(folders.cluster(cluster), LinkOption.NOFOLLOW_LINKS)
                || !network.links().isEmpty()
                || !network.guards().isEmpty();
    }

    private static void deleteIfEmpty(Path folder) throws IOException {
        try {
            Files.deleteIfExists(folder);
        } catch (DirectoryNotEmptyException ignored) {
            // Another cluster lives there.
        }
    }
}
