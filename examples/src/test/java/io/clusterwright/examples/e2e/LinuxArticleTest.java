package io.clusterwright.examples.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The scripts of the Linux article, with its own spec on two nodes, under a name and addresses of this test's. Updates of a system take minutes on busy cores. */
@Tag("breadth")
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class LinuxArticleTest {
    private static final TestCluster CLUSTER = new TestCluster("e2e-article", 68, 2);
    private static final Path ARTICLES = Machine.EXAMPLES.resolve("articles");
    private static final Path STAND_IN = ARTICLES.resolve("stand-in");
    private static final String FABRIC = " -env I_MPI_DAPL_PROVIDER=ofa-v2-ib0 -env I_MPI_DYNAMIC_CONNECTION=0 ";

    @RegisterExtension
    private final Machine machine = Machine.ofProcesses(CLUSTER);

    @ParameterizedTest
    @CsvSource({
        "2016, local, /opt/intel/impi_latest/bin64/, dapl",
        "2017, emulator, '', shm:dapl",
    })
    void everyStepRuns(String edition, String where, String folder, String pingPongFabrics) throws IOException {
        Path spec = spec(edition);
        machine.deleteImage(spec);
        MachineSnapshot before = MachineSnapshot.of(CLUSTER, machine.state());

        Program.Ended ended = article(edition, where, spec);

        assertThat(ended.status()).as(ended.toString()).isZero();
        String hosts = CLUSTER.address(1) + "," + CLUSTER.address(2);
        assertThat(ended.stdout().lines())
                .containsSubsequence(
                        folder + "mpirun -ppn 1 -n 2 -hosts " + hosts + " -env I_MPI_FABRICS=shm:dapl" + FABRIC
                                + "hostname",
                        folder + "mpirun -hosts " + hosts + " -ppn 1 -n 2 -env I_MPI_FABRICS=" + pingPongFabrics
                                + FABRIC + folder + "IMB-MPI1 pingpong",
                        "#    Intel (R) MPI Benchmarks 4.0 Update 1, MPI-1 part",
                        "# Benchmarking PingPong",
                        "       #bytes #repetitions      t[usec]   Mbytes/sec",
                        "# All processes entering MPI_Finalize",
                        "nothing is left");
        assertThat(ended.stdout().lines().filter(line -> line.matches(CLUSTER.prefix() + "[12]")))
                .as("both nodes answer mpirun, and the job of the program")
                .containsExactlyInAnyOrder(CLUSTER.node(1), CLUSTER.node(2), CLUSTER.node(1), CLUSTER.node(2));
        assertThat(ended.stderr())
                .contains("Stand-in for Intel MPI 5.0.3.048 installed in /opt/intel/impi/5.0.3.048", "(Intel MPI 5.0)");
        assertThat(MachineSnapshot.of(CLUSTER, machine.state())).isEqualTo(before);
    }

    @Test
    void theArchiveOfTheStandInIsThatOfItsSources() throws IOException {
        Program.Ended built = machine.run(List.of(
                STAND_IN.resolve("build.sh").toString(), machine.folder().toString()));

        assertThat(built.status()).as(built.toString()).isZero();
        String name = "l_mpi_p_5.0.3.048.tar";
        assertThat(machine.folder().resolve(name)).hasSameBinaryContentAs(STAND_IN.resolve(name));
        assertThat(Files.readString(Machine.EXAMPLES.resolve("specs/linux-article.yaml")))
                .contains("sha256: " + built.stdout().substring(0, 64));
    }

    private Path spec(String edition) throws IOException {
        String file = edition.equals("2016") ? "specs/linux-article.yaml" : "specs/linux-article-2017.yaml";
        String spec = Files.readString(Machine.EXAMPLES.resolve(file))
                .replaceFirst("(?m)^name: cluster$", "name: " + CLUSTER.name())
                .replaceFirst("count: 8 .*", "count: 2")
                .replaceFirst("prefix: cluster", "prefix: " + CLUSTER.prefix())
                .replaceFirst("firstIndex: 11 .*", "firstIndex: 1")
                .replaceFirst("portPrefix: 101 .*", "portPrefix: 1710")
                .replace("10.32.", "10." + CLUSTER.octet() + ".")
                .replace("hpcuser", CLUSTER.user())
                .replace("../articles", ARTICLES.toString());
        return machine.write("article.yaml", spec);
    }

    private Program.Ended article(String edition, String where, Path spec) throws IOException {
        List<String> command =
                new ArrayList<>(List.of("env", "CLUSTERWRIGHT=" + Machine.clusterwrightIn(machine.folder())));
        command.add(ARTICLES.resolve("linux-" + edition + ".sh").toString());
        command.addAll(List.of("--on", where, "--spec", spec.toString()));
        return machine.run(command);
    }
}
