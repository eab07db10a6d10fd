package io.clusterwright.examples.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Clusters on the emulated Azure that the commands share, whose machines are nodes of this machine. */
class OnEmulatorTest {
    private static final TestCluster CLUSTER = new TestCluster("e2e-emulator", 82, 2);

    @RegisterExtension
    private final Machine machine = Machine.ofProcesses(CLUSTER);

    @Test
    void clusterSurvivesBetweenCommandsAndLeavesTheMachineUnchanged() throws JsonProcessingException {
        MachineSnapshot before = MachineSnapshot.of(CLUSTER, machine.state());

        Program.Ended created = on("create", machine.spec(CLUSTER).toString(), "--on", "emulator", "--json");
        JsonNode cluster = expect(created, "ready", "running", 2);
        assertThat(cluster.path("provider").asText()).isEqualTo("emulator");

        expect(on("resize", CLUSTER.name(), "3", "--json"), "ready", "running", 3);
        JsonNode stopped = expect(on("stop", CLUSTER.name(), "--json"), "stopped", "stopped", 3);
        Program.Ended refused = machine.clusterwright("run", CLUSTER.name(), "--", "hostname");
        assertThat(refused.status()).isEqualTo(1);
        assertThat(refused.stderr()).contains("is stopped, so its nodes cannot be reached; start it first");

        JsonNode started = expect(on("start", CLUSTER.name(), "--json"), "ready", "running", 3);
        assertThat(started.findValuesAsText("hostKey")).isEqualTo(stopped.findValuesAsText("hostKey"));
        Program.Ended job = on("mpi", CLUSTER.name(), "--", "hostname");
        assertThat(job.stdout().lines()).containsExactlyInAnyOrder(CLUSTER.node(1), CLUSTER.node(2), CLUSTER.node(3));

        Program.Ended destroyed = on("destroy", CLUSTER.name());
        assertThat(destroyed.stdout()).endsWith("nothing is left\n");
        assertThat(MachineSnapshot.of(CLUSTER, machine.state())).isEqualTo(before);
    }

