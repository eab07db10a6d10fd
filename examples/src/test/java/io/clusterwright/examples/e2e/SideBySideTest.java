package io.clusterwright.examples.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

@Tag("breadth")
class SideBySideTest {
    private static final TestCluster LEFT = new TestCluster("e2e-left", 71, 2);
    private static final TestCluster RIGHT = new TestCluster("e2e-right", 72, 2);
    private static final TestCluster INTRUDER = new TestCluster("e2e-intruder", 71, 2);
    private static final List<TestCluster> BOTH = List.of(LEFT, RIGHT);

    @RegisterExtension
    private final Machine machine = Machine.ofThisJvm(LEFT, RIGHT, INTRUDER);

    /** They differ in names and addresses alone, so that they boot from one image; the first builder of the image is killed. */
    @Test
    void twoClustersShareAnImageAndAThirdCannotTakeTheirAddresses() throws JsonProcessingException {
        machine.deleteImage(spec(LEFT));
        spec(RIGHT);
        MachineSnapshot before = snapshot();
        Program killed = create(LEFT);
        killed.awaitText("user " + LEFT.user() + " in e2egroup");
        Program waiting = create(RIGHT);
        waiting.awaitText("waiting for image ");
        killed.signal("KILL");
        killed.end();
        Program.Ended built = succeeded(waiting);
        assertThat(built.stderr()).contains("cluster " + LEFT.name() + ", process ", "+ customise", "+ capture");
        Program.Ended reused = succeeded(create(LEFT));
        assertThat(reused.stderr()).doesNotContain("+ customise", "+ capture");
        // Other tests have images on this machine as well.
        JsonNode image = StreamSupport.stream(
                        machine.json("images --captured --json").spliterator(), false)
                .filter(each -> each.path("users").toString().contains(LEFT.name()))
                .findFirst()
                .orElseThrow();
        assertThat(image.path("users")).extracting(JsonNode::asText).containsExactly(LEFT.name(), RIGHT.name());
        Program.Ended pruned = machine.succeeds("images --prune");
        assertThat(pruned.stdout()).isEqualTo("no images were deleted\n");
        assertThat(pruned.stderr()).contains("left " + image.path("name").asText() + ": a cluster uses it");

        JsonNode list = machine.json("list --json");
        assertThat(list.findValuesAsText("phase")).containsExactly("ready", "ready");
        assertThat(list.get(0).path("name").asText()).isEqualTo(LEFT.name());
        assertThat(list.get(1).path("name").asText()).isEqualTo(RIGHT.name());
        for (TestCluster cluster : BOTH) {
            expectAlive(cluster);
        }

        expectRefusal();

        for (TestCluster cluster : BOTH) {
            JsonNode report = machine.json("destroy %s --json", cluster.name());
            assertThat(AnalyzeTest.keys(report)).containsExactlyInAnyOrder("deleted", "left", "images");
            assertThat(report.at("/images/0/delete").asText())
                    .isEqualTo(
                            "clusterwright image delete " + image.path("name").asText() + " --on local");
            assertThat(report.path("deleted")).hasSize(3);
            assertThat(report.path("left")).isEmpty();
        }
        assertThat(snapshot()).isEqualTo(before);
    }

    private Program create(TestCluster cluster) {
        return machine.startClusterwright("create %s --on local", spec(cluster));
    }

    private Path spec(TestCluster cluster) {
        return machine.write(cluster.name() + ".yaml", cluster.spec().replace(cluster.user(), LEFT.user()));
    }

    private static Program.Ended succeeded(Program program) {
        Program.Ended ended = program.end();
        assertThat(ended.status()).as(ended.toString()).isZero();
        return ended;
    }

    private void expectAlive(TestCluster cluster) throws JsonProcessingException {
        JsonNode nodes = machine.json("run %s --json -- hostname -I", cluster.name());
        assertThat(nodes).hasSize(2);
        assertThat(nodes.get(0).path("stdout").asText().strip()).isEqualTo(cluster.address(1));
        assertThat(nodes.get(1).path("stdout").asText().strip()).isEqualTo(cluster.address(2));

        Program.Ended job = machine.succeeds("mpi %s -- hostname -I", cluster.name());
        assertThat(job.stdout().lines().map(String::strip))
                .containsExactlyInAnyOrder(cluster.address(1), cluster.address(2));
    }

    private void expectRefusal() {
        MachineSnapshot untouched = MachineSnapshot.of(machine.state(), INTRUDER.name(), INTRUDER.linkId());

        Program.Ended refused =
                machine.refuses("create %s --on local", machine.spec(INTRUDER).toString());
        assertThat(refused.stdout()).isEmpty();
        assertThat(refused.stderr())
                .contains("network.addressSpace", INTRUDER.addressSpace() + " is in use")
                .contains("belongs to cluster " + LEFT.name())
                .contains("write another private range in network.addressSpace and network.subnet.range, or run:"
                        + " clusterwright destroy "
                        + LEFT.name());
        assertThat(MachineSnapshot.of(machine.state(), INTRUDER.name(), INTRUDER.linkId()))
                .isEqualTo(untouched);
    }

    private MachineSnapshot snapshot() {
        return MachineSnapshot.of(
                machine.state(), LEFT.name(), RIGHT.name(), LEFT.linkId(), RIGHT.linkId(), "(?<![0-9.])10\\.7[12]\\.");
    }
}
