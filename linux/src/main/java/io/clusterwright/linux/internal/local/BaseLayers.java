package io.clusterwright.linux.internal.local;

import io.clusterwright.core.internal.text.TextResource;
import io.clusterwright.linux.internal.node.NodeFiles;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The two layers between this machine's root file system and every node: white-outs over private files of the machine, and
 * empty folders and locked accounts in their place.
 */
final class BaseLayers {
    private static final String FRESH = "fresh";
    private static final String MASK = "mask";
    private static final String SYSTEM_COPY = "system";

    /** Folder names of the layers above this machine's root, the upper first. */
    private static final List<String> NAMES = UserNamespace.isNeeded()
            ? List.of(FRESH, MASK, SYSTEM_COPY + "/files", SYSTEM_COPY + "/mask")
            : List.of(FRESH, MASK);

    private static final String COPY = "copy-system.sh";
    private static final Duration COPY_LIMIT = Duration.ofMinutes(5);

    private static final Set<String> SYSTEM =
            Set.of("bin", "boot", "etc", "lib", "lib32", "lib64", "libx32", "opt", "sbin", "usr", "var");
    private static final Map<String, Integer> EMPTY = Map.of(
            "dev", 0755, "home", 0755, "media", 0755, "mnt", 0755, "proc", 0555, "root", 0700, "run", 0755, "srv", 0755,
            "sys", 0555, "tmp", 01777);
    private static final String LOCKED = "*";
    private static final String NO_SERVICES = "#!/bin/sh\n# A node has no service manager.\nexit 101\n";
    /** The folders in which a file that others may not read is hidden; the other folders hold what packages made, or are empty in a node. */
    private static final List<String> WITH_PRIVATE_FILES = List.of("/boot", "/etc", "/opt", "/usr/local", "/var");
    /** Files that nodes need, with locked passwords, although others may not read them. */
    private static final Set<Path> NEEDED =
            Set.of(Path.of("/etc/shadow"), Path.of("/etc/gshadow"), Path.of("/etc/sudoers"));

    private static final Duration SEARCH_LIMIT = Duration.ofMinutes(2);

    private final LayerFolder mask;
    private final LayerFolder fresh;
    private final Path whiteout;

    private BaseLayers(Path cluster) throws IOException {
        this.fresh = LayerFolder.create(cluster.resolve(FRESH));
        this.mask = LayerFolder.create(cluster.resolve(MASK));
        this.whiteout = cluster.resolve("whiteout");
    }

    /**
     * Makes both layers, anew.
     *
     * @param absent not there at all, also when they come to be on this machine later
     */
    static void create(Path cluster, Set<Path> absent) {
        try {
            for (String name : List.of(FRESH, MASK, SYSTEM_COPY)) {
                DurableFiles.deleteTree(cluster.resolve(name));
            }
            Files.deleteIfExists(cluster.resolve("whiteout"));
            BaseLayers layers = new BaseLayers(cluster);
            if (UserNamespace.isNeeded()) {
                Files.createSymbolicLink(cluster.resolve(SYSTEM_COPY), system());
            }
            layers.fill(absent);
        } catch (IOException e) {
            throw LocalMachinesException.of("hide this machine's own files from the nodes", e);
        }
    }

    /** The folder names of the layers above a system, the upper first. */
    static List<String> names(BaseSystem system) {
        return system.isThisMachine()
                ? NAMES
                : List.of(FRESH + "-" + NodeFiles.sha256(system.toString()).substring(0, 8));
    }

    /** Makes the layer above another system than this machine's, which has nothing to hide, unless it is there. */
    static synchronized void createAbove(BaseSystem system, Path cluster) throws IOException {
        Path folder = cluster.resolve(names(system).get(0));
        if (!Files.isDirectory(folder)) {
            Path partial = folder.resolveSibling(folder.getFileName() + ".part");
            DurableFiles.deleteTree(partial);
            LayerFolder layer = LayerFolder.create(partial, system);
            for (Map.Entry<String, Integer> empty : EMPTY.entrySet()) {
                layer.folder(Path.of("/", empty.getKey()), empty.getValue());
            }
            if (Files.isDirectory(system.at("etc/update-motd.d"))) {
                Path messages = Path.of("/etc/update-motd.d");
                layer.folder(LayerFolder.above(messages), 0755);
                Files.createLink(layer.at(messages), cluster.resolve("whiteout"));
            }
            if (Files.exists(system.at("var/lib/dpkg"))) {
                layer.file("/usr/sbin/policy-rc.d", NO_SERVICES, 0755);
            }
            Files.move(partial, folder);
        }
    }

