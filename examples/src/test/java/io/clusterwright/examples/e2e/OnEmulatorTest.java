package io.clusterwright.examples.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A cluster on the emulated Azure that the processes of commands share, whose machines are nodes of this machine. */
@Tag("breadth")
class OnEmulatorTest {
    private static final TestCluster CLUSTER = new TestCluster("e2e-emulator", 82, 2);

    @RegisterExtension
    private final Machine machine = Machine.ofProcesses(CLUSTER);

    @Test
    void clusterSurvivesBetweenCommandsAndLeavesTheMachineUnchanged() throws JsonProcessingException {
        MachineSnapshot before = MachineSnapshot.of(CLUSTER, machine.state());

        Program.Ended created = machine.succeeds("create", plain().toString(), "--on", "emulator", "--json");
        JsonNode cluster = expect(created, "ready", "running", 2);
        assertThat(cluster.path("provider").asText()).isEqualTo("emulator");

        expect(machine.succeeds("resize", CLUSTER.name(), "3", "--json"), "ready", "running", 3);
        JsonNode stopped = expect(machine.succeeds("stop", CLUSTER.name(), "--json"), "stopped", "stopped", 3);
        Program.Ended refused = machine.clusterwright("run", CLUSTER.name(), "--", "hostname");
        assertThat(refused.status()).isEqualTo(1);
        assertThat(refused.stderr()).contains("is stopped, so its nodes cannot be reached; start it first");

        JsonNode started = expect(machine.succeeds("start", CLUSTER.name(), "--json"), "ready", "running", 3);
        assertThat(started.findValuesAsText("hostKey")).isEqualTo(stopped.findValuesAsText("hostKey"));
        Program.Ended job = machine.succeeds("mpi", CLUSTER.name(), "--", "hostname");
        assertThat(job.stdout().lines()).containsExactlyInAnyOrder(CLUSTER.node(1), CLUSTER.node(2), CLUSTER.node(3));

        Program.Ended destroyed = machine.succeeds("destroy", CLUSTER.name());
        assertThat(destroyed.stdout()).endsWith("nothing is left\n");
        assertThat(MachineSnapshot.of(CLUSTER, machine.state())).isEqualTo(before);
    }

    @Test
    void killedEmulatorIsReportedAndDestroyDeletesItsNodes() throws IOException {
        MachineSnapshot before = MachineSnapshot.of(CLUSTER, machine.state());
        Path spec = plain();
        machine.succeeds("create", spec.toString(), "--on", "emulator");
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

        assertThat(machine.succeeds("destroy", CLUSTER.name()).stdout()).endsWith("nothing is left\n");
        assertThat(MachineSnapshot.of(CLUSTER, machine.state())).isEqualTo(before);
    }

    /** {@link JourneyTest} captures an image. */
    private Path plain() {
        return machine.write("no-image.yaml", CLUSTER.plainSpec());
    }

    /** The cluster that a command printed, which has this phase and so many nodes in this state. */
    static JsonNode expect(Program.Ended ended, String phase, String state, int nodes) throws JsonProcessingException {
        JsonNode cluster = AnalyzeTest.json(ended.stdout());
        assertThat(cluster.path("phase").asText()).isEqualTo(phase);
        assertThat(StreamSupport.stream(cluster.path("nodes").spliterator(), false))
                .hasSize(nodes)
                .allSatisfy(node -> assertThat(node.path("state").asText()).isEqualTo(state));
        return cluster;
    }
}
