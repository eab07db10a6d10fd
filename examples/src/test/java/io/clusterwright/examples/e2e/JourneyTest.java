package io.clusterwright.examples.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The life of a cluster on real nodes, from a template node to the last resource, once for each provider and each MPI. */
@Tag("journey")
class JourneyTest {
    private static final TestCluster CLUSTER = new TestCluster("e2e-journey", 92, 2);

    @RegisterExtension
    private final Machine machine = Machine.ofProcesses(CLUSTER);

    @ParameterizedTest
    @CsvSource({"local, open-mpi, Open MPI", "emulator, mpich, MPICH"})
    void quickstartGoesTheWholeWay(String provider, String mpi, String name) throws IOException {
        MachineSnapshot before = MachineSnapshot.of(CLUSTER, machine.state());
        Path plot = machine.folder().resolve("pingpong.svg");
        Path spec = machine.write("journey.yaml", CLUSTER.spec().replace("flavour: mpich", "flavour: " + mpi));

        Program.Ended ended = machine.startQuickstart("--on %s --spec %s --plot %s", provider, spec, plot)
                .end();

        assertThat(ended.status()).as(ended.toString()).isZero();
        assertThat(ended.stdout().lines())
                .contains(
                        CLUSTER.node(1),
                        CLUSTER.node(2),
                        "       bytes   repetitions   latency [us]   bandwidth [MB/s]");
        assertThat(ended.stderr())
                .contains("+ template node", "+ customise", "+ deprovision", "+ capture", "+ ping-pong")
                .contains(name)
                .contains("left: nothing");
        Files.delete(plot);
        assertThat(MachineSnapshot.of(CLUSTER, machine.state())).isEqualTo(before);
    }
}
