package io.clusterwright.examples.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.clusterwright.core.internal.json.Json;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code presets} and {@code diagnose}. */
class KnowledgeCommandsTest {
    private static final String OSU = """
            # OSU MPI Latency Test v7.4
            # Size          Latency (us)
            0                       1.60
            8                       1.63
            """;

    private final Console console = new Console();

    @TempDir
    private Path folder;

    private JsonNode json() throws IOException {
        return Json.MAPPER.readTree(console.out());
    }

    @Test
    void presetsAreListedAsAnArray() throws IOException {
        assertThat(console.run("presets", "--json")).isZero();
        assertThat(json()).hasSize(13).allSatisfy(preset -> {
            assertThat(preset.path("name").asText())
                    .startsWith(preset.path("mpi").asText() + "/");
            assertThat(preset.path("variables").isArray()).isTrue();
            assertThat(preset.has("chosen")).isFalse();
        });
    }

    @Test
    void presetsForASizeMarkThePresetThatAutoSelects() throws IOException {
        assertThat(console.run("presets", "--size", "Standard_A9", "--mpi", "intel-mpi:5.1.3", "--json"))
                .isZero();
        assertThat(json().findValuesAsText("mpi")).containsOnly("intel-mpi");
        JsonNode chosen = json().get(0);
        assertThat(chosen.path("name").asText()).isEqualTo("intel-mpi/network-direct");
        assertThat(chosen.path("chosen").asBoolean()).isTrue();
        assertThat(chosen.path("reason").asText())
                .isEqualTo("Standard_A9: intel-mpi 5.1.3 reaches network-direct this way");
        assertThat(chosen.path("variables").findValuesAsText("value")).containsExactly("shm:dapl", "ofa-v2-ib0", "0");
        assertThat(json().get(1).path("chosen").asBoolean(true)).isFalse();
    }

    @Test
    void presetsShowReasons() {
        assertThat(console.run("presets", "--size", "hb120rs_v3", "--mpi", "mpich"))
                .isZero();
        assertThat(console.out())
                .contains("mpich/ucx ", "UCX_TLS=^tcp", "auto selects this preset: Standard_HB120rs_v3: ");
    }

    @Test
    void presetsRefuseUnknownNamesAndSuggestTheNearest() {
        assertThat(console.run("presets", "--mpi", "intl-mpi")).isEqualTo(2);
        assertThat(console.run("presets", "--size", "Standard_HB120rs_v33")).isEqualTo(2);
        assertThat(console.errors())
                .contains("invalid MPI \"intl-mpi\"", "did you mean intel-mpi?", "did you mean Standard_HB120rs_v3?");
    }

    @Test
    void mpiRefusesUnknownPresetBeforeItOpensTheCluster() {
        assertThat(console.run("mpi", "nocluster", "--preset", "open-mpi/uxc", "--", "hostname"))
                .isEqualTo(2);
        assertThat(console.errors()).contains("invalid MPI preset \"open-mpi/uxc\"", "(example: open-mpi/ucx");
    }

    @Test
    void diagnoseExplainsAFile() throws IOException {
        Path file = folder.resolve("out.txt");
        Files.writeString(file, "started\nssh: Could not resolve hostname node7: Name or service not known\n");

        assertThat(console.run("diagnose", file.toString(), "--json")).isZero();

        assertThat(json()).hasSize(1);
        assertThat(json().get(0).properties())
                .extracting(Map.Entry::getKey)
                .containsExactly("code", "line", "cause", "remedy");
        assertThat(json().get(0).path("code").asText()).isEqualTo("CW-DIAG-106");
        assertThat(json().get(0).path("line").asInt()).isEqualTo(2);
        assertThat(json().get(0).path("cause").asText()).startsWith("node7 has no address");
    }

    @Test
    void diagnoseReadsStandardInput() throws IOException {
        assertThat(console.run("all is well\n", List.of("diagnose", "-", "--json")))
                .isZero();
        assertThat(json().isArray()).isTrue();
        assertThat(json()).isEmpty();
    }

    @Test
    void readsWhatPowerShellWrote() throws IOException {
        Path file = folder.resolve("out.txt");
        Files.write(
                file,
                "\uFEFFstarted\r\nssh: Could not resolve hostname node7: Name or service not known\r\n"
                        .getBytes(StandardCharsets.UTF_16LE));
        assertThat(console.run("diagnose", file.toString(), "--json")).isZero();
        assertThat(json().at("/0/code").asText()).isEqualTo("CW-DIAG-106");
        assertThat(json().at("/0/line").asInt()).isEqualTo(2);

        console.clear();
        Files.write(file, ("\uFEFF" + OSU).getBytes(StandardCharsets.UTF_16BE));
        assertThat(console.run("analyze", file.toString(), "--json")).isZero();
        assertThat(json().at("/format").asText()).isEqualTo("osu");
    }

    @Test
    void analyzeDrawsOnlyIntoFilesOfPictures() throws IOException {
        Path file = Files.writeString(folder.resolve("osu.svg"), OSU);
        for (Path plot : List.of(file, folder.resolve("osu.txt"))) {
            assertThat(console.run("analyze", file.toString(), "--plot", plot.toString()))
                    .isEqualTo(2);
        }
        assertThat(console.errors())
                .contains(
                        "--plot " + file + " is the file to read: write the name of another file",
                        "write a name that ends with .svg, such as --plot pingpong.svg");
        assertThat(file).hasContent(OSU);
        assertThat(folder.resolve("osu.txt")).doesNotExist();
    }

    @Test
    void diagnoseRefusesMissingFile() {
        assertThat(console.run("diagnose", folder.resolve("none").toString())).isEqualTo(2);
        assertThat(console.errors()).contains("there is no file", "- reads standard input");
    }
}
