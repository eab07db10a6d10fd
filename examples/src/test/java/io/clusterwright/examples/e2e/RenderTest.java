package io.clusterwright.examples.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The command {@code render}, against the program's contract. */
class RenderTest {
    private static final List<String> MADE = List.of(
            "99-clusterwright-memlock.conf",
            "azuredeploy.json",
            "azuredeploy.parameters.json",
            "cloud-init.yaml",
            "hostfile.hydra",
            "hostfile.mvapich2",
            "hostfile.openmpi",
            "hostfile.slurm",
            "hosts",
            "limits.conf",
            "mpi.env",
            "mpirun.sh",
            "ssh_config",
            "ssh_known_hosts");

    @RegisterExtension
    private final Machine machine = Machine.ofThisJvm();

    private static Path resource(String name) {
        try {
            return Path.of(RenderTest.class.getResource("/render/" + name).toURI());
        } catch (URISyntaxException e) {
            throw new AssertionError(e);
        }
    }

    private Program.Ended render(Path spec, String to, String... more) {
        List<String> words = Stream.concat(
                        Stream.of(
                                "render",
                                spec.toString(),
                                "--to",
                                machine.folder().resolve(to).toString()),
                        Stream.of(more))
                .toList();
        return machine.clusterwright(words.toArray(String[]::new));
    }

    private Map<String, String> tree(String folder) throws IOException {
        Map<String, String> tree = new TreeMap<>();
        try (Stream<Path> files = Files.list(machine.folder().resolve(folder))) {
            for (Path file : files.toList()) {
                tree.put(file.getFileName().toString(), Files.readString(file));
            }
        }
        return tree;
    }

    @Nested
    class AFullSpec {
        private final Path spec = resource("linux-full.yaml");

        @Test
        void givesAllFiles() throws IOException {
            Program.Ended rendered = render(spec, "out", "--json");

            assertThat(rendered.status()).as(rendered.toString()).isZero();
            JsonNode json = AnalyzeTest.json(rendered.stdout());
            assertThat(json.path("files")).extracting(JsonNode::asText).containsExactlyElementsOf(MADE);
            assertThat(json.path("notMade")).isEmpty();
            assertThat(json.path("replaced")).isEmpty();
            assertThat(tree("out")).containsOnlyKeys(MADE);
            assertThat(tree("out").get("hostfile.hydra"))
                    .startsWith("10.32.0.11:120\n10.32.0.12:120\n")
                    .hasLineCount(8);
            assertThat(machine.state()).as("no record and no key was made").doesNotExist();
        }

        @Test
        void alwaysGivesTheSameBytes() throws IOException {
            assertThat(render(spec, "one").status()).isZero();
            Program.Ended again = render(spec, "two");

            assertThat(tree("two")).isEqualTo(tree("one"));
            assertThat(again.stdout())
                    .contains(machine.folder().resolve("two/hosts") + " (created)")
                    .contains("note: azuredeploy.parameters.json: deploy with: az deployment group create")
                    .doesNotContain("not made: ")
                    .contains("note: ssh_known_hosts: empty: ");
            assertThat(render(spec, "two").stdout())
                    .contains("hosts (unchanged)")
                    .doesNotContain("(created)", "(replaced)");
        }

        @Test
        void onLocalAppliesTheLocalOverrides() throws IOException {
            Program.Ended rendered = render(spec, "out", "--on", "local", "--json");

            assertThat(rendered.status()).as(rendered.toString()).isZero();
            assertThat(AnalyzeTest.json(rendered.stdout()).path("notMade")).isEmpty();
            assertThat(tree("out").get("hostfile.hydra"))
                    .isEqualTo("10.32.0.11:1\n10.32.0.12:1\n10.32.0.13:1\n10.32.0.14:1\n");
            assertThat(tree("out").get("mpi.env")).startsWith("# MPI with preset mpich/tcp,");
        }

        @Test
        void ofAWindowsClusterGivesTheFilesOfItsScenario() throws IOException {
            Program.Ended rendered = render(resource("windows-full.yaml"), "out", "--json");

            assertThat(rendered.status()).as(rendered.toString()).isZero();
            JsonNode json = AnalyzeTest.json(rendered.stdout());
            assertThat(tree("out").keySet())
                    .containsExactlyInAnyOrder(
                            "HPCIaaSClusterConfig.xml",
                            "New-HPCIaaSCluster.ps1.txt",
                            "firewall.cmd",
                            "job-latency.cmd",
                            "job-throughput.cmd",
                            "job.xml",
                            "node-group.ps1",
                            "node-lifecycle.ps1",
                            "node-startup.cmd",
                            "task-view.cmd");
            assertThat(json.path("notMade")).isEmpty();
        }
    }

    @Nested
    class IsRefused {
        private static final String GOOD =
                "name: demo\nregion: westus2\nnodes: {count: 2, size: Standard_HB120rs_v3}\n";

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "regoin: x\n",
                    "mpi: {preset: intel-mpi/network-direct}\n",
                    "on: {azure: {mpi: {preset: intel-mpi/network-direct}}}\n",
                    "image: {customize: {files: [{from: none.conf, to: /opt/none.conf}]}}\n"
                })
        void specWithAnErrorAndWritesNoFile(String wrong) throws IOException {
            Path spec = machine.write("wrong.yaml", GOOD + wrong);

            Program.Ended people = render(spec, "out");
            Program.Ended json = render(spec, "out", "--json");

            assertThat(people.status()).as(people.toString()).isEqualTo(2);
            assertThat(people.stdout()).contains("ERROR CW-", "    -> ", "is refused, and nothing was written");
            assertThat(json.status()).isEqualTo(2);
            assertThat(AnalyzeTest.json(json.stdout()).path("valid").asBoolean(true))
                    .isFalse();
            assertThat(AnalyzeTest.json(json.stdout()).findValuesAsText("severity"))
                    .contains("ERROR");
            assertThat(machine.folder().resolve("out")).doesNotExist();
        }

        @Test
        void outputThatIsNoFolder() {
            machine.write("out", "mine");
            Program.Ended refused = render(machine.write("good.yaml", GOOD), "out");
            assertThat(refused.status()).isEqualTo(2);
            assertThat(refused.stderr()).contains("invalid output folder \"");
            assertThat(machine.folder().resolve("out")).hasContent("mine");
        }

        @Test
        void missingOutputFolder() {
            Program.Ended refused = machine.refuses(
                    "render %s", machine.write("good.yaml", GOOD).toString());
            assertThat(refused.stderr()).contains("--to");
        }
    }
}
