package io.clusterwright.linux.internal.local;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.clusterwright.core.StateStore;
import io.clusterwright.core.internal.concurrent.Tasks;
import io.clusterwright.core.internal.file.PrivateFiles;
import io.clusterwright.core.internal.json.Json;
import io.clusterwright.core.type.AddressRange;
import io.clusterwright.core.type.ClusterId;
import io.clusterwright.core.type.ClusterName;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.core.type.InvalidValueException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Makes and removes the shared parts of a cluster: guard route, folder, base layers, bridge. */
final class SharedClusterParts {
    /** The id of something that carries none. */
    private static final String UNKNOWN = "0".repeat(16);

    private static final String COMPLETE = "complete.json";
    private static final int MOST_TRIES = 5;

    private final Folders folders;
    private final Set<Path> absent = new HashSet<>();

    SharedClusterParts(Folders folders) {
        this.folders = folders;
        // The state folder has mode 0700, and a node that inherited it could not use the same path for its own files.
        for (Folders ours : List.of(folders, Folders.STANDARD)) {
            absent.add(ours.run());
            absent.add(ours.store());
        }
        absent.add(StateStore.standardFolder().toAbsolutePath().normalize());
        // Messages of the machine. Where the folder exists, even empty, pam_motd starts three programs at each login.
        absent.add(Path.of("/etc/update-motd.d"));
    }

    void create(ClusterId id, AddressRange addressSpace, AddressRange subnet) {
        ClusterName cluster = id.name();
        ClusterBridge network = new ClusterBridge(id);
        Path folder = folders.cluster(cluster);
        NetworkRecord wanted = new NetworkRecord(id.id(), addressSpace, subnet, ProcessIdentity.current());
        boolean isNew = !isComplete(cluster);
        boolean complete = !isNew && Mounts.points().contains(folders.mark(cluster));
        try {
            DurableFiles.createFolders(folders.store());
            FolderLock.holding(folders.store(), () -> {
                Optional<NetworkRecord> existing = record(cluster);
                existing.ifPresent(record -> requireSame(cluster, record, wanted));
                found(cluster).filter(other -> !other.equals(id)).ifPresent(other -> {
                    throw foreign(other);
                });
                requireFree(id, addressSpace);
                if (existing.isEmpty()) {
                    write(wanted, folders.record(cluster));
                }
                DurableFiles.createFolders(folder);
                UserNamespace.holding(() -> network.guard(addressSpace));
            });
            if (!complete) {
                furnish(id, folder);
                DurableFiles.write(folder.resolve(COMPLETE), Json.object());
            }
            network.bridge(subnet);
            network.requireRoute(subnet.address(2));
        } catch (IOException e) {
            throw undone(
                    LocalMachinesException.of("create the network of cluster " + cluster + " in " + folders.run(), e),
                    id,
                    isNew);
        } catch (ClusterwrightException e) {
            throw undone(e, id, isNew);
        }
    }

    /** The end of the last cluster removes the folder of records while it is empty; with another store it does so without this lock. */
    private void write(NetworkRecord wanted, Path record) throws IOException {
        for (int tries = 1; ; tries++) {
            DurableFiles.createFolders(folders.run());
            try {
                wanted.write(record);
                return;
            } catch (NoSuchFileException e) {
                if (tries == MOST_TRIES) {
                    throw e;
                }
            }
        }
    }

    private static void requireSame(ClusterName cluster, NetworkRecord existing, NetworkRecord wanted) {
        if (!existing.id().equals(wanted.id())) {
            throw foreign(new ClusterId(cluster, existing.id()));
        }
        if (!existing.addressSpace().equals(wanted.addressSpace())
                || !existing.subnet().equals(wanted.subnet())) {
            throw LocalMachinesException.of(
                    "create the network of cluster " + cluster,
                    "it exists with the address space " + existing.addressSpace() + " and the subnet "
                            + existing.subnet() + ", and address space " + wanted.addressSpace() + " and subnet "
                            + wanted.subnet() + " are in the spec; run: clusterwright destroy " + cluster
                            + " (ClusterManager.destroy)");
        }
    }

