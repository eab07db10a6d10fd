package io.clusterwright.linux.internal.local;

import com.fasterxml.jackson.databind.JsonNode;
import io.clusterwright.core.internal.json.Json;
import io.clusterwright.core.type.ClusterwrightException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The user namespace in which the local nodes of an ordinary user are. Its root is this user, and its network has no interface but
 * the bridges of clusters. Root of the machine needs no such namespace.
 *
 * <p>A process that waits holds it: it is started before a user's first cluster, ends after the last one, and its end is the end of
 * all networks in it.
 */
final class UserNamespace {
    private static final boolean NEEDED = new HostFacts().isLinux() && !new HostFacts().isRoot();
    private static final String FILE = "namespace.json";

    /** A namespace of the user's, with the range of ids that {@code /etc/subuid} gives. */
    private static final List<String> NEW =
            List.of("unshare", "--user", "--map-root-user", "--map-auto", "--net", "--mount");

    private static final String HOLD =
            "ip link set lo up && echo ready && exec sleep infinity < /dev/null > /dev/null 2>&1";

    private UserNamespace() {}

    /** Whether this process needs one, because its user is not root. */
    static boolean isNeeded() {
        return NEEDED;
    }

    /** The command as the same command in the namespace; while no cluster exists, in a new namespace, which ends with it. */
    static List<String> enter(List<String> command) {
        if (!NEEDED) {
            return command;
        }
        List<String> entering =
                new ArrayList<>(holder().map(UserNamespace::into).orElse(NEW));
        entering.add("--");
        entering.addAll(command);
        return entering;
    }

    private static List<String> into(Holder holder) {
        String pid = Long.toString(holder.process().pid());
        return List.of("nsenter", "--preserve-credentials", "--target", pid, "--user", "--mount", "--net", "--wd=/");
    }

    /** Whether a cluster can be in it: always for root, who needs none. */
    static boolean isThere() {
        return !NEEDED || holder().isPresent();
    }

    /** Whether a process is in the namespace that is held now. Any process is for root. */
    static boolean has(ProcessIdentity process) {
        return !NEEDED
                || holder().filter(holder -> of(process.pid()).equals(Optional.of(holder.namespace())))
                        .isPresent();
    }

    /** The file systems mounted in it; empty for root, and while no cluster exists. */
    static Optional<Path> mounts() {
        Optional<Holder> holder = NEEDED ? holder() : Optional.empty();
        return holder.map(
                holding -> Path.of("/proc", Long.toString(holding.process().pid()), "mounts"));
    }

    /** Does a step for which the namespace must be there: starts its holder unless it runs. */
    static void holding(FolderLock.Work work) throws IOException {
        if (!NEEDED) {
            work.run();
            return;
        }
        Path folder = DurableFiles.createFolders(folder());
        FolderLock.holding(folder, () -> {
            if (holder().isEmpty()) {
                start();
            }
            work.run();
        });
    }

    /** Ends its holder when no cluster is in it. */
    static void release() throws IOException {
        if (!NEEDED || !Files.isDirectory(folder())) {
            return;
        }
        FolderLock.holding(folder(), () -> {
            boolean used = KernelRoutes.all().stream().anyMatch(KernelRoutes.Route::isGuard)
                    || KernelRoutes.links().stream()
                            .anyMatch(link -> link.owner().isPresent());
            if (!used) {
                recorded().ifPresent(Holder::end);
                Files.deleteIfExists(folder().resolve(FILE));
            }
        });
    }

    private static void start() throws IOException {
        recorded().ifPresent(Holder::end);
        List<String> command = new ArrayList<>(List.of("setsid"));
        command.addAll(NEW);
        command.addAll(List.of("--propagation", "private", "--", "/bin/sh", "-c", HOLD));
        HostCommand.startAnnounced(command, (process, line) -> {
            String namespace = process == null ? null : of(process.pid()).orElse(null);
            if (!"ready".equals(line) || process == null || namespace == null) {
                throw LocalMachinesException.of(
                        "make a user namespace",
                        line == null ? "its process ended" : line + "; run: clusterwright doctor");
            }
            DurableFiles.write(
                    folder().resolve(FILE),
                    Json.object().put("namespace", namespace).set("process", process.json()));
            return process;
        });
    }

    private static Optional<Holder> holder() {
        return recorded().filter(Holder::isAlive);
    }

    private static Optional<Holder> recorded() {
        Path file = folder().resolve(FILE);
        try {
            return DurableFiles.read(file).map(Holder::of);
        } catch (IOException | ClusterwrightException e) {
            throw LocalMachinesException.damaged(file, e, "delete it and try again");
        }
    }

    private static Path folder() {
        return Folders.STANDARD.store().resolve("namespace");
    }

    private static Optional<String> of(long pid) {
        try {
            return Optional.of(Files.readSymbolicLink(Path.of("/proc", Long.toString(pid), "ns/user"))
                    .toString());
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /**
     * The process that keeps the namespace.
     *
     * @param process the process
     * @param namespace the namespace, as the kernel names it
     */
    private record Holder(ProcessIdentity process, String namespace) {
        static Holder of(JsonNode json) {
            return new Holder(
                    ProcessIdentity.of(json.path("process")),
                    json.path("namespace").asText());
        }

        boolean isAlive() {
            return process.isAlive() && UserNamespace.of(process.pid()).equals(Optional.of(namespace));
        }

        /** Ends all processes in the namespace, also after its holder was killed. */
        void end() {
            Stream<ProcessIdentity> inside = ProcessHandle.allProcesses()
                    .map(ProcessHandle::pid)
                    .filter(pid -> UserNamespace.of(pid).equals(Optional.of(namespace)))
                    .flatMap(pid -> ProcessIdentity.find(pid).stream());
            inside.forEach(ProcessIdentity::kill);
        }
    }
}
