package io.clusterwright.linux.internal.local;

import io.clusterwright.core.internal.concurrent.Deadline;
import io.clusterwright.core.internal.text.TextResource;
import io.clusterwright.core.type.ClusterId;
import io.clusterwright.core.type.NodeName;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Starts the process that is a node, and ends it.
 *
 * <p>The first program of a node waits for a word at each step of its start and ends when the pipe closes, so that a node
 * whose start was cut off is gone with the process that started it.
 */
final class NodeProcess {
    private static final int LAYER_NAME_LENGTH = 12;
    private static final Duration STEP_LIMIT = Duration.ofSeconds(30);
    private static final Duration END_LIMIT = Duration.ofSeconds(10);
    /** A local address with port 22 in state LISTEN, in the kernel's table of sockets. */
    private static final Pattern LISTENS =
            Pattern.compile("^ *[0-9]+: [0-9A-F]{8}:0016 [0-9A-F:]+ 0A ", Pattern.MULTILINE);

    private static final Duration POLL = Duration.ofMillis(1);

    private static final String BOOTED = "booted";
    private static final String INIT = "bin/node-init.sh";
    private static final List<String> DEVICES = List.of("null", "zero", "full", "random", "urandom", "tty");
    private static final Map<String, String> DEVICE_LINKS = Map.of(
            "ptmx", "pts/ptmx",
            "fd", "/proc/self/fd",
            "stdin", "/proc/self/fd/0",
            "stdout", "/proc/self/fd/1",
            "stderr", "/proc/self/fd/2");
    /** Joins the control groups that are named before the word --, and becomes the program after it. */
    private static final String JOIN = "while [ \"$1\" != -- ]; do echo 0 > \"$1\"; shift; done; shift; exec \"$@\"";

    private static final List<String> SCRIPTS =
            List.of("node-init.sh", "node-start.sh", "node-relay.pl", SystemCallFilter.SCRIPT);

    private final Path cluster;
    private final Path node;
    private final ClusterBridge network;
    private final String group;

    NodeProcess(Folders folders, ClusterId cluster, NodeName node) {
        this.cluster = folders.cluster(cluster.name());
        this.node = folders.node(cluster.name(), node);
        this.network = new ClusterBridge(cluster);
        this.group = "clusterwright-" + cluster.id() + "-" + node;
    }

    /** Writes the programs that a node starts with into its cluster's folder. */
    static void writeScripts(Path cluster) throws IOException {
        Path folder = DurableFiles.createFolders(cluster.resolve("bin"));
        for (String script : SCRIPTS) {
            Files.writeString(
                    folder.resolve(script), TextResource.read(NodeProcess.class.getResourceAsStream(script), script));
        }
        Files.writeString(
                folder.resolve("filter"), SystemCallFilter.ofThisMachine().orElse(""));
    }

    static Path script(Path cluster, String name) {
        return cluster.resolve("bin").resolve(name);
    }

    /** Makes what every node gets in its folders of devices and of running programs, for a node to copy in one go. */
    static void writeFurniture(Path cluster) throws IOException {
        Path folder = cluster.resolve("furniture");
        DurableFiles.deleteTree(folder);
        Path devices = folder(folder.resolve("dev"), 0755);
        if (!UserNamespace.isNeeded()) {
            HostCommand.of(Stream.of(
                                    Stream.of("cp", "-a"),
                                    DEVICES.stream().map(device -> "/dev/" + device),
                                    Stream.of(devices.toString()))
                            .flatMap(words -> words)
                            .toList())
                    .orThrow("create the devices of nodes");
            for (String device : DEVICES) {
                Files.setAttribute(devices.resolve(device), "unix:mode", 0666);
            }
        }
        for (Map.Entry<String, String> link : DEVICE_LINKS.entrySet()) {
            Files.createSymbolicLink(devices.resolve(link.getKey()), Path.of(link.getValue()));
        }
        Path run = folder(folder.resolve("run"), 0755);
        folder(run.resolve("sshd"), 0755);
        folder(run.resolve("host"), 0755);
        folder(run.resolve("lock"), 01777);
    }

    private static Path folder(Path folder, int mode) throws IOException {
        Files.createDirectories(folder);
        Files.setAttribute(folder, "unix:mode", mode);
        return folder;
    }

    /** When a node that runs was booted, just before the machine's root became its lowest layer; empty when it does not run. */
    static Optional<FileTime> booted(Path node) {
        try {
            return NodeRecord.read(node).filter(NodeRecord::isAlive).isPresent()
                    ? Optional.of(Files.getLastModifiedTime(node.resolve(BOOTED)))
                    : Optional.empty();
        } catch (IOException | LocalMachinesException e) {
            return Optional.empty();
        }
    }

