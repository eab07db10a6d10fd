package io.clusterwright.linux.internal.local;

import io.clusterwright.linux.internal.local.Requirements.Refusal;
import io.clusterwright.linux.internal.packages.Packages.OsRelease;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The system that is the lowest layer of nodes: this machine's, or a system in a folder, such as debootstrap makes. A list of layers ends
 * with the path of its system, unless it is this machine's.
 *
 * @param root its root folder
 */
record BaseSystem(Path root) {
    static final BaseSystem THIS_MACHINE = new BaseSystem(Path.of("/"));

    private static final String LAYOUT = "local nodes, layout 1";
    private static final List<String> PROGRAMS = List.of("sshd", "sudo", "useradd", "bash");
    private static final List<String> FOLDERS = List.of("usr/sbin", "usr/bin", "sbin", "bin");
    private static final int ELF_HEADER = 20;
    private static final int ELF_MACHINE = 18;
    private static final Map<Integer, String> MACHINES = Map.of(3, "x86", 40, "ARM", 62, "x86-64", 183, "ARM64");

    /** The system below these layers. */
    static BaseSystem below(List<String> layers) {
        return layers.isEmpty() || !isSystem(layers.get(layers.size() - 1))
                ? THIS_MACHINE
                : new BaseSystem(Path.of(layers.get(layers.size() - 1)));
    }

    /** The layers above the system. */
    static List<String> above(List<String> layers) {
        return layers.stream().filter(layer -> !isSystem(layer)).toList();
    }

    private static boolean isSystem(String layer) {
        return layer.startsWith("/");
    }

    boolean isThisMachine() {
        return equals(THIS_MACHINE);
    }

    Path at(String path) {
        return root.resolve(path);
    }

    String name() {
        for (String file : List.of("usr/lib/os-release", "etc/os-release")) {
            try {
                return OsRelease.parse(Files.readString(at(file))).prettyName();
            } catch (IOException e) {
                continue;
            }
        }
        // A system without that file has no name to tell.
        return "Linux";
    }

    /** The reason for which nodes cannot run this system; empty where they can. */
    Optional<Refusal> refusal() {
        try {
            return isThisMachine() ? Optional.empty() : Optional.ofNullable(refusalOfOther());
        } catch (IOException e) {
            throw LocalMachinesException.of("read the system " + root, e);
        }
    }

    private @Nullable Refusal refusalOfOther() throws IOException {
        if (!Files.isDirectory(root)) {
            return new Refusal(
                    "there is no folder " + root,
                    "correct the path, which is relative to the folder of the spec; or make a system: " + makeLine());
        }
        if (Files.isSameFile(root, Path.of("/"))) {
            return new Refusal(root + " is the system of this machine", "write image: {base: auto}");
        }
        if (!root.toString().matches("[A-Za-z0-9._/+@-]+")) {
            return new Refusal(
                    "the path " + root + " has a character that the mount of a node cannot take",
                    "rename the folder: use letters, digits or . _ / + @ -");
        }
        if (!Files.isDirectory(at("usr/bin"))
                || Stream.of("etc/os-release", "usr/lib/os-release")
                        .noneMatch(file -> Files.exists(at(file), LinkOption.NOFOLLOW_LINKS))) {
            return new Refusal(
                    root + " is not a Linux system: it has no "
                            + (Files.isDirectory(at("usr/bin")) ? "etc/os-release" : "usr/bin"),
                    "write the folder that has usr and etc, or make a system: " + makeLine());
        }
        List<String> missing = PROGRAMS.stream()
                .filter(program -> FOLDERS.stream()
                        .noneMatch(folder -> Files.exists(at(folder + "/" + program), LinkOption.NOFOLLOW_LINKS)))
                .toList();
        if (!missing.isEmpty()) {
            return new Refusal(
                    "the system " + root + " has no " + String.join(", ", missing) + ", which each node needs",
                    "make the system again: " + makeLine());
        }
        int machine = machine(at("usr/sbin/sshd"));
        int here = machine(Path.of("/proc/self/exe"));
        if (machine != here && machine != 0) {
            return new Refusal(
                    "the system " + root + " is for " + MACHINES.getOrDefault(machine, "another")
                            + " processors, and this machine has " + MACHINES.getOrDefault(here, "another")
                            + " processors",
                    "write a system for the processors of this machine");
        }
        if (UserNamespace.isNeeded() && !belongsToRootOfNodes()) {
            return new Refusal(
                    "the files of " + root + " belong to another user, so root of a node could not change them",
                    "write an archive in place of the folder: sudo tar -C " + root
                            + " -cf system.tar . and image: {base: file:system.tar}");
        }
        return null;
    }

    private boolean belongsToRootOfNodes() {
        return HostCommand.query("stat", "--format=%u", at("usr/bin").toString())
                .orThrow("find the owner of " + root)
                .strip()
                .equals("0");
    }

    private static String makeLine() {
        return "debootstrap --include=openssh-server,sudo,python3 trixie /srv/trixie";
    }

    /** The kind of processor that a program is for, as its header has it; 0 where it is no program. */
    private static int machine(Path program) throws IOException {
        if (!Files.isReadable(program)) {
            return 0;
        }
        try (var content = Files.newInputStream(program)) {
            ByteBuffer header = ByteBuffer.wrap(content.readNBytes(ELF_HEADER)).order(ByteOrder.nativeOrder());
            return header.capacity() == ELF_HEADER && header.get(1) == 'E' ? header.getShort(ELF_MACHINE) : 0;
        }
    }

    BaseSystem orThrow() {
        refusal().ifPresent(refusal -> {
            throw LocalMachinesException.of("use the system " + root, refusal.detail() + "; " + refusal.remedy());
        });
        return this;
    }

    /** Changes when a package is installed, removed or updated in the system, and when its lists of packages change. */
    String fingerprint() {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            String where = isThisMachine() ? "" : root + "\n";
            digest.update((LAYOUT + "\n" + where + name() + "\n" + System.getProperty("os.arch") + "\n")
                    .getBytes(StandardCharsets.UTF_8));
            List<Path> lists = new ArrayList<>(List.of(at("var/lib/dpkg/status")));
            lists.addAll(HostPackages.databases(root));
            lists.removeIf(list -> !Files.exists(list, LinkOption.NOFOLLOW_LINKS));
            for (Path list : lists) {
                digest.update(Files.readAllBytes(list));
            }
            for (Path offer : offers()) {
                digest.update(Files.readAllBytes(offer));
            }
            return HexFormat.of().formatHex(digest.digest());
        } catch (NoSuchAlgorithmException | IOException e) {
            throw LocalMachinesException.of("identify the system " + root, e);
        }
    }

    /** Package lists of the distribution: a new security update changes these, and nothing else here. */
    private List<Path> offers() throws IOException {
        Path folder = at("var/lib/apt/lists");
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (Stream<Path> lists = Files.list(folder)) {
            return lists.filter(list -> list.getFileName().toString().endsWith("Release"))
                    .sorted()
                    .toList();
        }
    }

    @Override
    public String toString() {
        return isThisMachine() ? "this machine" : root.toString();
    }
}
