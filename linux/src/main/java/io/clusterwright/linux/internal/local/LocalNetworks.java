package io.clusterwright.linux.internal.local;

import io.clusterwright.core.StateStore;
import io.clusterwright.core.internal.concurrent.Tasks;
import io.clusterwright.core.internal.file.PrivateFiles;
import io.clusterwright.core.internal.json.Json;
import io.clusterwright.core.type.AddressRange;
import io.clusterwright.core.type.ClusterId;
import io.clusterwright.core.type.ClusterName;
import io.clusterwright.core.type.ClusterwrightException;
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
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Makes and removes the shared parts of a cluster: guard route, folder, base layers, bridge. */
public final class LocalNetworks {
    private final Folders folders;
    private final Set<Path> absent = new HashSet<>();

    LocalNetworks(Folders folders) {
        this.folders = folders;
        // The state folder has mode 0700, and a node that inherited it could not use the same path for its own files.
        for (Folders ours : List.of(folders, Folders.STANDARD)) {
            absent.add(ours.run());
            absent.add(ours.store());
        }
        absent.add(StateStore.standardFolder().toAbsolutePath().normalize());
    }

    void create(ClusterId id, AddressRange addressSpace, AddressRange subnet) {
        ClusterName cluster = id.name();
        LocalNetwork network = new LocalNetwork(cluster);
        Path folder = folders.cluster(cluster);
        ClusterRecord wanted = new ClusterRecord(id.id(), addressSpace, subnet);
        Optional<ClusterRecord> existing = ClusterRecord.read(folder);
        if (existing.isPresent() && !existing.get().id().equals(id.id())) {
            throw LocalMachinesException.of(
                    "make the network of cluster " + cluster,
                    "another cluster of that name is on this machine, with the id "
                            + existing.get().id() + "; choose another name");
        }
        if (existing.isPresent() && !existing.get().equals(wanted)) {
            throw LocalMachinesException.of(
                    "make the network of cluster " + cluster,
                    "it exists with the address space " + existing.get().addressSpace() + " and the subnet "
                            + existing.get().subnet() + "; destroy the cluster first");
        }
        try {
            DurableFiles.createFolders(folders.store());
            FolderLock.holding(folders.store(), () -> {
                requireFree(cluster, addressSpace);
                // The folder is the record of what follows, by which a cluster is found that was half made.
                DurableFiles.createFolders(folder);
                network.guard(addressSpace);
            });
            if (existing.isEmpty()) {
                furnish(cluster, folder);
                wanted.write(folder);
            }
            network.bridge(subnet);
            network.requireRoute(subnet.address(2));
        } catch (IOException e) {
            throw undone(
                    LocalMachinesException.of("make the network of cluster " + cluster + " in " + folder, e),
                    cluster,
                    existing.isEmpty());
        } catch (ClusterwrightException e) {
            throw undone(e, cluster, existing.isEmpty());
        }
    }

    private ClusterwrightException undone(ClusterwrightException failure, ClusterName cluster, boolean isNew) {
        if (isNew) {
            try {
                Tasks.uninterruptibly(() -> {
                    delete(cluster);
                    return true;
                });
            } catch (ClusterwrightException e) {
                failure.addSuppressed(e);
            }
        }
        return failure;
    }

    /** Throws when these addresses are in use. */
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
        BaseLayers.create(folder, absent);
        DurableFiles.createFolders(folder.resolve("layers"));
        DurableFiles.createFolders(folders.nodes(cluster));
    }

    void delete(ClusterName cluster) {
        LocalNetwork network = new LocalNetwork(cluster);
        Path folder = folders.cluster(cluster);
        network.deleteLinks();
        Mounts.unmountAll(folder);
        network.deleteGuards();
        try {
            DurableFiles.deleteTree(folder);
        } catch (IOException e) {
            throw LocalMachinesException.of("delete the folder of cluster " + cluster, e);
        }
        removeRunFolder();
    }

    /** The lock keeps the folder for a cluster that is being made; where it cannot be had, as on a full disk, the folder stays. */
    private void removeRunFolder() {
        if (!Files.isDirectory(folders.store())) {
            return;
        }
        try {
            FolderLock.holding(folders.store(), () -> PrivateFiles.removeIfEmpty(folders.run()));
        } catch (IOException e) {
            return;
        }
    }

    boolean remains(ClusterName cluster) {
        LocalNetwork network = new LocalNetwork(cluster);
        return Files.exists(folders.cluster(cluster), LinkOption.NOFOLLOW_LINKS)
                || !network.links().isEmpty()
                || !network.guards().isEmpty();
    }

    /** Record of a cluster's network, written when its shared parts are complete. */
    record ClusterRecord(String id, AddressRange addressSpace, AddressRange subnet) {
        private static final String FILE = "cluster.json";

        public static Optional<ClusterRecord> read(Path clusterFolder) {
            try {
                return DurableFiles.read(clusterFolder.resolve(FILE))
                        .map(json -> new ClusterRecord(
                                json.path("id").asText(),
                                AddressRange.parse(json.path("addressSpace").asText()),
                                AddressRange.parse(json.path("subnet").asText())));
            } catch (IOException e) {
                throw LocalMachinesException.of("read what is known about the cluster in " + clusterFolder, e);
            }
        }

        public void write(Path clusterFolder) throws IOException {
            DurableFiles.write(
                    clusterFolder.resolve(FILE),
                    Json.object()
                            .put("id", id)
                            .put("addressSpace", addressSpace.toString())
                            .put("subnet", subnet.toString()));
        }
    }
}