    /** Starts the node and returns when its login service is being started. */
    void start(NodeRecord record, int prefixLength) {
        stamp();
        Process process = launch(record, prefixLength);
        boolean up = false;
        OutputStream orders = process.getOutputStream();
        try (InputStream answers = process.getInputStream()) {
            expect("waiting", process, answers);
            NodeRecord running = record.running(identity(process.toHandle()), identity(firstOf(process)));
            running.write(node);
            network.connect(record.link(), record.address(), process.pid());
            order("wired", orders);
            expect("prepared", process, answers);
            leaveHost(process.pid());
            order("moved", orders);
            orders.write(record.authorizedKeys().stream()
                    .collect(Collectors.joining("\n", "", "\n"))
                    .getBytes(StandardCharsets.UTF_8));
            orders.close();
            expect("up", process, answers);
            expectLogin(process);
            running.seeded().write(node);
            up = true;
        } catch (IOException e) {
            throw LocalMachinesException.of("boot", e);
        } finally {
            if (!up) {
                process.destroyForcibly();
            }
        }
    }

    private void stamp() {
        try {
            Files.deleteIfExists(node.resolve(BOOTED));
            Files.createFile(node.resolve(BOOTED));
        } catch (IOException e) {
            throw LocalMachinesException.of("boot in " + node, e);
        }
    }

    private Process launch(NodeRecord record, int prefixLength) {
        List<String> command = new ArrayList<>(List.of(
                "setsid unshare --net --uts --ipc --mount --cgroup --pid --fork --kill-child --propagation private /bin/sh"
                        .split(" ")));
        command.addAll(List.of(
                cluster.resolve(INIT).toString(),
                cluster.toString(),
                folder(),
                overlays(record.layers()),
                NodeSeed.name(node, NodeName.of(node.getFileName().toString())).value(),
                record.address() + "/" + prefixLength,
                NodeConfigFiles.capabilities(),
                record.user().value()));
        try {
            List<String> joining = new ArrayList<>(List.of("/bin/sh", "-c", JOIN, "sh"));
            joining.addAll(NodeCgroups.create(node, group));
            joining.add("--");
            joining.addAll(UserNamespace.enter(command));
            ProcessBuilder builder = HostCommand.goingOn(joining)
                    .redirectError(
                            ProcessBuilder.Redirect.appendTo(node.resolve("log").toFile()));
            Process process = HostCommand.start(builder);
            HostCommand.changed("start node " + node.getFileName());
            return process;
        } catch (IOException e) {
            throw LocalMachinesException.of("boot", e);
        }
    }

    /** The overlays of the node, a line each of the place and the options, relative to the cluster's folder because a mount's options are limited in length. */
    private String overlays(List<String> layers) {
        String options = HostFacts.overlayOptions();
        BaseSystem system = BaseSystem.below(layers);
        List<String> bases = BaseLayers.names(system);
        List<String> folders = BaseSystem.above(layers).stream()
                .map(layer -> "layers/" + layerFolder(layer))
                .toList();
        List<String> above = Stream.concat(folders.stream(), bases.stream()).toList();
        if (!system.isThisMachine()) {
            return "/ " + overlay(options, above, system.root().toString(), "");
        }
        if (!UserNamespace.isNeeded()) {
            if (folders.stream().noneMatch(layer -> Files.isSymbolicLink(cluster.resolve(layer)))) {
                return "/ " + overlay(options, above, "/", "");
            }
            // An overlay refuses a layer that is in a folder of another layer, as the store is in the machine's root.
            // So the root is mounted first, and the layers of the image are mounted over that file system.
            return "/ " + options + ",lowerdir=" + String.join(":", bases) + ":/\n/ "
                    + overlay(options, folders, folder() + "/root", "");
        }
        // The kernel lets no user see below the mount points of the machine's root, so each folder without one is
        // mounted.
        return Stream.concat(
                        Stream.of("/ " + overlay(options, above, "", "")),
                        BaseLayers.wholeTrees().stream()
                                .filter(tree -> Files.isDirectory(node.resolve("work-" + tree.getFileName())))
                                .map(tree -> tree + " " + overlay(options, above, tree.toString(), tree.toString())))
                .collect(Collectors.joining("\n"));
    }

    /** The options of one overlay: of these layers, or of a folder in them, over a folder of this machine if any. */
    private String overlay(String options, List<String> above, String lowest, String part) {
        String folder = folder();
        String lower = Stream.concat(
                        above.stream()
                                .map(layer -> layer + part)
                                .filter(layer -> part.isEmpty() || Files.isDirectory(cluster.resolve(layer))),
                        Stream.of(lowest).filter(last -> !last.isEmpty()))
                .collect(Collectors.joining(":"));
        return options + ",index=off,lowerdir=" + lower + ",upperdir=" + folder + "/up" + part + ",workdir=" + folder
                + "/work" + part.replace('/', '-');
    }

