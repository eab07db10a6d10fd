package io.clusterwright.examples.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.clusterwright.examples.cli.InThisJvm;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class AnalyzeTest {
    @RegisterExtension
    private final Machine machine = Machine.ofThisJvm();

    private Path article = Path.of("");

    @BeforeEach
    void writeArticle() throws IOException {
        try (InputStream sample =
                AnalyzeTest.class.getResourceAsStream("/samples/01_azure_2015_imb40u1_pingpong_A9_dapl.txt")) {
            article = machine.write("article.txt", new String(sample.readAllBytes(), StandardCharsets.UTF_8));
        }
    }

    @Nested
    class TheTableOfTheArticle {
        @Test
        void isHealthyForItsSize() throws JsonProcessingException {
            JsonNode json = machine.json("analyze %s --size Standard_A9 --json", article);
            assertThat(json.path("format").asText()).isEqualTo("imb");
            assertThat(json.path("benchmark").asText()).isEqualTo("PingPong");
            assertThat(json.path("processes").asInt()).isEqualTo(2);
            assertThat(json.path("bandwidthUnit").asText()).isEqualTo("MiB/s");
            assertThat(json.path("series")).hasSize(24);
            JsonNode row = json.path("series").get(10);
            assertThat(row.path("bytes").asLong()).isEqualTo(512);
            assertThat(row.path("repetitions").asLong()).isEqualTo(1000);
            assertThat(row.path("latencyMicros").asDouble()).isEqualTo(3.09);
            assertThat(row.path("bandwidthMBps").asDouble()).isEqualTo(157.99);
            assertThat(row.path("bandwidthBytesPerSecond").asLong()).isEqualTo(Math.round(157.99 * 1024 * 1024));
            assertThat(json.at("/summary/minLatencyMicros").asDouble()).isEqualTo(2.23);
            assertThat(json.at("/summary/latencyMicrosAt/8").asDouble()).isEqualTo(2.26);
            assertThat(json.at("/summary/peakBandwidthMBps").asDouble()).isEqualTo(3693.63);
            assertThat(json.at("/verdict/status").asText()).isEqualTo("passed");
            assertThat(json.at("/verdict/passed").asBoolean()).isTrue();
        }

        @Test
        void hasTheKeysOfTheContract() throws JsonProcessingException {
            JsonNode json = machine.json("analyze %s --json", article);

            assertThat(keys(json))
                    .containsExactlyInAnyOrder(
                            "format",
                            "tool",
                            "benchmark",
                            "processes",
                            "bandwidthUnit",
                            "series",
                            "summary",
                            "verdict");
            json.path("series")
                    .forEach(row -> assertThat(keys(row))
                            .containsExactlyInAnyOrder(
                                    "bytes",
                                    "repetitions",
                                    "latencyMicros",
                                    "bandwidthMBps",
                                    "bandwidthUnit",
                                    "bandwidthBytesPerSecond"));
            assertThat(keys(json.path("summary")))
                    .containsExactlyInAnyOrder("minLatencyMicros", "latencyMicrosAt", "peakBandwidthMBps");
            assertThat(keys(json.path("verdict"))).containsExactlyInAnyOrder("status", "passed", "reasons");
        }

        @Test
        void isRefusedWhereEveryRowWasLeftOut() {
            InThisJvm.Ran ended = InThisJvm.run(
                    "# OSU MPI Latency Test v5.9\n# Size          Latency (us)\n0    1.6\n1    1.7\n",
                    List.of("analyze", "-"));

            assertThat(ended.status()).isEqualTo(2);
            assertThat(ended.stderr())
                    .contains("no complete row of a benchmark table was found in standard input")
                    .contains("an incomplete row was left out: \"0    1.6\"");
        }

        @Test
        void failsWhereDataWereWrong() {
            InThisJvm.Ran ended = InThisJvm.run(
                    "# OSU MPI Latency Test v7.4\n# Size       Avg Latency(us)        Validation\n1    1.62    Fail\n",
                    List.of("analyze", "-"));

            assertThat(ended.status()).isEqualTo(3);
            assertThat(ended.stdout()).contains("verdict: failed");
        }

        @Test
        void isNotJudgedWithoutASize() throws JsonProcessingException {
            Program.Ended ended = machine.succeeds("analyze %s --json", article);
            assertThat(json(ended.stdout()).at("/verdict/status").asText()).isEqualTo("not-judged");
            assertThat(json(ended.stdout()).at("/verdict/passed").asBoolean()).isFalse();
        }

        @Test
        void isNotJudgedForASizeWithoutRdma() {
            Program.Ended ended = machine.succeeds("analyze %s --size Standard_D2s_v3", article);
            assertThat(ended.stdout()).contains("verdict: not-judged");
        }

        @Test
        void isReadFromStandardInput() {
            InThisJvm.Ran ended = InThisJvm.run(read(article), List.of("analyze", "-", "--size", "Standard_A9"));

            assertThat(ended.status()).as(ended.toString()).isZero();
            assertThat(ended.stdout().lines().filter(line -> line.matches(" *[0-9]+ +[0-9]+ +[0-9.]+ +[0-9.]+")))
                    .hasSize(24);
            assertThat(ended.stdout()).contains("verdict: passed");
        }

        @Test
        void isPlotted() {
            Path plot = machine.folder().resolve("article.svg");

            Program.Ended ended = machine.succeeds("analyze %s --plot %s", article, plot);
            assertThat(new Picture(plot).texts())
                    .contains("Latency, one way", "Bandwidth", "message size", "512 B", "2 MiB");
        }
    }

    @Test
    void aSlowMessageOf512BytesIsABadVerdict() throws JsonProcessingException {
        Path slow = machine.write("slow.txt", read(article).replace("3.09", "4.20"));

        Program.Ended ended = machine.clusterwright("analyze %s --size Standard_A9 --json", slow);

        assertThat(ended.status()).as(ended.toString()).isEqualTo(3);
        JsonNode verdict = json(ended.stdout()).path("verdict");
        assertThat(verdict.path("status").asText()).isEqualTo("failed");
        assertThat(verdict.path("passed").asBoolean()).isFalse();
        assertThat(verdict.path("reasons")).hasSize(1);
        assertThat(verdict.path("reasons").get(0).asText()).contains("512").contains("4.2");
    }

    @Test
    void tableOfTheArticleFailsForASizeWithBetterFigures() throws JsonProcessingException {
        Program.Ended ended = machine.clusterwright("analyze %s --size Standard_HB120rs_v3 --json", article);

        assertThat(ended.status()).as(ended.toString()).isEqualTo(3);
        JsonNode verdict = json(ended.stdout()).path("verdict");
        assertThat(keys(verdict)).containsExactlyInAnyOrder("status", "passed", "reasons");
        assertThat(verdict.path("status").asText()).isEqualTo("failed");
        assertThat(verdict.path("reasons"))
                .extracting(JsonNode::asText)
                .singleElement()
                .satisfies(bandwidth ->
                        assertThat(bandwidth).contains("156.8 Gb/s", "196.0 Gb/s of MPI published for HB120rs_v3"));
    }

    @Nested
    class Refuses {
        @Test
        void textWithoutTable() throws JsonProcessingException {
            Path noise = machine.write("noise.txt", "nothing that a benchmark prints\n");

            Program.Ended ended = machine.refuses("analyze %s --json", noise);
            assertThat(json(ended.stdout()).path("error").asText()).startsWith("no benchmark table was");
            assertThat(ended.stderr())
                    .contains("no benchmark table was found in " + noise)
                    .contains("IMB, OSU, NetPIPE, mpipingpong, perftest, ucx_perftest or nccl-tests")
                    .doesNotContain("\tat ");
        }

        @Test
        void missingFile() {
            Program.Ended ended = machine.refuses("analyze /nowhere/at-all.txt");
            assertThat(ended.stderr())
                    .contains("there is no file /nowhere/at-all.txt")
                    .contains("- reads standard input");
        }

        @Test
        void plotInMissingFolder() {
            Program.Ended ended = machine.clusterwright("analyze %s --plot /nowhere/x.svg", article);

            assertThat(ended.status()).isPositive();
            assertThat(ended.stderr())
                    .contains("cannot write /nowhere/x.svg")
                    .contains("name a file in an existing folder");
        }

        @Test
        void unknownOption() {
            Program.Ended ended = machine.refuses("analyze %s --sise Standard_A9", article);
            assertThat(ended.stderr()).contains("--sise");
        }
    }

    static JsonNode json(String text) throws JsonProcessingException {
        return new ObjectMapper()
                .enable(com.fasterxml.jackson.databind.DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                .readTree(text);
    }

    static Set<String> keys(JsonNode json) {
        Set<String> keys = new TreeSet<>();
        json.fieldNames().forEachRemaining(keys::add);
        return keys;
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
