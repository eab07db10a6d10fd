package io.clusterwright.mpi.bench;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.junit.jupiter.api.Test;

class BenchmarkJsonTest {
    private final Verdict none = Verdict.notJudged("no size given");

    @Test
    void hasTheKeysOfAPingPong() {
        JsonNode json =
                new ObjectMapper().valueToTree(BenchmarkJson.of(Samples.only(Samples.read(Samples.ARTICLE)), none));

        assertThat(json.get("format").asText()).isEqualTo("imb");
        assertThat(json.get("benchmark").asText()).isEqualTo("PingPong");
        assertThat(json.get("processes").asInt()).isEqualTo(2);
        assertThat(json.get("bandwidthUnit").asText()).isEqualTo("MiB/s");
        assertThat(json.get("series")).hasSize(24);
        assertThat(json.get("series").get(0).toString())
                .isEqualTo("{\"bytes\":0,\"repetitions\":1000,\"latencyMicros\":2.23,\"bandwidthMBps\":0.0,"
                        + "\"bandwidthUnit\":\"MiB/s\",\"bandwidthBytesPerSecond\":0}");
        assertThat(json.get("series").get(23).get("bandwidthBytesPerSecond").asLong())
                .isEqualTo(3_873_051_771L);
        assertThat(json.get("summary").get("minLatencyMicros").asDouble()).isEqualTo(2.23);
        assertThat(json.get("summary").get("latencyMicrosAt").get("8").asDouble())
                .isEqualTo(2.26);
        assertThat(json.get("summary").get("peakBandwidthMBps").asDouble()).isEqualTo(3693.63);
        assertThat(json.get("verdict").toString())
                .isEqualTo("{\"status\":\"not-judged\",\"passed\":false,\"reasons\":[\"no size given\"]}");
        assertThat(json.has("findings")).isFalse();
    }

    @Test
    void leavesOutWhatWasNotPrinted() {
        JsonNode json = new ObjectMapper()
                .valueToTree(BenchmarkJson.of(Samples.only(Samples.read("06_osu70_bcast_azure_batch.txt")), none));

        assertThat(json.has("processes")).isFalse();
        assertThat(json.has("bandwidthUnit")).isFalse();
        assertThat(json.get("series").get(0).toString()).isEqualTo("{\"bytes\":1,\"avgMicros\":3.22}");
        assertThat(json.get("summary").has("peakBandwidthMBps")).isFalse();
    }

    @Test
    void givesAnArrayForSeveralTables() {
        Benchmarks parsed = Benchmarks.parse(Samples.read("02_imb41_aarch64_ompi_five_benchmarks.txt"));

        JsonNode json = new ObjectMapper().valueToTree(parsed.toPlain(report -> none));

        assertThat(json.isArray()).isTrue();
        assertThat(json).hasSize(5);
        assertThat(json.get(4).get("series").get(1).toString())
                .isEqualTo(
                        "{\"bytes\":4,\"repetitions\":1000,\"minMicros\":4.69,\"maxMicros\":4.73,\"avgMicros\":4.71}");
    }

    @Test
    void carriesFindings() {
        String wrong = Samples.read(Samples.ARTICLE).replace("1082.94", " 108.94");

        JsonNode json = new ObjectMapper().valueToTree(BenchmarkJson.of(Samples.only(wrong), none));

        assertThat(json.get("findings").get(0).get("code").asText()).isEqualTo("CW-BENCH-003");
        assertThat(json.get("findings").get(0).get("path").asText()).isEqualTo("line 59");
    }
}
