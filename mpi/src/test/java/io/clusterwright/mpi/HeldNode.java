package io.clusterwright.mpi;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.clusterwright.core.Cluster;
import io.clusterwright.core.type.NodeName;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A node of a real cluster as the machine that holds it sees it, whether or not anybody can log in there. */
final class HeldNode {
    private static final Duration SOON = Duration.ofSeconds(20);
    private static final Pattern OF_A_JOB = Pattern.compile("cwjob-|sleep 300|orted|hydra_pmi|mpirun|mpiexec");

    private static final Pattern LISTENS =
            Pattern.compile("^ *[0-9]+: ([0-9A-F]{8}):0016 [0-9A-F:]+ 0A ", Pattern.MULTILINE);
    /** 127.0.0.1 there. */
    private static final String LOOPBACK = "0100007F";

    private final Cluster cluster;
    private final NodeName name;

    HeldNode(Cluster cluster, NodeName name) {
        this.cluster = cluster;
        this.name = name;
    }

    /** The first process of the node: its sshd, and with its end the kernel ends everything on the node. */
    ProcessHandle first() {
        Path record = Path.of("/run/clusterwright", cluster.name().value(), "nodes", name.value(), "node.json");
        try {
            long pid = new ObjectMapper()
                    .readTree(record.toFile())
                    .path("first")
                    .path("pid")
                    .asLong();
            return ProcessHandle.of(pid).orElseThrow();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Ends the node. */
    void kill() {
        ProcessHandle first = first();
        if (!first.destroyForcibly()) {
            throw new AssertionError(name + " could not be killed");
        }
        await("the node ends", () -> !first.isAlive());
    }

    /**
     * Ends the login service and nothing else: nobody listens at the node's address any more, and all sessions are killed. Its
     * listener is the node's first process, so it lives on, where nobody reaches it.
     */
    void loseSshd() {
        ProcessHandle listener = first();
        Path root = Path.of("/proc", Long.toString(listener.pid()), "root");
        Path config = root.resolve("etc/ssh/sshd_config");
        try {
            String text = Files.readString(config);
            String moved = text.replaceAll("ListenAddress \\S+", "ListenAddress 127.0.0.1");
            if (moved.equals(text)) {
                throw new AssertionError(name + " does not say where its sshd listens:\n" + text);
            }
            Files.writeString(config, moved);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Tool hup = Tool.run(List.of("kill", "-HUP", Long.toString(listener.pid())));
        if (hup.status() != 0) {
            throw new AssertionError(name + ": " + hup);
        }
        // Not while it starts again and listens nowhere.
        await("it listens where nobody is", () -> listeners(listener.pid()).equals(List.of(LOOPBACK)));
        listener.descendants()
                .filter(process -> process.info().command().orElse("").endsWith("/sshd"))
                .forEach(ProcessHandle::destroyForcibly);
        await(
                "the sessions end",
                () -> listener.descendants()
                        .noneMatch(
                                process -> process.info().command().orElse("").endsWith("/sshd")));
        if (!listener.isAlive()) {
            throw new AssertionError(name + " ended with its sshd");
        }
    }

    /** Where programs of the node listen on port 22, as the kernel's table of sockets writes it. */
    private static List<String> listeners(long pid) {
        return LISTENS.matcher(read(pid, "net/tcp"))
                .results()
                .map(found -> found.group(1))
                .toList();
    }

    /** The processes there that belong to jobs, by what they were started with or carry in their environment. */
    List<String> ofJobs() {
        String namespace = namespace(first().pid()).orElseThrow();
        return ProcessHandle.allProcesses()
                .filter(process -> namespace(process.pid()).equals(Optional.of(namespace)))
                .flatMap(process -> ofJob(process.pid()))
                .toList();
    }

    private static Stream<String> ofJob(long pid) {
        String arguments = read(pid, "cmdline");
        boolean found =
                OF_A_JOB.matcher(arguments).find() || read(pid, "environ").contains("cwjob-");
        return found ? Stream.of(pid + " " + arguments.strip()) : Stream.empty();
    }

    private static String read(long pid, String file) {
        try {
            byte[] bytes = Files.readAllBytes(Path.of("/proc", Long.toString(pid), file));
            return new String(bytes, StandardCharsets.ISO_8859_1).replace('\0', ' ');
        } catch (IOException e) {
            return ""; // it ended
        }
    }

    private static Optional<String> namespace(long pid) {
        try {
            return Optional.of(Files.readSymbolicLink(Path.of("/proc", Long.toString(pid), "ns/pid"))
                    .toString());
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    private void await(String what, BooleanSupplier condition) {
        long deadline = System.nanoTime() + SOON.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > deadline) {
                throw new AssertionError(name + ": not within " + SOON.toSeconds() + " s: " + what);
            }
            try {
                Thread.sleep(20);
            } catch (InterruptedException e) {
                throw new AssertionError(name + ": interrupted while waiting until " + what, e);
            }
        }
    }

    /** Waits until no process of a job runs there. */
    void awaitNoJob() {
        await("no process of a job runs", () -> ofJobs().isEmpty());
    }
}
