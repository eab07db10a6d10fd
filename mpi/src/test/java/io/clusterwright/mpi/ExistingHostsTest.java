package io.clusterwright.mpi;

import static org.assertj.core.api.Assertions.assertThat;

import io.clusterwright.core.Cluster;
import io.clusterwright.core.Command;
import io.clusterwright.core.Node;
import io.clusterwright.core.spec.MpiFlavour;
import io.clusterwright.linux.Hosts;
import io.clusterwright.linux.KnownHost;
import io.clusterwright.linux.KnownHosts;
import io.clusterwright.linux.junit.LocalCluster;
import io.clusterwright.mpi.job.JobResult;
import io.clusterwright.mpi.job.OutputLine;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Jobs on hosts that someone else made: two real nodes, known by a machine file, their host keys and a login key only. */
@Tag("breadth")
@LocalCluster(nodes = 2)
@Timeout(60)
class ExistingHostsTest {
    private final Cluster made;

    @TempDir
    private Path folder;

    private Cluster hosts;

    ExistingHostsTest(Cluster made) {
        this.made = made;
    }

    @BeforeEach
    void connect() throws Exception {
        Path key = folder.resolve("id_ed25519");
        Tool.run(List.of("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", key.toString()));
        String line = Files.readString(folder.resolve("id_ed25519.pub")).strip();
        List<Node> nodes = made.nodes();
        made.run(
                        Command.shell("echo '" + line + "' >>~/.ssh/authorized_keys"),
                        nodes.stream().map(Node::name).toList(),
                        made.mpiUser())
                .orThrow();
        KnownHosts known = new KnownHosts(nodes.stream()
                .map(node -> KnownHost.of(node.name(), node.address(), node.hostKey()))
                .toList());
        hosts = Hosts.machineFile(Files.writeString(
                        folder.resolve("machines"),
                        nodes.get(0).address() + ":2\n" + nodes.get(1).address() + " slots=1\n"))
                .user(made.mpiUser().value())
                .privateKey(key)
                .knownHosts(Files.writeString(folder.resolve("known_hosts"), known.text()))
                .connect();
    }

    @AfterEach
    void close() {
        hosts.close();
    }

    @ParameterizedTest
    @EnumSource(names = {"MPICH", "OPEN_MPI"})
    void aMachineFileDecidesHowManyRanksANodeRuns(MpiFlavour flavour) {
        JobResult result = MpiJob.of("hostname").flavour(flavour).on(hosts).run(Duration.ofSeconds(30));

        assertThat(result.orThrow().ranks()).isEqualTo(3);
        assertThat(result.outputTail().stream().map(OutputLine::text).sorted().toList())
                .containsExactly("node1", "node1", "node2");
        assertThat(result.isClean()).isTrue();
    }
}
