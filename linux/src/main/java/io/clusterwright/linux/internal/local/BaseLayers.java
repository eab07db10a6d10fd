package io.clusterwright.linux.internal.local;

import io.clusterwright.core.internal.text.TextResource;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The two layers between this machine's root file system and every node: white-outs over private files of the machine, and
 * empty folders and locked accounts in their place.
 */
final class BaseLayers {
    /** Folder names, the upper first. */
    static final List<String> NAMES = List.of("fresh", "mask");

    private static final Set<String> SYSTEM =
            Set.of("bin", "boot", "etc", "lib", "lib32", "lib64", "libx32", "opt", "sbin", "usr", "var");
    private static final Map<String, Integer> EMPTY = Map.of(
            "dev", 0755, "home", 0755, "media", 0755, "mnt", 0755, "proc", 0555, "root", 0700, "run", 0755, "srv", 0755,
            "sys", 0555, "tmp", 01777);
    private static final String LOCKED = "*";

    private final LayerFolder mask;
    private final LayerFolder fresh;
    private final Path whiteout;

    private BaseLayers(Path cluster) throws IOException {
        this.fresh = LayerFolder.create(cluster.resolve(NAMES.get(0)));
        this.mask = LayerFolder.create(cluster.resolve(NAMES.get(1)));
        this.whiteout = cluster.resolve("whiteout");
    }

    /**
     * Makes both layers, anew.
     *
     * @param absent not there at all, also when they come to be on this machine later
     */
    static void create(Path cluster, Set<Path> absent) {
        try {
            for (String name : NAMES) {
                DurableFiles.deleteTree(cluster.resolve(name));
            }
            Files.deleteIfExists(cluster.resolve("whiteout"));
            new BaseLayers(cluster).fill(absent);
        } catch (IOException e) {
            throw LocalMachinesException.of("hide this machine's own files from the nodes", e);
        }
    }

    private void fill(Set<Path> absent) throws IOException {
        HostCommand.of("mknod", whiteout.toString(), "c", "0", "0").orThrow("make a white-out");
        try (DirectoryStream<Path> top = Files.newDirectoryStream(Path.of("/"))) {
            for (Path entry : top) {
                if (!SYSTEM.contains(entry.getFileName().toString())) {
                    Files.createLink(mask.at(entry), whiteout);
                }
            }
        }
        for (Map.Entry<String, Integer> folder : EMPTY.entrySet()) {
            LayerFolder.mode(Files.createDirectory(fresh.folder().resolve(folder.getKey())), folder.getValue());
        }
        for (String line : maskedPaths()) {
            for (Path path : matching(line)) {
                hide(path, line.endsWith("/"));
            }
        }
        for (Path path : absent) {
            whiteOut(path);
        }
        lockPasswords("/etc/shadow");
        lockPasswords("/etc/gshadow");
        if (!Files.exists(Path.of("/usr/sbin/policy-rc.d"))) {
            fresh.file("/usr/sbin/policy-rc.d", "#!/bin/sh\n# A node has no service manager.\nexit 101\n", 0755);
        }
    }

    private static List<String> maskedPaths() {
        return TextResource.read(BaseLayers.class.getResourceAsStream("masked-paths.txt"), "masked-paths.txt")
                .lines()
                .filter(line -> !line.isBlank() && !line.startsWith("#"))
                .toList();
    }

    private void hide(Path path, boolean keepFolders) throws IOException {
        if (!Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        Path real = realPath(path);
        if (whiteOut(path) && Files.isDirectory(real, LinkOption.NOFOLLOW_LINKS)) {
            fresh.folder(real, 0755);
            if (keepFolders) {
                try (DirectoryStream<Path> inside = Files.newDirectoryStream(real)) {
                    for (Path entry : inside) {
                        if (Files.isDirectory(entry, LinkOption.NOFOLLOW_LINKS)) {
                            fresh.folder(entry, 0755);
                        }
                    }
                }
            }
        }
    }

    /** Answers false where nodes do not see the path's top-level folder in any case. */
    private boolean whiteOut(Path path) throws IOException {
        if (!Files.isDirectory(LayerFolder.above(path))) {
            return false;
        }
        Path real = realPath(path);
        if (real.getNameCount() < 2 || !SYSTEM.contains(real.getName(0).toString())) {
            return false;
        }
        mask.folder(LayerFolder.above(real), 0755);
        if (!Files.exists(mask.at(real), LinkOption.NOFOLLOW_LINKS)) {
            Files.createLink(mask.at(real), whiteout);
        }
        return true;
    }

    private static Path realPath(Path path) throws IOException {
        return LayerFolder.above(path).toRealPath().resolve(path.getFileName());
    }

    private void lockPasswords(String file) throws IOException {
        Path path = Path.of(file);
        if (!Files.exists(path)) {
            return;
        }
        String locked =
                Files.readAllLines(path).stream().map(BaseLayers::lock).collect(Collectors.joining("\n", "", "\n"));
        Path layered = fresh.folder(LayerFolder.above(path), 0755).resolve(path.getFileName());
        Files.createFile(layered);
        LayerFolder.mirror(path, layered);
        Files.writeString(layered, locked);
    }

    static String lock(String line) {
        String[] fields = line.split(":", -1);
        if (fields.length < 2) {
            return line;
        }
        fields[1] = LOCKED;
        return String.join(":", fields);
    }

    private static List<Path> matching(String line) throws IOException {
        Path path = Path.of(line);
        String name = path.getFileName().toString();
        if (!name.contains("*")) {
            return List.of(path);
        }
        List<Path> found = new ArrayList<>();
        if (Files.isDirectory(LayerFolder.above(path))) {
            try (DirectoryStream<Path> entries = Files.newDirectoryStream(LayerFolder.above(path), name)) {
                entries.forEach(found::add);
            }
        }
        return found;
    }
}
