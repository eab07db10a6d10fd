package io.clusterwright.linux.internal.local;

import io.clusterwright.core.internal.file.PrivateFiles;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.type.ClusterName;
import io.clusterwright.core.type.ImageReference;
import io.clusterwright.linux.internal.node.NodeFiles;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The systems that specs name for local nodes: folders, which stay where they are, and archives, each unpacked once under its checksum in
 * the store. A cluster marks the archives that it uses in its own folder, so that a deletion spares them.
 */
final class BaseSystems {
    private static final Logger LOG = LoggerFactory.getLogger(BaseSystems.class);
    private static final String MARKS = "systems";
    private static final int NAME_LENGTH = 16;
    /** Folders that are empty or mounted in a node; devices cannot be made in a user namespace. */
    private static final List<String> LEFT_OUT = Stream.concat(
                    Stream.of("--anchored"),
                    Stream.of("dev", "proc", "run", "sys", "tmp")
                            .flatMap(name -> Stream.of("--exclude=./" + name + "/*", "--exclude=" + name + "/*")))
            .toList();

    private static final Map<String, String> CHECKSUMS = new ConcurrentHashMap<>();

    private final Folders folders;
    private final Path store;

    BaseSystems(Folders folders) {
        this.folders = folders;
        this.store = folders.store().resolve(MARKS);
    }

    /** The system of a spec; an archive may not be unpacked yet. */
    BaseSystem of(ClusterSpec spec) {
        return spec.image().base() instanceof ImageReference.SystemFile file
                ? at(path(spec, file))
                : BaseSystem.THIS_MACHINE;
    }

    static Path path(ClusterSpec spec, ImageReference.SystemFile file) {
        return spec.resolve(file.path()).toAbsolutePath().normalize();
    }

    BaseSystem at(Path given) {
        return new BaseSystem(Files.isRegularFile(given) ? unpacked(given) : given);
    }

    private Path unpacked(Path archive) {
        try {
            String known = archive + " " + Files.size(archive) + " " + Files.getLastModifiedTime(archive);
            String sum = CHECKSUMS.get(known);
            if (sum == null) {
                sum = LayerArchive.checksum(archive);
                CHECKSUMS.put(known, sum);
            }
            return store.resolve(sum.substring(0, NAME_LENGTH));
        } catch (IOException e) {
            throw LocalMachinesException.of("read the archive " + archive, e);
        }
    }

    /** Whether the archive of a system is not unpacked yet. */
    boolean isPacked(BaseSystem system) {
        return isOfStore(system) && !Files.isDirectory(system.root());
    }

    /** Makes the system of a spec ready for the nodes of a cluster. */
    void prepare(ClusterSpec spec) {
        BaseSystem system = of(spec);
        if (spec.image().base() instanceof ImageReference.SystemFile file && isOfStore(system)) {
            try {
                DurableFiles.createFolders(store);
                FolderLock.holding(store, () -> {
                    mark(system, spec.name());
                    if (!Files.isDirectory(system.root())) {
                        unpack(path(spec, file), system.root());
                    }
                });
            } catch (IOException e) {
                throw LocalMachinesException.of("unpack the system " + file.path(), e);
            }
        }
        system.orThrow();
    }

    /** Marks that nodes of a cluster stand on a system of the store, so that a deletion spares it. */
    void hold(BaseSystem system, ClusterName cluster) throws IOException {
        if (isOfStore(system)) {
            FolderLock.holding(store, () -> {
                mark(system, cluster);
                system.orThrow();
            });
        }
    }

    private void mark(BaseSystem system, ClusterName cluster) throws IOException {
        Path marks = DurableFiles.createFolders(folders.cluster(cluster).resolve(MARKS));
        PrivateFiles.create(marks.resolve(system.root().getFileName()));
    }

    private boolean isOfStore(BaseSystem system) {
        return store.equals(system.root().getParent());
    }

    /** Identifies a system; an archive by its checksum, so that its unpacking changes nothing. */
    String fingerprint(BaseSystem system) {
        return isOfStore(system) ? NodeFiles.sha256(system.toString()) : system.fingerprint();
    }

    private static void unpack(Path archive, Path folder) throws IOException {
        Path partial = folder.resolveSibling("." + folder.getFileName());
        DurableFiles.deleteTree(partial);
        DurableFiles.createFolders(partial);
        try {
            LayerArchive.extract(archive, partial, LEFT_OUT);
            LayerFolder.mode(partial, 0755);
            new BaseSystem(partial).refusal().ifPresent(refusal -> {
                throw LocalMachinesException.of(
                        "use the system " + archive,
                        refusal.detail().replace(partial.toString(), archive.toString())
                                + "; make it of a folder that debootstrap made: tar -C /srv/trixie -cf " + archive
                                + " .");
            });
            Files.move(partial, folder);
        } catch (IOException | RuntimeException e) {
            DurableFiles.deleteTree(partial);
            throw e;
        }
    }

    /** As {@link #deleteUnused}; what cannot be deleted now is deleted with the next cluster. */
    void release(ImageStore images) {
        try {
            deleteUnused(images);
        } catch (LocalMachinesException e) {
            LOG.debug("systems that no cluster uses stay in {}", store, e);
        }
    }

    /** Deletes what was unpacked and no cluster and none of these images uses. */
    void deleteUnused(ImageStore images) {
        if (!Files.isDirectory(store)) {
            return;
        }
        FolderLock.holding(store, "delete unused systems in " + store, () -> {
            Set<String> used = new HashSet<>();
            images.allImages()
                    .forEach(image ->
                            used.add(BaseSystem.below(image.layers()).root().toString()));
            if (Files.isDirectory(folders.run())) {
                try (DirectoryStream<Path> clusters = Files.newDirectoryStream(folders.run())) {
                    for (Path cluster : clusters) {
                        names(cluster.resolve(MARKS))
                                .forEach(mark -> used.add(store.resolve(mark).toString()));
                    }
                }
            }
            for (Path system : names(store)) {
                if (!used.contains(store.resolve(system).toString()) && Files.isDirectory(store.resolve(system))) {
                    DurableFiles.deleteTree(store.resolve(system));
                }
            }
        });
    }

    private static List<Path> names(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (Stream<Path> entries = Files.list(folder)) {
            return entries.map(Path::getFileName).toList();
        }
    }
}
