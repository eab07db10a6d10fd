package io.clusterwright.examples.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Scale sets with a head node on the emulated Azure, whose machines are nodes of this machine. */
@Tag("breadth")
class ScaleSetOnEmulatorTest {
    private static final TestCluster CLUSTER = new TestCluster("e2e-scale-set", 90, 2);

    @RegisterExtension
    private final Machine machine = Machine.ofThisJvm(CLUSTER);

    @Test
    void headNodeAndAddressesSurviveBetweenCommands() throws IOException {
        MachineSnapshot before = MachineSnapshot.of(CLUSTER, machine.state());
        Path spec = machine.write(
                "scale-set.yaml",
                CLUSTER.plainSpec()
                        .replaceFirst("  firstAddress: \\S+\n", "")
                        .replace("region: westus", "region: westeurope")
                        .replace("Standard_A9", "Standard_HB120rs_v3")
                        .replaceFirst(" *mpi: .flavour: .*\n", "")
                        .replace("verify:", "scheduler: slurm\nverify:")
                        .replace("nodes:", "headNode: {size: Standard_D2s_v5}\nnodes:"));

        JsonNode created =
                OnEmulatorTest.expect(machine.succeeds("create %s --on emulator --json", spec), "ready", "running", 3);
        assertThat(created.path("headNode").asText()).isEqualTo(CLUSTER.node(0));
        if (Boolean.getBoolean("clusterwright.soak")) {
            OnEmulatorTest.expect(machine.succeeds("resize %s 3 --json", CLUSTER.name()), "ready", "running", 4);
            OnEmulatorTest.expect(machine.succeeds("resize %s 2 --json", CLUSTER.name()), "ready", "running", 3);
        }
        OnEmulatorTest.expect(machine.succeeds("stop %s --json", CLUSTER.name()), "stopped", "stopped", 3);
        JsonNode started =
                OnEmulatorTest.expect(machine.succeeds("start %s --json", CLUSTER.name()), "ready", "running", 3);
        assertThat(started.findValuesAsText("hostKey")).isEqualTo(created.findValuesAsText("hostKey"));
        assertThat(started.findValuesAsText("address")).isEqualTo(created.findValuesAsText("address"));
        Program.Ended job = machine.succeeds("mpi %s -- hostname", CLUSTER.name());
        assertThat(job.stdout().lines()).containsExactlyInAnyOrder(CLUSTER.node(1), CLUSTER.node(2));
        runsTheRelocatedHpcXOfTheImage();
        Program.Ended srun =
                machine.succeeds("run %s --nodes head --user %s -- srun -N2 hostname", CLUSTER.name(), CLUSTER.user());
        assertThat(srun.stdout().lines()).contains(CLUSTER.node(1), CLUSTER.node(2));

        assertThat(machine.succeeds("destroy %s", CLUSTER.name()).stdout())
                .contains("scale set ", CLUSTER.name() + "-vmss")
                .endsWith("nothing is left\n");
        assertThat(MachineSnapshot.of(CLUSTER, machine.state())).isEqualTo(before);
    }

    private void runsTheRelocatedHpcXOfTheImage() {
        String[] pingPong = {"--", "NPopenmpi", "-p", "0", "-u", "8", "-n", "1", "-o", "/dev/null"};
        for (String[] path : new String[][] {{}, {"--launch-over", "ssh"}}) {
            Program.Ended ended = machine.clusterwright(mpi(path, pingPong));
            assertThat(ended.status()).as(ended.toString()).isZero();
            assertThat(ended.stdout() + ended.stderr()).contains("8 bytes");

            Program.Ended without = machine.clusterwright(mpi(
                    Stream.concat(Stream.of("--no-mpi-environment"), Stream.of(path))
                            .toArray(String[]::new),
                    pingPong));
            assertThat(without.status()).as(without.toString()).isNotZero();
            assertThat(without.stderr()).containsPattern("CW-DIAG-(208|219)").contains("--no-mpi-environment");
        }
    }

    private static String[] mpi(String[] options, String[] program) {
        return Stream.of(new String[] {"mpi", CLUSTER.name()}, options, program)
                .flatMap(Stream::of)
                .toArray(String[]::new);
    }

    @Test
    void hbv4ExampleIsReachedFromOutsideAndItsFabricIsJudged() throws IOException {
        MachineSnapshot before = MachineSnapshot.of(CLUSTER, machine.state());
        String spec = machine.write("hbv4.yaml", hbv4()).toString();

        assertThat(machine.succeeds("plan %s --on emulator", spec).stdout())
                .contains("one scale set for 4 nodes", "standardHBv4Family", "This can be created.");
        Program.Ended created = machine.succeeds("create %s --on emulator --json", spec);
        assertThat(OnEmulatorTest.expect(created, "ready", "running", 5)
                        .path("headNode")
                        .asText())
                .isEqualTo(CLUSTER.node(0));
        assertThat(created.stderr())
                .contains("one rank on each of 4 nodes answered, all in one job (HPC-X 4.1.4)")
                .contains("+ memlock");

        String head = "10." + CLUSTER.octet() + ".0" + ".4";
        assertThat(machine.succeeds("run %s -- sh -c %s", CLUSTER.name(), "echo ${SSH_CONNECTION% *}")
                        .stdout()
                        .lines()
                        .filter(line -> !line.startsWith("--- "))
                        .map(line -> line.split(" ")[0]))
                .as("the head is called from outside, the others by the head")
                .hasSize(5)
                .containsOnlyOnce("10." + CLUSTER.octet() + ".0" + ".1")
                .filteredOn(head::equals)
                .hasSize(4);
        JsonNode verified = machine.json("verify %s --json", CLUSTER.name());
        assertThat(verified.at("/verdict/status").asText()).isEqualTo("not-judged");
        assertThat(verified.path("pairs")).hasSize(4);

        assertThat(machine.succeeds("destroy %s", CLUSTER.name()).stdout()).endsWith("nothing is left\n");
        assertThat(MachineSnapshot.of(CLUSTER, machine.state())).isEqualTo(before);
    }

    /** The example, under a name and addresses of this test's. */
    private static String hbv4() throws IOException {
        return Files.readString(Machine.EXAMPLES.resolve("specs/azure-hbv4.yaml"))
                .replaceFirst("(?m)^name: hbv4\\b", "name: " + CLUSTER.name())
                .replace("resourceGroup: hbv4-rg", "resourceGroup: " + CLUSTER.name() + "-rg")
                .replace("prefix: node", "prefix: " + CLUSTER.prefix())
                .replace("name: hpcuser", "name: " + CLUSTER.user())
                .replace("10.40.", "10." + CLUSTER.octet() + ".");
    }
}
