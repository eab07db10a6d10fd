package io.clusterwright.linux.internal.local;

import io.clusterwright.core.internal.concurrent.Deadline;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The control groups of a node: one in each hierarchy of this machine, below the group of this process, so that limits of this
 * process hold for its nodes. The root of a node's cgroup namespace is there, and nothing above it can be seen or changed from the node.
 */
final class NodeCgroups {
    private static final String LIST = "cgroups";
    /** The file with the limit of processes, where the group has one. */
    static final String MOST_PROCESSES = "pids.max";

    /** The files with the limit of memory, of either version. */
    static final List<String> MOST_MEMORY = List.of("memory.max", "memory.limit_in_bytes");

    private static final long MOST = 32_768;
    private static final double MEMORY_SHARE = 0.9;
    private static final Duration END_LIMIT = Duration.ofSeconds(10);
    private static final Duration POLL = Duration.ofMillis(2);
    /** Groups of version 1 are not usable before they have these values. */
    private static final List<String> INHERITED = List.of("cpuset.cpus", "cpuset.mems");

    private NodeCgroups() {}

    /** Makes the groups of a node, and answers the files to which a process writes 0 to join them. They are listed in the node's folder first. */
    static List<String> create(Path node, String name) throws IOException {
        List<Path> groups = own().stream()
                .filter(NodeCgroups::isWritable)
                .map(above -> above.resolve(name))
                .toList();
        Files.write(node.resolve(LIST), groups.stream().map(Path::toString).toList());
        List<String> joined = new ArrayList<>();
        for (Path group : groups) {
            Files.createDirectories(group);
            for (String value : INHERITED) {
                Path file = group.resolve(value);
                if (Files.exists(file) && Files.readString(file).isBlank()) {
                    Files.writeString(
                            file, Files.readString(LayerFolder.above(group).resolve(value)));
                }
            }
            Path most = group.resolve(MOST_PROCESSES);
            if (Files.exists(most)) {
                Files.writeString(most, Long.toString(mostProcesses()));
            }
            for (String limit : MOST_MEMORY) {
                if (Files.exists(group.resolve(limit))) {
                    Files.writeString(group.resolve(limit), Long.toString(mostMemory()));
                }
            }
            // A thread joins a group of version 1 without a lock over all processes of the machine.
            Path threads = group.resolve("tasks");
            joined.add((Files.exists(threads) ? threads : group.resolve("cgroup.procs")).toString());
        }
        HostCommand.changed("make the control groups of node " + node.getFileName());
        return joined;
    }

    /** The processes and threads of a node, so that a node that starts them without end leaves some to this machine. */
    static long mostProcesses() {
        HostFacts machine = new HostFacts();
        long limit = Stream.of("kernel/pid_max", "kernel/threads-max")
                .mapToLong(name -> Long.parseLong(machine.setting(name)))
                .min()
                .orElseThrow();
        return Math.min(MOST, limit / 2);
    }

    /** The bytes of memory of a node, so that a node that takes all it can leaves some to this machine. */
    private static long mostMemory() throws IOException {
        String total = Files.readAllLines(Path.of("/proc/meminfo")).stream()
                .filter(line -> line.startsWith("MemTotal:"))
                .findFirst()
                .orElseThrow();
        return (long) (Long.parseLong(total.replaceAll("\\D", "")) * 1024 * MEMORY_SHARE);
    }

    /** Whether this process may make groups in each hierarchy that is mounted. */
    static boolean areWritable() throws IOException {
        List<Path> own = own();
        return !own.isEmpty() && own.stream().allMatch(NodeCgroups::isWritable);
    }

    private static boolean isWritable(Path group) {
        return Files.isWritable(group) && Files.isWritable(group.resolve("cgroup.procs"));
    }

    /** The groups of this process. */
    static List<Path> own() throws IOException {
        return of(Mounts.lines(Path.of("/proc/self/cgroup")), Mounts.lines(Path.of("/proc/self/mountinfo")));
    }

    /**
     * The folders of a process's groups.
     *
     * @param groups lines of {@code /proc/PID/cgroup}: number, controllers, path
     * @param mounts lines of {@code /proc/PID/mountinfo}
     */
    static List<Path> of(List<String> groups, List<String> mounts) {
        Map<String, Path> own = new HashMap<>();
        for (String line : groups) {
            String[] fields = line.split(":", 3);
            own.put(fields[1], Path.of(fields[2]));
        }
        Map<String, Path> folders = new HashMap<>();
        for (String mount : mounts) {
            String[] fields = mount.split(" ");
            int type = List.of(fields).indexOf("-") + 1;
            own.forEach((controllers, path) -> {
                boolean has = controllers.isEmpty()
                        ? fields[type].equals("cgroup2")
                        : fields[type].equals("cgroup")
                                && List.of(fields[type + 2].split(",")).containsAll(List.of(controllers.split(",")));
                if (has && path.startsWith(fields[3])) {
                    Path inside = Path.of(fields[3]).relativize(path);
                    folders.putIfAbsent(controllers, Path.of(fields[4]).resolve(inside));
                }
            });
        }
        return folders.values().stream().sorted().toList();
    }

    /** Ends what is in the groups of a node, where the kernel has a way for it. */
    static void kill(Path node) {
        try {
            for (Path group : listed(node)) {
                Path kill = group.resolve("cgroup.kill");
                if (Files.exists(kill)) {
                    Files.writeString(kill, "1");
                }
            }
        } catch (IOException e) {
            throw LocalMachinesException.of("end the control groups of node " + node.getFileName(), e);
        }
    }

    /** Removes the groups of a node that has ended. */
    static void remove(Path node) {
        Deadline deadline = Deadline.in("end of the control groups", END_LIMIT);
        try {
            for (Path group : listed(node)) {
                while (!removed(group)) {
                    if (deadline.passed()) {
                        throw LocalMachinesException.of(
                                "delete the control group " + group,
                                "it is in use; end the processes that its file cgroup.procs lists");
                    }
                    Mounts.pause(POLL);
                }
            }
            Files.deleteIfExists(node.resolve(LIST));
        } catch (IOException e) {
            throw LocalMachinesException.of("delete the control groups of node " + node.getFileName(), e);
        }
    }

    /** Answers false while the kernel has not yet let go of the last process. */
    private static boolean removed(Path group) throws IOException {
        if (!Files.exists(group)) {
            return true;
        }
        try {
            removeTree(group);
            return true;
        } catch (FileSystemException e) {
            return false;
        }
    }

    private static void removeTree(Path group) throws IOException {
        List<Path> folders;
        try (Stream<Path> tree = Files.walk(group)) {
            folders = tree.filter(path -> Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS))
                    .sorted(Comparator.reverseOrder())
                    .toList();
        }
        for (Path folder : folders) {
            Files.deleteIfExists(folder);
        }
    }

    private static List<Path> listed(Path node) throws IOException {
        Path list = node.resolve(LIST);
        return Files.exists(list)
                ? Files.readAllLines(list).stream().map(Path::of).toList()
                : List.of();
    }
}
