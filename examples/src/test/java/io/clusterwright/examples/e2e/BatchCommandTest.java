package io.clusterwright.examples.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.clusterwright.azure.emulator.BatchEmulator;
import io.clusterwright.core.internal.json.Json;
import io.clusterwright.examples.cli.ClusterwrightMain;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The command for Azure Batch on an emulated account. */
@Tag("breadth")
class BatchCommandTest {
    private static final String SPEC = """
            name: lab
            region: westeurope
            nodes: {count: 2, size: Standard_D4s_v5}
            image: {base: "microsoft-dsvm:ubuntu-hpc:2204:latest"}
            mpi: {env: {OMPI_MCA_mpi_yield_when_idle: "1"}}
            verify: {fabric: pair}
            """;

    @RegisterExtension
    private final Machine machine = Machine.ofProcesses();

    private String account = "";
    private String token = "";
    private String storage = "";

    @Test
    void aPoolIsMadeVerifiedUsedAndDeletedByCommand() throws JsonProcessingException {
        String spec = machine.write("pool.yaml", SPEC).toString();
        Program emulator = machine.startClusterwright("emulator --backed-by local --batch 10.86.16.0/24");
        emulator.awaitText("token");
        JsonNode first = Json.MAPPER.readTree(emulator.stdout());
        account = first.path("url").asText();
        token = first.path("token").asText();
        storage = first.path("storage").asText();

        Program.Ended plan = batch("plan", spec);
        assertThat(plan.stdout()).isEqualTo("""
                        pool lab
                          2 nodes of Standard_D4s_v5, node agent batch.node.ubuntu-hpc
                          billed by node and hour, also while idle, until clusterwright batch %s delete lab
                          price: not known; --prices FILE gives it
                        """.formatted(account));
        assertThat(batch("pools").stdout()).isEqualTo("no pools\n");

        Program.Ended created = batch("create", spec);
        assertThat(created.status()).as(created.toString()).isZero();
        assertThat(created.stderr())
                .contains("pool lab is billed until clusterwright batch " + account + " delete lab");
        assertThat(created.stdout().lines()).hasSize(2).allMatch(line -> line.endsWith("idle"));

        Program.Ended job = batch(
                "mpi",
                spec,
                "--ppn",
                "1",
                "--env",
                "GREETING=hello",
                "--stage-in",
                machine.write("case.txt", "case 7\n").toString(),
                "--stage-in",
                machine.write("tool", "echo $GREETING; cat case.txt").toString() + ":bin/tool",
                "--",
                "sh",
                "bin/tool");
        assertThat(job.stdout().lines())
                .as(job.toString())
                .containsExactlyInAnyOrder("hello", "case 7", "hello", "case 7");
        Program.Ended failed = batch("mpi", spec, "--ppn", "1", "-n", "1", "--json", "--", "sh", "-c", "exit 3");
        assertThat(failed.status()).isEqualTo(1);
        assertThat(Json.MAPPER.readTree(failed.stdout()).path("exit").asInt()).isEqualTo(3);

        Program.Ended verified = batch("verify", spec);
        assertThat(verified.status()).as(verified.toString()).isZero();
        assertThat(verified.stdout()).contains("lab1 - lab2", "transport: TCP", "verdict: not-judged");

        String shorter = batch("submit", spec, "--ppn", "1", "-n", "1", "--", "echo", "written")
                .stdout()
                .strip();
        Program.Ended followed = batch("output", shorter, "--follow");
        assertThat(followed.status()).as(followed.toString()).isZero();
        assertThat(followed.stdout()).isEqualTo("written\n");

        String id = batch("submit", spec, "--ppn", "1", "--", "sleep", "4711")
                .stdout()
                .strip();
        assertThat(batch("jobs").stdout().lines())
                .anyMatch(line -> line.matches(id + " +running +hpcuser +tvm-\\d+ +sleep"));
        assertThat(batch("cancel", id).status()).isZero();
        JsonNode ended = Json.MAPPER.readTree(batch("output", id, "--json").stdout());
        assertThat(ended.path("state").asText()).isEqualTo("cancelled");

        assertThat(batch("delete", "lab").stdout()).isEqualTo("deleted pool lab\n");
        assertThat(batch("delete", "lab").stderr()).contains("there is no pool lab; batch pools lists them");
        emulator.signal("INT");
        emulator.end();
    }

    @Test
    void aMistakeIsRefusedInOneLine() {
        try (BatchEmulator emulator = BatchEmulator.builder().start()) {
            account = emulator.url().toString();
            String spec = machine.write("pool.yaml", SPEC).toString();
            refused("no action was given", List.of());
            refused("--mpi foo: this MPI is not known", List.of("mpi", spec, "--mpi", "foo", "--", "x"));
            refused("invalid --retry \"-1\": use 0 or more", List.of("mpi", spec, "--retry", "-1", "--", "x"));
            refused("there is no file absent", List.of("mpi", spec, "--stage-in", "absent", "--", "x"));
            refused(
                    "Azure Batch nodes can read files from storage only",
                    List.of("submit", spec, "--stage-in", spec, "--", "x"));
            refused(
                    "invalid storage container name ",
                    List.of("submit", spec, "--stage-in", "autostorage:A_b", "--", "x"));
            String wrong = machine.write("wrong.yaml", SPEC.replace("mpi: {", "mpi: {preset: foo/bar, "))
                    .toString();
            for (String action : List.of("plan", "create")) {
                Program.Ended refused = batch(action, wrong);
                assertThat(refused.status()).as(refused.toString()).isEqualTo(2);
                assertThat(refused.stdout()).contains("ERROR CW-PRESET-001 " + wrong + ":5:");
            }
            account = "https://lab.westeurope.batch.azure.com";
            refused("is in the cloud public", List.of("--cloud", "china", "pools"));
            account = "https://lab.example.org";
            refused("Batch account endpoint", List.of("pools"));
        }
    }

    private void refused(String reason, List<String> arguments) {
        Program.Ended refused = batch(arguments.toArray(String[]::new));
        assertThat(refused.status()).as(refused.toString()).isEqualTo(2);
        assertThat(refused.stderr().lines().filter(line -> line.contains(reason)))
                .as(refused.toString())
                .hasSize(1);
    }

    private Program.Ended batch(String... arguments) {
        List<String> words = new ArrayList<>(List.of("batch", account));
        words.addAll(Arrays.asList(arguments));
        return machine.start(Machine.java(ClusterwrightMain.class, words.toArray(String[]::new)), "", builder -> {
                    builder.environment().put("CLUSTERWRIGHT_EMULATOR_TOKEN", token);
                    builder.environment().put("CLUSTERWRIGHT_BATCH_STORAGE", storage);
                    return builder;
                })
                .end();
    }
}
