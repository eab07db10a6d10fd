package io.clusterwright.linux.internal.local;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.clusterwright.core.StoredImage;
import io.clusterwright.core.internal.file.LockedFile;
import io.clusterwright.core.internal.file.PrivateFiles;
import io.clusterwright.core.internal.json.Json;
import io.clusterwright.core.spi.MachineProvider.ImageClaim;
import io.clusterwright.core.type.ClusterId;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.linux.internal.local.LayerArchive.Compression;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The captured images, in {@code Folders.images()}: a small description per image, and the archives of their layers under their checksums, so that
 * images made of one another share what they have in common and any of them can be deleted.
 *
 * <p>The folder {@code layers} has each layer that a cluster used once more, unpacked: its files, their size, and for each cluster that stands on
 * it a link to the record of the cluster. The record is deleted last of a cluster, and after a reboot it is gone with the nodes of root, so a
 * link that leads nowhere holds nothing. A layer is there as a whole or not at all: it gets its name when it is complete and loses it before it is deleted.
 *
 * <p>Safe for use by several threads and processes.
 */
final class ImageStore {
    private static final Logger LOG = LoggerFactory.getLogger(ImageStore.class);
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,127}");
    private static final String PROVEN = "proven";
    private static final String OWNER = "owner";
    private static final String DESCRIPTION = ".json";
    private static final String BUILDING = ".building-";
    private static final Duration POLL = Duration.ofMillis(100);
    /** The start of the name of a layer that is incomplete, because it is being unpacked or deleted. */
    private static final String PARTIAL = ".part-";

    private static final String FILES = "files";
    private static final String BYTES = "bytes";
    private static final Duration LAYER_LIMIT = Duration.ofMinutes(5);

    private final Path folder;
    private final Path layers;

    ImageStore(Path folder) {
        this.folder = folder;
        this.layers = folder.resolve("layers");
    }

    /** All images that can be read, newest first: a damaged one counts as none, and hinders no other. */
    List<StoredLayers> images() {
        return images(file -> {
            try {
                return read(file);
            } catch (LocalMachinesException damaged) {
                LOG.debug("{} is left out", file, damaged);
                return Optional.empty();
            }
        });
    }

    /**
     * All images, newest first: for what is deleted unless an image has it.
     *
     * @throws LocalMachinesException when one is damaged
     */
    List<StoredLayers> allImages() {
        return images(this::read);
    }

    private List<StoredLayers> images(Function<Path, Optional<StoredLayers>> read) {
        List<StoredLayers> images = new ArrayList<>();
        if (Files.isDirectory(folder)) {
            try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, "[!.]*" + DESCRIPTION)) {
                for (Path file : files) {
                    read.apply(file).ifPresent(images::add);
                }
            } catch (IOException e) {
                throw LocalMachinesException.of("list the images in " + folder, e);
            }
        }
        images.sort(Comparator.comparing((StoredLayers each) -> each.image().created())
                .reversed());
        return images;
    }

    StoredLayers require(String name) {
        return read(description(name)).orElseThrow(() -> {
            List<String> names =
                    images().stream().map(each -> each.image().name()).toList();
            return LocalMachinesException.of(
                    "use the image " + name,
                    "there is no image of that name in " + folder
                            + (names.isEmpty()
                                    ? ", and no other image"
                                    : "; the images are " + String.join(", ", names)));
        });
    }

    /** The archive of a layer, however it is compressed. */
    Path archive(String layer) {
        return Stream.of(Compression.values())
                .map(compression -> folder.resolve(layer + compression.suffix()))
                .filter(Files::exists)
                .findFirst()
                .orElseGet(() -> folder.resolve(layer + Compression.GZIP.suffix()));
    }

    /**
     * Gives a cluster the files of a layer, which nodes see through overlays and cannot change: as a link to the only copy on this machine, or
     * unpacked where the store is on a file system that can have no layers of overlays, such as an overlay.
     *
     * @param place the folder of the layer in the cluster
     * @param record the record of the cluster
     */
    void provide(String layer, Path place, ClusterId cluster, Path record) throws IOException {
        if (Files.isDirectory(place)) {
            return;
        }
        FolderLock.holding(folder, () -> {
            Path shared = layers.resolve(layer);
            if (!Files.isDirectory(shared) && !unpack(layer, shared)) {
                LayerArchive.unpack(archive(layer), place);
            } else if (!Files.isDirectory(place)) {
                link(shared.resolve(cluster.id()), record);
                link(place, shared.resolve(FILES));
            }
        });
    }

    /** Answers false where the file system of the store can have no unpacked layers. */
    private boolean unpack(String layer, Path shared) throws IOException {
        Path partial = Files.createTempDirectory(DurableFiles.createFolders(layers), PARTIAL);
        try {
            if (new HostFacts().refusedOverlay(partial).isPresent()) {
                return false;
            }
            Path files = partial.resolve(FILES);
            LayerArchive.unpack(archive(layer), files);
            String size = HostCommand.query("du", "-s", "-B1", files.toString())
                    .timeout(LAYER_LIMIT)
                    .orThrow("measure the layer " + files);
            Files.writeString(partial.resolve(BYTES), size.split("\\s")[0]);
            // A loss of power must not leave the name of the layer and lose its files.
            HostCommand.of("sync", "-f", partial.toString())
                    .timeout(LAYER_LIMIT)
                    .orThrow("write the layer " + files + " to the disk");
            Files.move(partial, shared);
            return true;
        } finally {
            DurableFiles.deleteTree(partial);
        }
    }

    private static void link(Path link, Path target) throws IOException {
        Files.deleteIfExists(link);
        Files.createSymbolicLink(link, target);
        HostCommand.changed("link " + link);
    }

    /** Deletes the layers of deleted images that no cluster stands on any more. */
    void release() {
        if (!Files.isDirectory(layers)) {
            return;
        }
        try {
            FolderLock.holding(folder, this::collectGarbage);
        } catch (IOException | LocalMachinesException e) {
            return; // The next change of the store deletes them.
        }
    }

    /**
     * Keeps a folder's content as an image on top of other layers, replacing an image of that name.
     *
     * @param owner the mark of its owner; empty for none
     */
    void capture(String name, String owner, Path upper, List<String> below, boolean running) {
        String step = "keep the image " + name;
        Path description = description(name);
        Path temporary = null;
        try {
            DurableFiles.createFolders(folder);
            ProcessIdentity self = ProcessIdentity.current();
            temporary = Files.createTempFile(folder, "." + self.pid() + "-" + self.startTicks() + "-", ".tmp");
            Compression compression = Compression.best();
            String layer = LayerArchive.pack(upper, temporary, compression, running, step);
            Path complete = temporary;
            FolderLock.holding(folder, () -> {
                DurableFiles.move(complete, folder.resolve(layer + compression.suffix()));
                List<String> layers = new ArrayList<>(List.of(layer));
                layers.addAll(below);
                DurableFiles.write(description, describe(name, owner, layers));
                collectGarbage();
            });
        } catch (IOException e) {
            throw LocalMachinesException.of(step, e);
        } finally {
            deleteQuietly(temporary);
        }
    }

    /**
     * Tries to become the only builder of an image: the lock of a file, which ends with the process. The file says who holds it, and goes
     * with the lock, both while the folder is locked.
     */
    ImageClaim claim(String name, String builder) {
        String step = "become the builder of the image " + name;
        description(name);
        Path file = folder.resolve(BUILDING + name);
        AtomicReference<ImageClaim> claim = new AtomicReference<>();
        try {
            DurableFiles.createFolders(folder);
            FolderLock.holding(folder, () -> claim.set(tryClaim(file, builder)));
        } catch (IOException e) {
            throw LocalMachinesException.of(step, e);
        }
        return Objects.requireNonNull(claim.get());
    }

    private ImageClaim tryClaim(Path file, String builder) throws IOException {
        LockedFile lock = LockedFile.attempt(file);
        if (lock.isOurs()) {
            try {
                lock.write(builder + ", process " + ProcessIdentity.current().pid());
            } catch (IOException e) {
                lock.close();
                throw e;
            }
            return () -> release(file, lock);
        }
        return new ImageClaim() {
            @Override
            public Optional<String> builder() {
                return Optional.of(lock.text().isEmpty() ? "another process" : lock.text());
            }

            @Override
            public void awaitChange() {
                Mounts.pause(POLL);
            }

            @Override
            public void close() {}
        };
    }

    private void release(Path file, LockedFile lock) {
        if (!lock.isOurs()) {
            return;
        }
        try (lock) {
            FolderLock.holding(folder, () -> {
                Files.deleteIfExists(file);
                lock.close();
            });
        } catch (IOException e) {
            throw LocalMachinesException.of("end the claim " + file, e);
        }
    }

    /** Writes down that a machine is made from it: as the time of the description, so that many machines need no lock. */
    void used(String name) {
        try {
            Files.setLastModifiedTime(description(name), FileTime.from(Instant.now()));
        } catch (IOException e) {
            throw LocalMachinesException.of("use the image " + name, e);
        }
    }

    /** Writes down that a machine booted from it passed its test. */
    void proven(String name) {
        Path description = description(name);
        require(name);
        FolderLock.holding(folder, "write down that the image " + name + " passed its test", () -> {
            ObjectNode image = (ObjectNode) Json.MAPPER.readTree(Files.readString(description));
            DurableFiles.write(description, image.put(PROVEN, true));
        });
    }

    void delete(String name) {
        if (!Files.isDirectory(folder)) {
            return;
        }
        Path description = description(name);
        FolderLock.holding(folder, "delete the image " + name, () -> {
            Files.deleteIfExists(description);
            collectGarbage();
        });
    }

    /** Deletes archives and layers that no image has, and what ended processes left; nothing while an image is damaged. */
    private void collectGarbage() throws IOException {
        List<StoredLayers> images;
        try {
            images = allImages();
        } catch (LocalMachinesException damaged) {
            LOG.debug("layers that no image has stay in {}", folder, damaged);
            return;
        }
        Set<String> wanted = new HashSet<>();
        Set<String> archives = new HashSet<>();
        for (StoredLayers image : images) {
            wanted.addAll(image.layers());
            BaseSystem.above(image.layers())
                    .forEach(layer -> archives.add(archive(layer).getFileName().toString()));
        }
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
            for (Path file : files) {
                String name = file.getFileName().toString();
                boolean orphan = Compression.of(file).isPresent() && !archives.contains(name);
                if (orphan || name.endsWith(".new") || (name.endsWith(".tmp") && !ownerLives(name))) {
                    Files.deleteIfExists(file);
                }
            }
        }
        if (Files.isDirectory(layers)) {
            collectLayers(wanted);
            PrivateFiles.removeIfEmpty(layers);
        }
    }

    private void collectLayers(Set<String> wanted) throws IOException {
        try (DirectoryStream<Path> unpacked = Files.newDirectoryStream(layers)) {
            for (Path layer : unpacked) {
                String name = layer.getFileName().toString();
                Path partial = name.startsWith(PARTIAL) ? layer : layers.resolve(PARTIAL + name);
                if (!layer.equals(partial)) {
                    if (isHeld(layer) || wanted.contains(name)) {
                        continue;
                    }
                    DurableFiles.deleteTree(partial);
                    Files.move(layer, partial);
                }
                DurableFiles.deleteTree(partial);
            }
        }
    }

    /** Whether a cluster stands on an unpacked layer; deletes the links of clusters that are gone. */
    private static boolean isHeld(Path layer) throws IOException {
        boolean held = false;
        try (DirectoryStream<Path> links = Files.newDirectoryStream(layer, Files::isSymbolicLink)) {
            for (Path link : links) {
                if (Files.exists(link)) {
                    held = true;
                } else {
                    Files.deleteIfExists(link);
                }
            }
        }
        return held;
    }

    private static boolean ownerLives(String temporary) {
        String[] parts = temporary.substring(1).split("-");
        return parts.length >= 2
                && parts[0].matches("[0-9]{1,18}")
                && parts[1].matches("[0-9]{1,18}")
                && new ProcessIdentity(Long.parseLong(parts[0]), Long.parseLong(parts[1])).isAlive();
    }

    private Path description(String name) {
        if (!NAME.matcher(name).matches()) {
            throw LocalMachinesException.of(
                    "use the image " + name, "a name has letters, digits or . _ - (example: cluster-1a2b)");
        }
        return folder.resolve(name + DESCRIPTION);
    }

    private ObjectNode describe(String name, String owner, List<String> layers) throws IOException {
        ObjectNode image = Json.object();
        image.put("name", name).put("created", Instant.now().toString());
        if (!owner.isEmpty()) {
            image.put(OWNER, owner);
        }
        long size = 0;
        for (String layer : layers) {
            image.withArray("layers").add(layer);
        }
        for (String layer : BaseSystem.above(layers)) {
            size += Files.size(archive(layer));
        }
        return image.put("sizeBytes", size);
    }

    private Optional<StoredLayers> read(Path file) {
        try {
            Optional<JsonNode> image = DurableFiles.read(file);
            return image.isEmpty() ? Optional.empty() : Optional.of(stored(file, image.get()));
        } catch (FileSystemException e) {
            throw LocalMachinesException.of("read the record " + file, e);
        } catch (IOException | DateTimeException | IllegalArgumentException | ClusterwrightException e) {
            throw LocalMachinesException.damaged(file, e, "delete it and build the image again");
        }
    }

    private StoredLayers stored(Path file, JsonNode image) throws IOException {
        List<String> names = new ArrayList<>();
        long size = image.path("sizeBytes").asLong();
        for (JsonNode layer : image.path("layers")) {
            names.add(layer.asText());
        }
        String name = image.path("name").asText();
        if (!NAME.matcher(name).matches() || names.isEmpty()) {
            throw new IllegalArgumentException("it has no name or no layers");
        }
        for (String layer : BaseSystem.above(names)) {
            size += unpackedBytes(layer);
        }
        Instant created = Instant.parse(image.path("created").asText());
        StoredImage stored = new StoredImage(
                name,
                created,
                size,
                image.path(PROVEN).asBoolean(),
                image.path(OWNER).asText());
        return new StoredLayers(stored.usedAt(used(file).orElse(created)), names);
    }

    /** The size of a layer's files; 0 where it is not unpacked. */
    private long unpackedBytes(String layer) throws IOException {
        try {
            return Long.parseLong(Files.readString(layers.resolve(layer).resolve(BYTES)));
        } catch (NoSuchFileException e) {
            return 0;
        }
    }

    /** When an image was used last; empty where it is being deleted. */
    private static Optional<Instant> used(Path file) {
        try {
            return Optional.of(Files.getLastModifiedTime(file).toInstant().truncatedTo(ChronoUnit.SECONDS));
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    private static void deleteQuietly(@Nullable Path file) {
        try {
            if (file != null) {
                Files.deleteIfExists(file);
            }
        } catch (IOException ignored) {
            // The next change of the store deletes it.
        }
    }

    /**
     * Description of a stored image.
     *
     * @param image what the store tells of it
     * @param layers the checksums of its layers' archives, the upper first
     */
    record StoredLayers(StoredImage image, List<String> layers) {
        StoredLayers {
            layers = List.copyOf(layers);
        }
    }
}
