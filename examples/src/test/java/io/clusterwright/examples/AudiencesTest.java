package io.clusterwright.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.clusterwright.core.Cluster;
import io.clusterwright.core.ClusterManager;
import io.clusterwright.core.Command;
import io.clusterwright.core.NodeResults;
import io.clusterwright.core.StateStore;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.linux.Hosts;
import io.clusterwright.linux.KnownHost;
import io.clusterwright.linux.KnownHosts;
import io.clusterwright.linux.junit.LocalCluster;
import io.clusterwright.linux.local.LocalMachines;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The small programs for embedders and for scientific applications. */
@Tag("breadth")
@LocalCluster(nodes = 2)
class AudiencesTest {
    private static final Path SOURCES = Path.of("src/main/java/io/clusterwright/examples");

    @TempDir
    private Path folder;

    @Test
    void aToolCreatesGrowsAndDestroysACluster() {
        ClusterSpec spec = ClusterSpec.builder("embedded")
                .nodes(nodes -> nodes.count(1).prefix("embed").firstIndex(1))
                .network(network -> network.addressSpace("10.88.32.0/24"))
                .image(image -> image.capture(false))
                .build();
        try (ClusterManager clusters = ClusterManager.builder(LocalMachines.create())
                .stateStore(StateStore.inFolder(folder.resolve("state")))
                .build()) {
            NodeResults answers = EmbeddedTool.run(clusters, spec);

            assertThat(answers.succeeded()).isTrue();
            assertThat(answers.outcomes())
                    .extracting(outcome -> outcome.node().value())
                    .containsExactly("embed1", "embed2");
            assertThat(clusters.list()).isEmpty();
        }
        assertThat(Path.of("/run/clusterwright/embedded")).doesNotExist();
    }

    @Test
    void anApplicationSweepsAParameterOnExistingHosts(Cluster made) throws Exception {
        Path key = folder.resolve("id");
        Process generated = new ProcessBuilder("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", key.toString())
                .inheritIO()
                .start();
        assertThat(generated.waitFor()).isZero();
        String line = Files.readString(folder.resolve("id.pub")).strip();
        made.run(
                        Command.shell("echo '" + line + "' >>~/.ssh/authorized_keys"),
                        made.nodes().stream().map(node -> node.name()).toList(),
                        made.mpiUser())
                .orThrow();
        KnownHosts known = new KnownHosts(made.nodes().stream()
                .map(node -> KnownHost.of(node.name(), node.address(), node.hostKey()))
                .toList());
        Hosts hosts = Hosts.of(made.nodes().stream()
                        .map(node -> node.address().toString())
                        .toList())
                .user(made.mpiUser().value())
                .privateKey(key)
                .knownHosts(Files.writeString(folder.resolve("known_hosts"), known.text()));

        try (Cluster cluster = hosts.connect()) {
            Map<String, List<String>> results = ParameterSweep.run(cluster, "echo", List.of("0.1", "0.2", "0.3"));

            assertThat(results).containsOnlyKeys("0.1", "0.2", "0.3");
            assertThat(results.get("0.2")).containsExactly("0.2", "0.2");
            assertThat(ParameterSweep.run(cluster, "false", List.of("x"))).isEmpty();
        }
    }

    @Test
    void theProgramsAreShort() throws Exception {
        for (Path program : List.of(
                SOURCES.resolve("EmbeddedTool.java"),
                SOURCES.resolve("ParameterSweep.java"),
                Path.of("src/test/java/io/clusterwright/examples/DownstreamTest.java"))) {
            try (Stream<String> lines = Files.lines(program)) {
                assertThat(lines.count()).as("%s", program).isLessThanOrEqualTo(80);
            }
        }
    }
}
