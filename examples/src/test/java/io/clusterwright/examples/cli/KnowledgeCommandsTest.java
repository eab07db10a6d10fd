package io.clusterwright.examples.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.clusterwright.core.internal.json.Json;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;

/** {@code presets} and {@code diagnose}. */
@ResourceLock(Resources.SYSTEM_OUT)
@ResourceLock(Resources.SYSTEM_ERR)
@ResourceLock("java.lang.System.in")
class KnowledgeCommandsTest {
    private final InputStream in = System.in;
    private final PrintStream out = System.out;
    private final PrintStream err = System.err;
    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
    private final ByteArrayOutputStream complained = new ByteArrayOutputStream();

    @TempDir
    private Path folder;

    @BeforeEach
    void listen() {
        System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
        System.setErr(new PrintStream(complained, true, StandardCharsets.UTF_8));
    }

    @AfterEach
    void restore() {
        System.setIn(in);
        System.setOut(out);
        System.setErr(err);
    }

    private JsonNode json() throws IOException {
        return Json.MAPPER.readTree(printed.toString(StandardCharsets.UTF_8));
    }

    @Test
    void presetsAreListedAsAnArray() throws IOException {
        assertThat(ClusterwrightMain.run("presets", "--json")).isZero();
        assertThat(json()).hasSize(13).allSatisfy(preset -> {
            assertThat(preset.path("name").asText())
                    .startsWith(preset.path("mpi").asText() + "/");
            assertThat(preset.path("variables").isArray()).isTrue();
            assertThat(preset.has("chosen")).isFalse();
        });
    }

    @Test
    void presetsForASizeMarkThePresetThatAutoSelects() throws IOException {
        assertThat(ClusterwrightMain.run("presets", "--size", "Standard_A9", "--mpi", "intel-mpi:5.1.3", "--json"))
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
        assertThat(ClusterwrightMain.run("presets", "--size", "hb120rs_v3", "--mpi", "mpich"))
                .isZero();
        assertThat(printed.toString(StandardCharsets.UTF_8))
                .contains("mpich/ucx ", "UCX_TLS=^tcp", "auto takes this one: Standard_HB120rs_v3: ");
    }

    @Test
    void presetsRefuseUnknownNamesAndSuggestTheNearest() {
        assertThat(ClusterwrightMain.run("presets", "--mpi", "intl-mpi")).isEqualTo(2);
        assertThat(ClusterwrightMain.run("presets", "--size", "Standard_HB120rs_v33"))
                .isEqualTo(2);
        assertThat(complained.toString(StandardCharsets.UTF_8))
                .contains("there is no MPI intl-mpi", "did you mean intel-mpi?", "did you mean Standard_HB120rs_v3?");
    }

    @Test
    void mpiRefusesUnknownPresetBeforeItOpensTheCluster() {
        assertThat(ClusterwrightMain.run("mpi", "nocluster", "--preset", "open-mpi/uxc", "--", "hostname"))
                .isEqualTo(2);
        assertThat(complained.toString(StandardCharsets.UTF_8))
                .contains("\"open-mpi/uxc\" is not a valid MPI preset", "for example open-mpi/ucx");
    }

    @Test
    void diagnoseExplainsAFile() throws IOException {
        Path file = folder.resolve("out.txt");
        Files.writeString(file, "started\nssh: Could not resolve hostname node7: Name or service not known\n");

        assertThat(ClusterwrightMain.run("diagnose", file.toString(), "--json")).isZero();

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
        System.setIn(new ByteArrayInputStream("all is well\n".getBytes(StandardCharsets.UTF_8)));
        assertThat(ClusterwrightMain.run("diagnose", "-", "--json")).isZero();
        assertThat(json().isArray()).isTrue();
        assertThat(json()).isEmpty();
    }

    @Test
    void diagnoseRefusesMissingFile() {
        assertThat(ClusterwrightMain.run("diagnose", folder.resolve("none").toString()))
                .isEqualTo(2);
        assertThat(complained.toString(StandardCharsets.UTF_8)).contains("there is no file", "- reads standard input");
    }
}
