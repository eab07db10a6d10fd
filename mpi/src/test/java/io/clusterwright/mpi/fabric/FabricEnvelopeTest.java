package io.clusterwright.mpi.fabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.clusterwright.core.catalog.VmSizes;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.Verification;
import io.clusterwright.core.type.VmSize;
import io.clusterwright.mpi.bench.Verdict;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FabricEnvelopeTest {

    @ParameterizedTest
    @CsvSource({
        "Standard_HB120rs_v3, 1.80, 8, 153.6",
        "Standard_HC44rs, 1.575, 8, 77.44",
        "Standard_HB176rs_v4, 3.00, 8, 320",
        "Standard_A9, 3.5, 512, 0",
        "Standard_ND40rs_v2, 3.5, 512, 0",
    })
    void isThatOfTheSizeWithItsTolerance(String size, double micros, long bytes, double gbps) {
        FabricEnvelope envelope = FabricEnvelope.of(spec(size, verify -> {}));

        assertThat(envelope.maxMicros()).isCloseTo(micros, within(1e-9));
        assertThat(envelope.upToBytes()).isEqualTo(bytes);
        assertThat(envelope.minBytesPerSecond() * 8 / 1e9).isCloseTo(gbps, within(1e-9));
    }

    @Test
    void thresholdsOfTheDescriptionWinEachForItself() {
        FabricEnvelope latency = FabricEnvelope.of(spec(
                "Standard_HB120rs_v3",
                verify -> verify.maxLatency(limit -> limit.micros(2.5).upToBytes(128))));
        FabricEnvelope bandwidth =
                FabricEnvelope.of(spec("Standard_HB120rs_v3", verify -> verify.minBandwidth(limit -> limit.gbps(180))));

        assertThat(latency.maxMicros()).isEqualTo(2.5);
        assertThat(latency.upToBytes()).isEqualTo(128);
        assertThat(latency.latencySource()).isEqualTo("verify.maxLatency of the description");
        assertThat(latency.minBytesPerSecond() * 8 / 1e9).isCloseTo(153.6, within(1e-9));
        assertThat(bandwidth.maxMicros()).isCloseTo(1.8, within(1e-9));
        assertThat(bandwidth.minBytesPerSecond() * 8 / 1e9).isCloseTo(180, within(1e-9));
    }

    @ParameterizedTest
    @CsvSource({
        "1.79, 153.7, PASSED",
        "1.81, 153.7, FAILED",
        "1.79, 153.5, FAILED",
        "9.00, 10.0, FAILED",
    })
    void judgesAtItsEdges(double micros, double gbps, Verdict.Status status) {
        FabricEnvelope envelope = FabricEnvelope.of(spec("Standard_HB120rs_v3", verify -> {}));

        // The rate of 4 MiB comes from a time with two digits after the point.
        assertThat(envelope.judge(Fabric.table(micros, gbps * 1e9 / 8)).status())
                .isEqualTo(status);
    }

    @ParameterizedTest
    @CsvSource({"3.09, PASSED", "3.49, PASSED", "3.50, FAILED"})
    void withoutAPublishedFigureTheRuleOfTheArticleHolds(double micros, Verdict.Status status) {
        assertThat(FabricEnvelope.article().judge(Fabric.table(micros, 3e9)).status())
                .isEqualTo(status);
    }

    @Test
    void aTableWithoutASmallMessageIsNotJudged() {
        FabricEnvelope tiny = FabricEnvelope.article().withLatency(3, 1_000_000_000, "a test");

        assertThat(tiny.judge(Fabric.table(1, 24e9)).status()).isEqualTo(Verdict.Status.FAILED);
        assertThat(tiny.withLatency(1e9, 1_000_000_000, "a test")
                        .judge(Fabric.table(1, 24e9))
                        .reasons())
                .containsExactly("the table has no row near 1000000000 bytes to hold against 1000000000.00 us up to"
                        + " 1000000000 bytes (a test)");
    }

    @Test
    void refusesLimitsThatAreNone() {
        assertThatThrownBy(() -> FabricEnvelope.article().withLatency(0, 8, "a test"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("an envelope needs positive limits, not 0.0 us up to 8 bytes");
    }

    private static ClusterSpec spec(String size, Consumer<Verification.Builder> verify) {
        assertThat(VmSizes.standard().find(VmSize.parse(size))).isPresent();
        return ClusterSpec.builder("cluster")
                .region("westeurope")
                .nodes(nodes -> nodes.count(2).size(VmSize.parse(size)))
                .verify(verify)
                .build();
    }
}