    @Test
    void scaleSetWithAHeadNodeSurvivesBetweenCommands() throws IOException {
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

        JsonNode created = expect(on("create", spec.toString(), "--on", "emulator", "--json"), "ready", "running", 3);
        assertThat(created.path("headNode").asText()).isEqualTo(CLUSTER.node(0));
        if (Boolean.getBoolean("clusterwright.soak")) {
            expect(on("resize", CLUSTER.name(), "3", "--json"), "ready", "running", 4);
            expect(on("resize", CLUSTER.name(), "2", "--json"), "ready", "running", 3);
        }
        expect(on("stop", CLUSTER.name(), "--json"), "stopped", "stopped", 3);
        JsonNode started = expect(on("start", CLUSTER.name(), "--json"), "ready", "running", 3);
        assertThat(started.findValuesAsText("hostKey")).isEqualTo(created.findValuesAsText("hostKey"));
        assertThat(started.findValuesAsText("address")).isEqualTo(created.findValuesAsText("address"));
        Program.Ended job = on("mpi", CLUSTER.name(), "--", "hostname");
        assertThat(job.stdout().lines()).containsExactlyInAnyOrder(CLUSTER.node(1), CLUSTER.node(2));
        runsTheRelocatedHpcXOfTheImage();
        Program.Ended srun =
                on("run", CLUSTER.name(), "--nodes", "head", "--user", CLUSTER.user(), "--", "srun", "-N2", "hostname");
        assertThat(srun.stdout().lines()).contains(CLUSTER.node(1), CLUSTER.node(2));

        assertThat(on("destroy", CLUSTER.name()).stdout())
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

        assertThat(on("plan", spec, "--on", "emulator").stdout())
                .contains("one scale set for 4 nodes", "standardHBv4Family", "This can be created.");
        Program.Ended created = on("create", spec, "--on", "emulator", "--json");
        assertThat(expect(created, "ready", "running", 5).path("headNode").asText())
                .isEqualTo(CLUSTER.node(0));
        assertThat(created.stderr())
                .contains("one rank on each of 4 nodes answered, all in one job (HPC-X 4.1.4)")
                .contains("+ memlock");

        String head = "10." + CLUSTER.octet() + ".0" + ".4";
        assertThat(on("run", CLUSTER.name(), "--", "sh", "-c", "echo ${SSH_CONNECTION% *}")
                        .stdout()
                        .lines()
                        .filter(line -> !line.startsWith("--- "))
                        .map(line -> line.split(" ")[0]))
                .as("the head is called from outside, the others by the head")
                .hasSize(5)
                .containsOnlyOnce("10." + CLUSTER.octet() + ".0" + ".1")
                .filteredOn(head::equals)
                .hasSize(4);
        JsonNode verified =
                AnalyzeTest.json(on("verify", CLUSTER.name(), "--json").stdout());
        assertThat(verified.at("/verdict/status").asText()).isEqualTo("not-judged");
        assertThat(verified.path("pairs")).hasSize(4);

        assertThat(on("destroy", CLUSTER.name()).stdout()).endsWith("nothing is left\n");
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

    @Test
    void killedEmulatorIsReportedAndDestroyDeletesItsNodes() throws IOException {
        MachineSnapshot before = MachineSnapshot.of(CLUSTER, machine.state());
        Path spec = machine.write("no-image.yaml", CLUSTER.plainSpec());
        on("create", spec.toString(), "--on", "emulator");
        JsonNode server = new ObjectMapper()
                .readTree(machine.state().resolve("emulator/server.json").toFile());
        ProcessHandle process = ProcessHandle.of(server.path("pid").asLong()).orElseThrow();
        assertThat(Files.readString(Path.of("/proc", Long.toString(process.pid()), "cmdline")))
                .as("it starts as the commands do")
                .contains("-XX:TieredStopAtLevel=1", "-XX:SharedArchiveFile=");
        process.destroyForcibly();
        MachineWatch.until("the emulator ends", () -> !process.isAlive());

        for (List<String> command :
                List.of(List.of("show", CLUSTER.name()), List.of("create", spec.toString(), "--on", "emulator"))) {
            Program.Ended ended = machine.clusterwright(command.toArray(String[]::new));
            assertThat(ended.status()).as(ended.toString()).isEqualTo(1);
            assertThat(ended.stderr())
                    .contains("The emulated Azure (process " + process.pid())
                    .contains("has ended without deleting its machines")
                    .contains("Destroy its clusters");
        }

        assertThat(on("destroy", CLUSTER.name()).stdout()).endsWith("nothing is left\n");
        assertThat(MachineSnapshot.of(CLUSTER, machine.state())).isEqualTo(before);
    }

    @Test
    void quickstartRunsThroughAzureCalls() throws IOException {
        MachineSnapshot before = MachineSnapshot.of(CLUSTER, machine.state());
        Path plot = machine.folder().resolve("pingpong.svg");

        Program.Ended ended = machine.startQuickstart(
                        "--on", "emulator", "--spec", machine.spec(CLUSTER).toString(), "--plot", plot.toString())
                .end();

        assertThat(ended.status()).as(ended.toString()).isZero();
        assertThat(ended.stdout().lines())
                .contains(
                        CLUSTER.node(1),
                        CLUSTER.node(2),
                        "       bytes   repetitions   latency [us]   bandwidth [MB/s]");
        assertThat(ended.stderr())
                .contains("+ template node", "+ customise", "+ deprovision", "+ capture", "+ ping-pong")
                .contains("left: nothing");
        Files.delete(plot);
        assertThat(MachineSnapshot.of(CLUSTER, machine.state())).isEqualTo(before);
    }

    private Program.Ended on(String... command) {
        Program.Ended ended = machine.clusterwright(command);
        assertThat(ended.status()).as(ended.toString()).isZero();
        return ended;
    }

    private static JsonNode expect(Program.Ended ended, String phase, String state, int nodes)
            throws JsonProcessingException {
        JsonNode cluster = AnalyzeTest.json(ended.stdout());
        assertThat(cluster.path("phase").asText()).isEqualTo(phase);
        assertThat(StreamSupport.stream(cluster.path("nodes").spliterator(), false))
                .hasSize(nodes)
                .allSatisfy(node -> assertThat(node.path("state").asText()).isEqualTo(state));
        return cluster;
    }
}
