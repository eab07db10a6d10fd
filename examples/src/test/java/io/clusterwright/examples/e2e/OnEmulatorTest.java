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

        Program.Ended created = machine.succeeds("create %s --on emulator --json", plain().toString());
        JsonNode cluster = expect(created, "ready", "running", 2);
        assertThat(cluster.path("provider").asText()).isEqualTo("emulator");

        expect(machine.succeeds("resize %s 3 --json", CLUSTER.name()), "ready", "running", 3);
        JsonNode stopped = expect(machine.succeeds("stop %s --json", CLUSTER.name()), "stopped", "stopped", 3);
        Program.Ended refused = machine.fails("run %s -- hostname", CLUSTER.name());
        assertThat(refused.stderr()).contains("is stopped, so its nodes cannot be reached; run: clusterwright start");

        JsonNode started = expect(machine.succeeds("start %s --json", CLUSTER.name()), "ready", "running", 3);
        assertThat(started.findValuesAsText("hostKey")).isEqualTo(stopped.findValuesAsText("hostKey"));
        Program.Ended job = machine.succeeds("mpi %s -- hostname", CLUSTER.name());
        assertThat(job.stdout().lines()).containsExactlyInAnyOrder(CLUSTER.node(1), CLUSTER.node(2), CLUSTER.node(3));

        Program.Ended destroyed = machine.succeeds("destroy %s", CLUSTER.name());
        assertThat(destroyed.stdout()).endsWith("nothing is left\n");
        assertThat(MachineSnapshot.of(CLUSTER, machine.state())).isEqualTo(before);
    }

    @Test
    void killedEmulatorIsReportedAndDestroyDeletesItsNodes() throws IOException {
        MachineSnapshot before = MachineSnapshot.of(CLUSTER, machine.state());
        Path spec = plain();
        machine.succeeds("create %s --on emulator", spec);
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

        assertThat(machine.succeeds("destroy %s", CLUSTER.name()).stdout()).endsWith("nothing is left\n");
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
