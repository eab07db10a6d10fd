package io.clusterwright.mpi.fabric;

import static org.assertj.core.api.Assertions.assertThat;

import io.clusterwright.core.Cluster;
import io.clusterwright.core.Command;
import io.clusterwright.core.type.NodeName;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The network of a local node from outside, as its switch sees it: nodes themselves may not change it. */
final class NodeNetwork {
    private NodeNetwork() {}

    /** Runs a command of this machine in the network namespace of a node. */
    static void run(Cluster cluster, NodeName node, String... command) {
        List<String> argv = new ArrayList<>(List.of("nsenter", "--target", pid(cluster, node), "--net", "--"));
        argv.addAll(List.of(command));
        try {
            Process process = new ProcessBuilder(argv).redirectErrorStream(true).start();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(process.waitFor()).as("%s: %s", argv, output).isZero();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static String pid(Cluster cluster, NodeName node) {
        String namespace = cluster.session(node)
                .run(Command.of("readlink", "/proc/self/ns/net"))
                .orThrow()
                .stdout()
                .strip();
        return ProcessHandle.allProcesses()
                .map(process -> Long.toString(process.pid()))
                .filter(pid -> namespace(pid).equals(namespace))
                .findFirst()
                .orElseThrow();
    }

    private static String namespace(String pid) {
        try {
            return Files.readSymbolicLink(Path.of("/proc", pid, "ns", "net")).toString();
        } catch (IOException e) {
            return "";
        }
    }
}