    /** Moves the waiting process to its own root, and takes the host's file system away from it, with the host's programs. */
    private void leaveHost(long pid) {
        String enter = "nsenter --target " + pid + " --mount";
        Path root = node.resolve("root");
        HostCommand.of((enter + " -- pivot_root " + root + " " + root + "/run/host").split(" "))
                .orThrow("move the node to its own file system");
        String old = "/proc/" + pid + "/root/run/host";
        HostCommand.of((enter + " --root=/ --wd=/ -- umount --no-canonicalize --lazy " + old).split(" "))
                .orThrow("take the host's file system away from the node");
    }

    private static void order(String word, OutputStream orders) throws IOException {
        orders.write((word + "\n").getBytes(StandardCharsets.UTF_8));
        orders.flush();
        HostCommand.changed("tell the node: " + word);
    }

    private static void expect(String word, Process process, InputStream answers) throws IOException {
        StringBuilder line = new StringBuilder();
        Deadline deadline = Deadline.in("step of the boot", STEP_LIMIT);
        while (true) {
            boolean alive = process.isAlive();
            while (answers.available() > 0) {
                int character = answers.read();
                if (character == '\n') {
                    if (!line.toString().equals(word)) {
                        throw LocalMachinesException.of(
                                "boot", "it printed \"" + line + "\", expected \"" + word + "\"");
                    }
                    return;
                }
                line.append((char) character);
            }
            if (!alive) {
                throw ended(word);
            }
            if (deadline.passed()) {
                throw LocalMachinesException.of(
                        "boot", "it did not print \"" + word + "\" within " + STEP_LIMIT.toSeconds() + " s");
            }
            Mounts.pause(POLL);
        }
    }

    private static ProcessHandle firstOf(Process process) {
        return process.children().findFirst().orElseThrow(() -> ended("wired"));
    }

    private static ProcessIdentity identity(ProcessHandle handle) {
        return ProcessIdentity.find(handle.pid()).orElseThrow(() -> ended("wired"));
    }

    /** Waits until the login service listens; looking at the node's sockets leaves no trace in its log. */
    private static void expectLogin(Process process) throws IOException {
        Path sockets = Path.of("/proc", Long.toString(process.pid()), "net", "tcp");
        Deadline deadline = Deadline.in("step of the boot", STEP_LIMIT);
        while (true) {
            if (!process.isAlive()) {
                throw LocalMachinesException.of("boot", "its sshd ended immediately");
            }
            if (Files.exists(sockets)
                    && LISTENS.matcher(Files.readString(sockets)).find()) {
                return;
            }
            if (deadline.passed()) {
                throw LocalMachinesException.of(
                        "boot", "its sshd did not listen on port 22 within " + STEP_LIMIT.toSeconds() + " s");
            }
            Mounts.pause(POLL);
        }
    }

    private static LocalMachinesException ended(String word) {
        return LocalMachinesException.of("boot", "its first process ended before it printed \"" + word + "\"");
    }

    /** Ends a node if the processes are still the recorded ones, and returns when the last of its processes is gone. */
    static void end(NodeRecord record, Path node) {
        end(Stream.of(record.process(), record.first()).filter(Objects::nonNull).toList(), node);
    }

    /** Ends a node that has no record, or none that can be read, by the arguments that it was started with. */
    static void endUnrecorded(Path cluster, Path node) {
        List<String> arguments = List.of(
                cluster.resolve(INIT).toString(),
                cluster.toString(),
                cluster.relativize(node).toString());
        end(ProcessIdentity.startedWith(arguments), node);
    }

    private static void end(List<ProcessIdentity> processes, Path node) {
        NodeCgroups.kill(node);
        processes.forEach(ProcessIdentity::kill);
        Deadline deadline = Deadline.in("end of the node", END_LIMIT);
        // The kernel ends the first process of a process namespace after all others in it.
        while (processes.stream().anyMatch(ProcessIdentity::isAlive)) {
            if (deadline.passed()) {
                throw LocalMachinesException.of(
                        "stop node " + node.getFileName(),
                        "process "
                                + processes.stream()
                                        .filter(ProcessIdentity::isAlive)
                                        .map(process -> Long.toString(process.pid()))
                                        .collect(Collectors.joining(", "))
                                + " or its children still run " + END_LIMIT.toSeconds()
                                + " s after it was killed");
            }
            Mounts.pause(POLL);
        }
        NodeCgroups.remove(node);
    }

    private String folder() {
        return cluster.relativize(node).toString();
    }

    static String layerFolder(String layer) {
        return layer.substring(0, LAYER_NAME_LENGTH);
    }
}
