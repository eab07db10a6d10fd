package io.clusterwright.examples.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The article's own description, under a name and addresses of this test's. Updates of a system take minutes on busy cores. */
@Tag("breadth")
@Timeout(value = 15, unit = TimeUnit.MINUTES)
class QuickstartTest {
    private static final TestCluster CLUSTER = new TestCluster("e2e-quickstart", 70, 4);
    private static final String ROW = " *[0-9]+ +[0-9]+ +[0-9]+\\.[0-9]{2} +[0-9]+\\.[0-9]{2}";

    @RegisterExtension
    private final Machine machine = Machine.ofProcesses(CLUSTER);

    @Test
    void runsTwiceAndLeavesTheMachineUnchanged() {
        MachineSnapshot before = MachineSnapshot.of(CLUSTER, machine.state());
        Path plot = machine.folder().resolve("first.svg");

        Program.Ended first = quickstart("--plot", plot.toString());

        assertThat(first.status()).as(first.toString()).isZero();
        expectResults(first, 4);
        Picture picture = new Picture(plot);
        assertThat(picture.texts()).contains("Latency, one way", "Bandwidth", "message size", "1 B", "512 B");
        assertThat(picture.points()).isGreaterThan(40);
        assertThat(MachineSnapshot.of(CLUSTER, machine.state())).as("first").isEqualTo(before);

        int nodes = Boolean.getBoolean("clusterwright.soak") ? 16 : 6;
        Program.Ended second = quickstart(
                "--nodes",
                Integer.toString(nodes),
                "--reuse-image",
                "--plot",
                machine.folder().resolve("second.svg").toString());

        assertThat(second.status()).as(second.toString()).isZero();
        expectResults(second, nodes);
        assertThat(MachineSnapshot.of(CLUSTER, machine.state())).as("second").isEqualTo(before);
    }

    @Test
    void printsHelpWithoutCreatingACluster() {
        Program.Ended ended = machine.startQuickstart("--help").end();

        assertThat(ended.status()).isZero();
        assertThat(ended.stdout()).contains("--nodes", "--address-space", "--keep");
    }

    @Test
    void refusesInvalidNumberOfNodes() {
        Program.Ended ended = quickstart("--nodes", "0");

        assertThat(ended.status()).as(ended.toString()).isEqualTo(2);
        assertThat(ended.stderr())
                .contains("invalid number of nodes \"0\": use ")
                .doesNotContain("\tat ");
    }

    private Program.Ended quickstart(String... arguments) {
        List<String> all =
                new ArrayList<>(List.of("--name", CLUSTER.name(), "--address-space", CLUSTER.addressSpace()));
        all.addAll(List.of(arguments));
        return machine.startQuickstart(all.toArray(String[]::new)).end();
    }

    private static void expectResults(Program.Ended ended, int nodes) {
        assertThat(ended.stderr())
                .contains("left: nothing")
                .contains(nodes + " of " + nodes + " nodes answered, world of " + nodes);
        List<String> lines = ended.stdout().lines().toList();
        assertThat(lines.stream().filter(line -> line.matches("cluster[0-9]+")))
                .containsExactlyInAnyOrderElementsOf(IntStream.range(11, 11 + nodes)
                        .mapToObj(number -> "cluster" + number)
                        .toList());
        assertThat(lines).contains("       bytes   repetitions   latency [us]   bandwidth [MB/s]");
        assertThat(lines.stream().filter(line -> line.matches(ROW))).hasSizeGreaterThan(20);
        assertThat(lines.get(lines.size() - 1)).isEqualTo("verdict: not-judged: TCP: no RDMA device on these nodes");
    }
}