    /** The refusal to change a cluster that has another id. */
    static LocalMachinesException foreign(ClusterId other) {
        return LocalMachinesException.of(
                "change cluster " + other.name(),
                "another cluster of that name is on this machine, with the id " + other.id()
                        + "; use another name, or destroy the other cluster from the state folder that created it");
    }

    /** Answers the failure after deleting what was made for it. */
    private ClusterwrightException undone(ClusterwrightException failure, ClusterId cluster, boolean isNew) {
        if (isNew && found(cluster.name()).equals(Optional.of(cluster))) {
            try {
                Tasks.uninterruptibly(() -> {
                    delete(cluster.name());
                    return true;
                });
            } catch (RuntimeException e) {
                failure.addSuppressed(e);
            }
        }
        return failure;
    }

    /** Throws when these addresses are in use. */
    static void requireFree(ClusterId cluster, AddressRange addressSpace) {
        ClusterBridge.conflict(cluster, addressSpace).ifPresent(conflict -> {
            throw LocalMachinesException.of(
                    "use the address space " + addressSpace,
                    conflict.describe() + "; write another private range, such as network: {addressSpace:"
                            + " 10.32.0.0/16, subnet: {range: 10.32.0.0/23}}"
                            + conflict.freedBy().map(remedy -> ", or " + remedy).orElse(""));
        });
    }

    private void furnish(ClusterId cluster, Path folder) throws IOException {
        // An overlay of a user namespace keeps its notes in attributes that a file system in memory may not have: the
        // folder of the cluster is on the disk then, beside the mark.
        Path mark = folders.mark(cluster.name());
        if (mark.equals(folder)) {
            mark(cluster, mark);
        }
        NodeProcess.writeScripts(folder);
        NodeProcess.writeFurniture(folder);
        BaseLayers.create(folder, absent);
        DurableFiles.createFolders(folder.resolve("layers"));
        DurableFiles.createFolders(folders.nodes(cluster.name()));
        if (!mark.equals(folder)) {
            // Last: a mark that is there says that these parts were made since the last boot of this machine.
            mark(cluster, mark);
        }
    }

    private static void mark(ClusterId cluster, Path mark) throws IOException {
        if (!Mounts.points().contains(mark)) {
            DurableFiles.createFolders(mark);
            Mounts.tmpfs(mark, new LinkNames(cluster).alias());
        }
    }

    void delete(ClusterName cluster) {
        Optional<ClusterBridge> network = found(cluster).map(ClusterBridge::new);
        network.ifPresent(ClusterBridge::deleteLinks);
        network.ifPresent(ClusterBridge::deleteGuards);
        Path folder = folders.cluster(cluster);
        Mounts.unmountAll(folder);
        try {
            if (UserNamespace.isNeeded()) {
                Mounts.unmountAll(folders.mark(cluster));
                Files.deleteIfExists(folders.mark(cluster));
            }
            DurableFiles.deleteTree(folder);
            DurableFiles.deleteTree(folders.record(cluster));
            PrivateFiles.removeUnfinished(folders.record(cluster));
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
            FolderLock.holding(folders.store(), () -> {
                PrivateFiles.removeIfEmpty(folders.run());
                UserNamespace.release();
            });
        } catch (IOException e) {
            return;
        }
    }

    boolean remains(ClusterName cluster) {
        return Files.exists(folders.record(cluster), LinkOption.NOFOLLOW_LINKS)
                || Files.exists(folders.cluster(cluster), LinkOption.NOFOLLOW_LINKS)
                || found(cluster).isPresent();
    }

    /** Whether all shared parts of a cluster were made. */
    boolean isComplete(ClusterName cluster) {
        return Files.exists(folders.cluster(cluster).resolve(COMPLETE), LinkOption.NOFOLLOW_LINKS);
    }

    /** The record of a cluster; empty when there is none. */
    Optional<NetworkRecord> record(ClusterName cluster) {
        return NetworkRecord.read(folders.record(cluster));
    }

