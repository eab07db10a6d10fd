package io.clusterwright.examples.e2e;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitOption;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Everything on this machine that carries a cluster's name, interface names, addresses or user. Other clusters may come and go meanwhile.
 *
 * @param facts each with where it was seen
 */
record MachineSnapshot(Set<String> facts) {
    private static final List<List<String>> TABLES = List.of(
            List.of("ip", "-o", "link"),
            List.of("ip", "-o", "address"),
            List.of("ip", "-4", "route", "show", "table", "all"),
            List.of("ip", "-6", "route", "show", "table", "all"),
            List.of("ip", "rule"),
            List.of("ip", "neighbour"),
            List.of("ip", "netns", "list"));
    private static final List<String> FILES = List.of(
            "/proc/self/mountinfo",
            "/etc/hosts",
            "/etc/passwd",
            "/etc/group",
            "/etc/shadow",
            "/etc/fstab",
            "/etc/security/limits.conf",
            "/etc/ssh/ssh_config",
            "/etc/ssh/ssh_known_hosts",
            "/etc/ssh/sshd_config",
            System.getProperty("user.home") + "/.ssh/config",
            System.getProperty("user.home") + "/.ssh/known_hosts",
            System.getProperty("user.home") + "/.ssh/authorized_keys");
    private static final List<String> FOLDERS = List.of(
            "/run",
            "/tmp",
            "/var/tmp",
            "/dev/shm",
            "/var/lib/clusterwright",
            "/home",
            "/etc/sudoers.d",
            "/etc/ssh",
            "/etc/security",
            "/etc/systemd/system",
            "/sys/fs/cgroup");
    private static final int DEPTH = 4;

    static MachineSnapshot of(TestCluster cluster, Path state) {
        return of(
                state,
                Pattern.quote(cluster.name()),
                Pattern.quote(cluster.linkId()),
                "(?<![0-9.])10\\." + cluster.octet() + "\\.",
                "\\b" + cluster.prefix() + "[0-9]",
                "\\b" + cluster.user() + "\\b");
    }

    static MachineSnapshot of(Path state, String... marks) {
        Pattern ours = Pattern.compile(String.join("|", marks));
        Set<String> facts = new TreeSet<>();
        TABLES.forEach(
                table -> keep(ours, String.join(" ", table), output(table).lines(), facts));
        for (String file : FILES) {
            keep(ours, file, read(Path.of(file)).lines(), facts);
        }
        for (String folder : FOLDERS) {
            keep(ours, "files", paths(Path.of(folder), state), facts);
        }
        paths(state, Path.of("/nowhere"))
                .filter(path -> !path.equals(state.toString()))
                // The identity of the folder, with which it owns images: it stays.
                .filter(path -> !path.equals(state.resolve("owner").toString()))
                .forEach(path -> facts.add("state: " + path));
        processes(ours, facts);
        return new MachineSnapshot(facts);
    }

    boolean isEmpty() {
        return facts.isEmpty();
    }

    private static void keep(Pattern ours, String where, Stream<String> lines, Set<String> facts) {
        lines.filter(line -> ours.matcher(line).find()).forEach(line -> facts.add(where + ": " + line.strip()));
    }

    /** Processes that name the cluster, and those in other namespaces whose addresses or file systems are the cluster's. */
    private static void processes(Pattern ours, Set<String> facts) {
        Path here = link(Path.of("/proc/self/ns/net"));
        try (Stream<Path> processes = Files.list(Path.of("/proc"))) {
            for (Path process : processes
                    .filter(path -> path.getFileName().toString().matches("[0-9]+"))
                    .toList()) {
                String command =
                        read(process.resolve("cmdline")).replace('\0', ' ').strip();
                Path there = link(process.resolve("ns/net"));
                boolean foreign = !there.equals(here) && !there.toString().isEmpty();
                boolean inside = foreign
                        && (ours.matcher(read(process.resolve("net/fib_trie"))).find()
                                || ours.matcher(read(process.resolve("mountinfo")))
                                        .find());
                if (inside
                        || ours.matcher(command).find()
                        || ours.matcher(link(process.resolve("cwd")).toString()).find()) {
                    facts.add("process: " + process.getFileName() + " " + command);
                }
            }
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static Path link(Path path) {
        try {
            return Files.readSymbolicLink(path);
        } catch (IOException e) {
            return Path.of("");
        }
    }

    /** The text of a file; empty when there is none, or when its process is gone. */
    private static String read(Path file) {
        try {
            return new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
        } catch (IOException e) {
            return "";
        }
    }

    private static Stream<String> paths(Path root, Path without) {
        List<String> found = new ArrayList<>();
        try {
            Files.walkFileTree(root, Set.<FileVisitOption>of(), DEPTH, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
                    found.add(folder.toString());
                    return folder.equals(without.getParent()) ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                    found.add(file.toString());
                    return FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult visitFileFailed(Path file, IOException failure) {
                    return FileVisitResult.CONTINUE;
                }
            });
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        return found.stream();
    }

    private static String output(List<String> command) {
        return new Program(new ProcessBuilder(command), "").end().stdout();
    }

    @Override
    public String toString() {
        return String.join("\n", facts);
    }
}