    private void fill(Set<Path> absent) throws IOException {
        HostCommand.of("mknod", whiteout.toString(), "c", "0", "0").orThrow("make a white-out");
        try (DirectoryStream<Path> top = Files.newDirectoryStream(Path.of("/"))) {
            for (Path entry : top) {
                if (!UserNamespace.isNeeded()
                        && !SYSTEM.contains(entry.getFileName().toString())) {
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
        for (Path path : closedToOthers()) {
            if (!absent.contains(path) && !NEEDED.contains(path)) {
                hide(path, false);
            }
        }
        if (!UserNamespace.isNeeded()) {
            lockPasswords("/etc/shadow");
            lockPasswords("/etc/gshadow");
        }
        if (!Files.exists(Path.of("/usr/sbin/policy-rc.d"))) {
            fresh.file("/usr/sbin/policy-rc.d", NO_SERVICES, 0755);
        }
        if (UserNamespace.isNeeded()) {
            giveFoldersAway();
        }
    }

    /** The copy of what root of a node of an ordinary user must own; made again when packages or files of /etc have changed. */
    private static Path system() throws IOException {
        Path copies = DurableFiles.createFolders(Folders.STANDARD.store().resolve("system"));
        String state = HostCommand.query("find", "/etc", "-xdev", "-printf", "%p %T@ %m %U %G\\n")
                .outside()
                .run("list /etc")
                .stdout();
        Path copy = copies.resolve(
                NodeFiles.sha256(BaseSystem.THIS_MACHINE.fingerprint() + wholeTrees() + copyScript() + state)
                        .substring(0, 16));
        FolderLock.holding(copies, () -> {
            if (!Files.isDirectory(copy)) {
                removeUnused(copies);
                Path partial = copies.resolve("partial");
                DurableFiles.deleteTree(partial);
                LayerFolder.create(DurableFiles.createFolders(partial).resolve("files"));
                LayerFolder.create(partial.resolve("mask"));
                copySystem(partial);
                Files.move(partial, copy);
            }
        });
        return copy;
    }

    /** Deletes earlier copies, unless a cluster may use them. */
    private static void removeUnused(Path copies) throws IOException {
        if (KernelRoutes.links().stream().anyMatch(link -> link.owner().isPresent())) {
            return;
        }
        try (DirectoryStream<Path> old = Files.newDirectoryStream(copies, "[!.]*")) {
            for (Path each : old) {
                DurableFiles.deleteTree(each);
            }
        }
    }

    /** Copies what root of a node of an ordinary user must own, with the owners of the files. */
    private static void copySystem(Path target) {
        List<String> command = new ArrayList<>(List.of(
                "/bin/sh",
                "-c",
                copyScript(),
                COPY,
                target.toString(),
                wholeTrees().contains(Path.of("/var")) ? "n" : "y"));
        command.addAll(UserNamespace.enter(List.of()));
        HostCommand.of(command)
                .outside()
                .timeout(COPY_LIMIT)
                .input(String.join("\n", maskedPaths()) + "\n")
                .orThrow("copy this machine's system files for the nodes of an ordinary user");
    }

    /**
     * The top-level folders of this machine that are lowest layers of an ordinary user's nodes. The kernel lets no user look below
     * what is mounted in such a folder.
     */
    static List<Path> wholeTrees() {
        List<Path> points = Mounts.points();
        return SYSTEM.stream()
                .filter(name -> !name.equals("boot") && !name.equals("etc"))
                .sorted()
                .map(name -> Path.of("/", name))
                .filter(tree -> Files.isDirectory(tree, LinkOption.NOFOLLOW_LINKS))
                .filter(tree -> points.stream().noneMatch(point -> point.startsWith(tree) && !point.equals(tree)))
                .toList();
    }

    private static String copyScript() {
        return TextResource.read(BaseLayers.class.getResourceAsStream(COPY), COPY);
    }

    /** Gives the empty folders of an ordinary user's nodes the owners that the folders have on this machine. */
    private void giveFoldersAway() throws IOException {
        StringBuilder owners = new StringBuilder();
        try (Stream<Path> entries = Files.walk(fresh.folder())) {
            for (Path entry : (Iterable<Path>) entries::iterator) {
                Path inside = fresh.folder().relativize(entry);
                Path real = Path.of("/").resolve(inside);
                if (Files.isDirectory(entry, LinkOption.NOFOLLOW_LINKS) && Files.isDirectory(real)) {
                    owners.append(Files.getAttribute(real, "unix:uid"))
                            .append(':')
                            .append(Files.getAttribute(real, "unix:gid"))
                            .append(" ./")
                            .append(inside)
                            .append('\n');
                }
            }
        }
        // An id beyond the range of this user has no counterpart: the folder stays root's.
        HostCommand.of(
                        "sh",
                        "-c",
                        "cd \"$1\" && while read -r owner path; do chown \"$owner\" \"$path\" || :; done",
                        "sh",
                        fresh.folder().toString())
                .input(owners.toString())
                .orThrow("give folders of nodes to their owners");
    }

    private static List<String> maskedPaths() {
        return TextResource.read(BaseLayers.class.getResourceAsStream("masked-paths.txt"), "masked-paths.txt")
                .lines()
                .filter(line -> !line.isBlank() && !line.startsWith("#"))
                .toList();
    }

    /** The files and folders of this machine that others may not read, but not what is in such a folder. */
    private static List<Path> closedToOthers() {
        List<String> search = new ArrayList<>(List.of("find"));
        WITH_PRIVATE_FILES.stream()
                .filter(folder -> Files.isDirectory(Path.of(folder), LinkOption.NOFOLLOW_LINKS))
                .forEach(search::add);
        search.add("-xdev");
        for (String hidden : maskedPaths()) {
            search.addAll(List.of("-path", hidden.replaceAll("/$", ""), "-prune", "-o"));
        }
        search.addAll(
                List.of("! -type l ( -type d ! -perm -005 -o ! -type d ! -perm -004 ) -print0 -prune".split(" ")));
        HostCommand.Result found = HostCommand.of(search)
                .changesNothing()
                .outside()
                .timeout(SEARCH_LIMIT)
                .run("search for files that nodes may not see");
        // 1: a file was gone before it was looked at.
        if (found.exitStatus() > 1) {
            throw found.failure("search for files that nodes may not see");
        }
        return Stream.of(found.stdout().split("\0"))
                .filter(name -> !name.isEmpty())
                .map(BaseLayers::spelled)
                .toList();
    }

    /** A path, or the folder above a name that is not in the character set of this process. */
    private static Path spelled(String name) {
        try {
            if (name.indexOf('\uFFFD') < 0) {
                return Path.of(name);
            }
        } catch (InvalidPathException e) {
            // The folder above is hidden.
        }
        return spelled(name.substring(0, name.lastIndexOf('/')));
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
