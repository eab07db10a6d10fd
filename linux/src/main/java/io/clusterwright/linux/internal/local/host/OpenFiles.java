package io.clusterwright.linux.internal.local.host;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The processes of this machine that keep a file system from being unmounted. */
final class OpenFiles {
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
            String name = Files.readString(process.resolve("comm")).strip();
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