    /** The process that made a cluster, if it still runs and is another one than this. */
    Optional<ProcessIdentity> user(ClusterName cluster) {
        return readable(cluster)
                .map(NetworkRecord::maker)
                .filter(maker -> !maker.equals(ProcessIdentity.current()) && maker.isAlive());
    }

    /** The cluster of a name: by its record, else by the mark on its file system or on interfaces that have lost it. */
    Optional<ClusterId> found(ClusterName cluster) {
        Optional<ClusterId> recorded = readable(cluster).map(record -> new ClusterId(cluster, record.id()));
        return recorded.or(() -> Stream.concat(mounted().stream(), strayed().stream())
                .filter(marked -> marked.name().equals(cluster))
                .findFirst());
    }

    /** All clusters of these folders, and the remains of any, by name. */
    List<ClusterId> all() {
        Map<String, ClusterId> clusters = new TreeMap<>();
        Stream.concat(mounted().stream(), strayed().stream())
                .forEach(cluster -> clusters.put(cluster.name().value(), cluster));
        for (String file : names()) {
            String name =
                    file.endsWith(Folders.RECORD) ? file.substring(0, file.length() - Folders.RECORD.length()) : file;
            name(name).ifPresent(cluster -> clusters.put(name, found(cluster).orElse(new ClusterId(cluster, UNKNOWN))));
        }
        return List.copyOf(clusters.values());
    }

    /** Empty for a name that no cluster can have. */
    private static Optional<ClusterName> name(String file) {
        try {
            return Optional.of(ClusterName.of(file));
        } catch (InvalidValueException e) {
            return Optional.empty();
        }
    }

    private List<String> names() {
        if (!Files.isDirectory(folders.run())) {
            return List.of();
        }
        try (var entries = Files.list(folders.run())) {
            return entries.map(entry -> entry.getFileName().toString()).toList();
        } catch (IOException e) {
            throw LocalMachinesException.of("list the clusters in " + folders.run(), e);
        }
    }

    private Optional<NetworkRecord> readable(ClusterName cluster) {
        try {
            return record(cluster);
        } catch (LocalMachinesException damaged) {
            return Optional.empty();
        }
    }

    /** The clusters whose marks are on file systems that are mounted in the folders. */
    private List<ClusterId> mounted() {
        return Mounts.table().stream()
                .filter(mount -> folders.run().equals(mount.point().getParent()))
                .flatMap(mount -> LinkNames.owner(mount.label()).stream())
                .toList();
    }

    /** The clusters whose marks are on interfaces, while no folder of this machine has their file system. */
    private static List<ClusterId> strayed() {
        Set<ClusterId> mounted = Mounts.table().stream()
                .flatMap(mount -> LinkNames.owner(mount.label()).stream())
                .collect(Collectors.toSet());
        return KernelRoutes.links().stream()
                .flatMap(link -> link.owner().stream())
                .filter(cluster -> !mounted.contains(cluster))
                .distinct()
                .toList();
    }

    /**
     * Record of a cluster, written before anything else of it is made.
     *
     * @param id its id
     * @param addressSpace its addresses
     * @param subnet the addresses of its nodes
     * @param maker the process that made it
     */
    record NetworkRecord(String id, AddressRange addressSpace, AddressRange subnet, ProcessIdentity maker) {

        static Optional<NetworkRecord> read(Path file) {
            try {
                return DurableFiles.read(file)
                        .map(json -> new NetworkRecord(
                                json.path("id").asText(),
                                AddressRange.of(json.path("addressSpace").asText()),
                                AddressRange.of(json.path("subnet").asText()),
                                ProcessIdentity.of(json.path("maker"))));
            } catch (IOException | InvalidValueException e) {
                throw LocalMachinesException.damaged(file, e, "destroy the cluster and create it again");
            }
        }

        void write(Path file) throws IOException {
            ObjectNode json = Json.object()
                    .put("id", id)
                    .put("addressSpace", addressSpace.toString())
                    .put("subnet", subnet.toString());
            json.set("maker", maker.json());
            DurableFiles.write(file, json);
        }
    }
}
