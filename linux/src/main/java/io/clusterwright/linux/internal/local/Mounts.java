package io.clusterwright.linux.internal.local;

import io.clusterwright.core.internal.concurrent.Tasks;
import io.clusterwright.core.internal.text.PrintableText;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** The file systems mounted on this machine; the package description lists what mounts and unmounts the parts of a node. */
final class Mounts {
    private static final int UNMOUNT_TRIES = 100;

    private Mounts() {}

    /** The mount points at or below this folder, in the order of mounting. */
    static List<Path> under(Path folder) {
        List<Path> found = new ArrayList<>();
        for (Path point : points()) {
            if (point.startsWith(folder)) {
                found.add(point);
            }
        }
        return found;
    }

    static List<Path> points() {
        return table().stream().map(Mount::point).toList();
    }

    /** The mount points of the file systems with this label. */
    static List<Path> labelled(String label) {
        return table().stream()
                .filter(mount -> mount.label().equals(label))
                .map(Mount::point)
                .toList();
    }

    /** All that is mounted, in the order of mounting. */
    static List<Mount> table() {
        try {
            return lines(UserNamespace.mounts().orElse(Path.of("/proc/self/mounts"))).stream()
                    .map(line -> line.split(" "))
                    .flatMap(fields -> mount(fields[0], fields[1].replace("\\040", " ")).stream())
                    .toList();
        } catch (IOException e) {
            throw LocalMachinesException.of("read the mounted file systems", e);
        }
    }

    private static Optional<Mount> mount(String label, String point) {
        try {
            return Optional.of(new Mount(label, Path.of(point)));
        } catch (InvalidPathException e) {
            // The encoding of this process has no such characters, so it is not a folder of this program.
            return Optional.empty();
        }
    }

    /** The lines of a file of the kernel that has paths in it, which need not be text and may have other ends of lines in them. */
    static List<String> lines(Path file) throws IOException {
        return Stream.of(new String(Files.readAllBytes(file), StandardCharsets.UTF_8).split("\n"))
                .filter(line -> !line.isEmpty())
                .toList();
    }

    static void tmpfs(Path folder, String label) {
        HostCommand.of("mount", "-t", "tmpfs", "-o", "mode=0700,size=75%,nosuid,nodev", label, folder.toString())
                .orThrow("mount " + folder);
    }

    /** Unmounts everything at and below a folder, the last mounted first. */
    static void unmountAll(Path folder) {
        HostCommand.@org.jspecify.annotations.Nullable Result refused = null;
        for (int i = 0; i < UNMOUNT_TRIES; i++) {
            List<Path> points = new ArrayList<>(under(folder));
            if (points.isEmpty()) {
                return;
            }
            Collections.reverse(points);
            HostCommand.Result result = HostCommand.of(
                            "umount", "--no-canonicalize", points.get(0).toString())
                    .run("unmount " + points.get(0));
            if (result.exitStatus() != 0) {
                refused = result;
                pause(Duration.ofMillis(50));
            }
        }
        if (refused != null && !under(folder).isEmpty()) {
            throw busy(folder, refused);
        }
    }

    private static LocalMachinesException busy(Path folder, HostCommand.Result refused) {
        List<String> users = OpenFiles.below(folder);
        String step = "unmount " + folder;
        if (users.isEmpty()) {
            return refused.failure(step);
        }
        return LocalMachinesException.of(
                step, refused.stderr().strip() + " " + String.join(", ", users) + ": end it and try again");
    }

    static void pause(Duration time) {
        Tasks.interruptibly("interrupted while waiting", () -> TimeUnit.NANOSECONDS.sleep(time.toNanos()));
    }

    /**
     * A mounted file system.
     *
     * @param label the device, or what was given in its place
     * @param point where it is
     */
    record Mount(String label, Path point) {}

    /** The processes of this machine that keep a file system from being unmounted. */
    private static final class OpenFiles {
        private static final int LONGEST_NAME = 64;

        private OpenFiles() {}

        /** Each process that has its working folder, its root or an open file at or below a folder, with one such path. */
        static List<String> below(Path folder) {
            return ProcessHandle.allProcesses()
                    .flatMap(process -> first(process.pid(), folder).stream())
                    .toList();
        }

        private static Optional<String> first(long pid, Path folder) {
            Path process = Path.of("/proc", Long.toString(pid));
            try (Stream<Path> descriptors = Files.list(process.resolve("fd"))) {
                String name = PrintableText.of(
                        Files.readString(process.resolve("comm"), StandardCharsets.ISO_8859_1)
                                .strip(),
                        LONGEST_NAME);
                return Stream.concat(Stream.of(process.resolve("cwd"), process.resolve("root")), descriptors)
                        .flatMap(link -> target(link).stream())
                        .filter(target -> target.startsWith(folder))
                        .findFirst()
                        .map(target -> "process " + pid + " (" + name + ") uses " + target);
            } catch (IOException e) {
                // It ended meanwhile.
                return Optional.empty();
            }
        }

        private static Optional<Path> target(Path link) {
            try {
                return Optional.of(Files.readSymbolicLink(link));
            } catch (IOException e) {
                return Optional.empty();
            }
        }
    }
}
