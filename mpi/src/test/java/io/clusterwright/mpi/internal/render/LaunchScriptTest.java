package io.clusterwright.mpi.internal.render;

import static org.assertj.core.api.Assertions.assertThat;

import io.clusterwright.core.Cluster;
import io.clusterwright.core.Command;
import io.clusterwright.core.CommandResult;
import io.clusterwright.core.NodeSession;
import io.clusterwright.core.Planner;
import io.clusterwright.core.plan.RenderedFile;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.MpiFlavour;
import io.clusterwright.core.spec.MpiInstall;
import io.clusterwright.core.spec.MpiInstall.MpiSource;
import io.clusterwright.linux.junit.LocalCluster;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The rendered script with the files beside it, on the head of real nodes, with the real launchers and their ssh. */
@Tag("breadth")
@LocalCluster(nodes = 2)
@Timeout(180)
class LaunchScriptTest {
    private final Cluster cluster;
    private List<String> names = List.of();

    LaunchScriptTest(Cluster cluster) {
        this.cluster = cluster;
    }

    @BeforeEach
    void look() {
        names = cluster.nodes().stream().map(node -> node.name().value()).toList();
    }

    private NodeSession head() {
        return cluster.session(cluster.nodes().get(0).name(), cluster.spec().mpiUser());
    }

    /** Puts the files of the cluster onto its first node. */
    private String rendered(MpiFlavour flavour) {
        ClusterSpec spec = cluster.spec().toBuilder()
                .image(image -> image.customize(customize -> customize.mpi(MpiInstall.builder()
                        .flavour(flavour)
                        .install(MpiSource.image())
                        .build())))
                .mpi(mpi -> mpi.preset("auto").ranksPerNode(2).putEnv("CW_NOTE", "it's \"so\""))
                .build();
        String folder = "/tmp/rendered-" + flavour;
        head().run(Command.of("mkdir", "-p", folder)).orThrow();
        for (RenderedFile file :
                Planner.offline().provider("local").render(spec).list()) {
            head().write(file.content(), folder + "/" + file.name(), file.executable() ? 0755 : 0644);
        }
        return folder + "/mpirun.sh";
    }

    private CommandResult run(String... words) {
        return head().run(Command.of(List.of(words)).timeout(Duration.ofMinutes(1)));
    }

    private List<String> twice() {
        List<String> twice = new ArrayList<>(names);
        twice.addAll(names);
        return twice;
    }

    @ParameterizedTest
    @CsvSource({"MPICH, 'tcp,sm,self'", "OPEN_MPI, 'self,vader,tcp'"})
    void runsAProgramOnEverySlotInTheEnvironment(MpiFlavour flavour, String transports) {
        CommandResult result = run(
                rendered(flavour), "sh", "-c", "echo \"$(hostname) $CW_NOTE $UCX_TLS$OMPI_MCA_btl $1\"", "sh", "a  b");
        assertThat(result.succeeded()).as("%s", result).isTrue();
        assertThat(result.stdout().lines())
                .containsExactlyInAnyOrderElementsOf(twice().stream()
                        .map(name -> name + " it's \"so\" " + transports + " a  b")
                        .toList());
    }

    /** What was printed counts: MPICH 4.0 may never come back from MPI_Finalize. */
    @ParameterizedTest
    @CsvSource({"MPICH, NPmpich2", "OPEN_MPI, NPopenmpi"})
    void makesOneWorldOfThem(MpiFlavour flavour, String pingPong) {
        CommandResult result = run(
                "timeout",
                "-k",
                "5",
                "20",
                rendered(flavour),
                "--ppn",
                "1",
                pingPong,
                "-u",
                "16",
                "-n",
                "5",
                "-o",
                "/dev/null");
        if (flavour != MpiFlavour.MPICH) {
            assertThat(result.succeeded()).as("%s", result).isTrue();
        }
        assertThat(result.stdout() + result.stderr())
                .contains("0: " + names.get(0), "1: " + names.get(1))
                .containsPattern("16 bytes +\\d+ times -->");
    }

    @ParameterizedTest
    @CsvSource({"MPICH", "OPEN_MPI"})
    void endsAsItsProgramDoes(MpiFlavour flavour) {
        assertThat(run(rendered(flavour), "-n", "1", "sh", "-c", "exit 7").exitStatus())
                .isEqualTo(7);
    }

    /** MPICH's launcher alone would wait for ever. */
    @ParameterizedTest
    @CsvSource({"MPICH, hydra", "OPEN_MPI, openmpi"})
    void endsWhenANodeCannotBeReached(MpiFlavour flavour, String dialect) {
        String script = rendered(flavour);
        String gone = cluster.spec().network().subnet().range().address(200).toString();
        String last = cluster.nodes().get(1).address().toString();
        run("sed", "-i", "s/" + last + "/" + gone + "/", script.replace("mpirun.sh", "hostfile." + dialect));

        CommandResult result = run(script, "hostname");

        assertThat(result.succeeded()).isFalse();
        assertThat(result.stderr()).contains(gone);
    }
}
