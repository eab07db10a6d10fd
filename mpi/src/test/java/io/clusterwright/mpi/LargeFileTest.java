package io.clusterwright.mpi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.clusterwright.core.Cluster;
import io.clusterwright.core.Command;
import io.clusterwright.core.Node;
import io.clusterwright.core.NodeOutcome;
import io.clusterwright.core.NodeResults;
import io.clusterwright.core.RunningCommand;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.linux.junit.LocalCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A large file on its way to several nodes, which pass it on to each other. */
@Tag("breadth")
@Timeout(120)
@LocalCluster(nodes = 5)
class LargeFileTest {
    private static final int MEGABYTE = 1 << 20;
    private static final int SIZE = 20 * MEGABYTE + 12_345;
    private static final String TARGET = "/tmp/large";

    private final Cluster cluster;

    @TempDir
    Path folder;

    LargeFileTest(Cluster cluster) {
        this.cluster = cluster;
    }

    @BeforeEach
    void nothingIsThere() {
        cluster.run(Command.of("rm", "-rf", TARGET).elevate()).orThrow();
    }

    @AfterEach
    void nothingIsLeft() {
        await().atMost(Duration.ofSeconds(10)).untilAsserted(() -> {
            String found = "find /tmp -name '*.clusterwright-*'; pgrep -af '[c]lusterwright-copy' || true";
            assertThat(output(Command.shell(found).elevate())).containsOnly("");
        });
    }

    @Test
    void goesFromNodeToNode() throws IOException {
        Path file = file(SIZE);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-x---"));
        long before = sentByNodes();

        NodeResults results = upload(file);

        assertThat(results.succeeded()).as("%s", results).isTrue();
        assertThat(results.outcomes()).extracting(NodeOutcome::node).containsExactlyElementsOf(names());
        assertThat(sums()).hasSize(1).allMatch(sum -> sum.startsWith(sum(file)));
        assertThat(output(Command.of("stat", "-c", "%a %s", TARGET))).containsExactly("750 " + SIZE);
        assertThat(sentByNodes() - before).as("bytes that nodes sent").isBetween(4L * SIZE, 6L * SIZE);
    }

    @Test
    void takesTheNameOfTheFileInAFolder() throws IOException {
        cluster.run(Command.of("mkdir", TARGET)).orThrow();
        Path file = file(SIZE);

        assertThat(upload(file).succeeded()).isTrue();

        assertThat(output(Command.of("ls", TARGET))).containsExactly("file");
    }

    @Test
    void replacesAFileWhole() throws IOException {
        cluster.run(Command.shell("echo old > " + TARGET)).orThrow();
        Path file = file(SIZE);

        assertThat(upload(file).succeeded()).isTrue();

        assertThat(sums()).hasSize(1).allMatch(sum -> sum.startsWith(sum(file)));
    }

    @Test
    void nodesWithoutPythonGetItFromHere() throws IOException {
        NodeName without = names().get(1);
        hide(without, true);
        long before = sentByNodes();
        try {
            Path file = file(SIZE);

            assertThat(upload(file).succeeded()).isTrue();

            assertThat(sums()).hasSize(1).allMatch(sum -> sum.startsWith(sum(file)));
            assertThat(sentByNodes() - before).as("bytes that nodes sent").isBetween(3L * SIZE, 5L * SIZE);
        } finally {
            hide(without, false);
        }
    }

    @Test
    void nodesBehindOneThatFailsGetItFromHere() throws IOException {
        String kill =
                "for i in $(seq 500); do if pkill -TERM -f '[c]lusterwright-copy'; then echo killed; exit; fi; sleep 0.02; done";
        StringBuffer said = new StringBuffer();
        Path file = file(2 * SIZE);
        NodeResults results;
        try (RunningCommand killing = cluster.session(names().get(1))
                .start(
                        Command.of("sh", "-c", "echo up; " + kill),
                        (stream, bytes, length) -> said.append(new String(bytes, 0, length)))) {
            await().atMost(Duration.ofSeconds(10)).until(() -> said.indexOf("up") >= 0);

            results = upload(file);

            assertThat(killing.await(Duration.ofSeconds(20))).hasValue(0);
            assertThat(said).contains("killed");
        }
        assertThat(results.succeeded()).as("%s", results).isTrue();
        assertThat(sums()).hasSize(1).allMatch(sum -> sum.startsWith(sum(file)));
    }

    @Test
    void aNodeThatCannotKeepItSaysWhy() throws IOException {
        NodeName full = names().get(2);
        cluster.session(full)
                .run(Command.shell("mkdir " + TARGET + " && chmod 555 " + TARGET)
                        .elevate())
                .orThrow();

        NodeResults results = upload(file(SIZE));

        assertThat(results.successes()).hasSize(4);
        assertThat(results.failures()).singleElement().satisfies(failed -> {
            assertThat(failed.node()).isEqualTo(full);
            assertThat(((NodeOutcome.Completed) failed).result().stderr()).contains("permission denied");
        });
    }

    @Test
    void anInterruptEndsTheCopy() throws IOException, InterruptedException {
        Path file = file(10 * SIZE);
        CompletableFuture<NodeResults> results = new CompletableFuture<>();
        CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
        Thread copying = new Thread(() -> {
            results.complete(upload(file));
            interrupted.complete(Thread.currentThread().isInterrupted());
        });
        copying.start();
        await().atMost(Duration.ofSeconds(20))
                .pollInterval(Duration.ofMillis(20))
                .until(() -> !output(Command.shell("ls /tmp | grep large.clusterwright || true"))
                        .equals(List.of("")));
        copying.interrupt();

        copying.join();
        assertThat(results.join().outcomes())
                .allMatch(outcome -> outcome.succeeded() || outcome instanceof NodeOutcome.Cancelled);
        assertThat(interrupted.join()).isTrue();
    }

    private NodeResults upload(Path file) {
        return cluster.upload(file, TARGET, names(), cluster.loginUser());
    }

    private List<NodeName> names() {
        return cluster.nodes().stream().map(Node::name).toList();
    }

    private Path file(int size) throws IOException {
        byte[] content = new byte[size];
        new Random(size).nextBytes(content);
        return Files.write(folder.resolve("file"), content);
    }

    private static String sum(Path file) {
        try {
            Process process = new ProcessBuilder("sha256sum", file.toString()).start();
            return new String(process.getInputStream().readAllBytes()).substring(0, 64);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private List<String> sums() {
        return output(Command.of("sha256sum", TARGET));
    }

    /** The different outputs of all nodes. */
    private List<String> output(Command command) {
        return cluster.run(command).orThrow().groupedByOutput().keySet().stream()
                .map(String::strip)
                .toList();
    }

    private long sentByNodes() {
        return cluster
                .run(Command.shell(
                        "awk '/^ *lo:/ { next } NR > 2 { sub(/.*:/, \"\"); sum += $9 } END { printf \"%d\", sum }'"
                                + " /proc/net/dev"))
                .orThrow()
                .groupedByOutput()
                .entrySet()
                .stream()
                .mapToLong(entry -> Long.parseLong(entry.getKey().strip())
                        * entry.getValue().size())
                .sum();
    }

    private void hide(NodeName node, boolean hidden) {
        cluster.session(node)
                .run(Command.shell("chmod " + (hidden ? "000" : "755") + " \"$(readlink -f /usr/bin/python3)\"")
                        .elevate())
                .orThrow();
    }
}
