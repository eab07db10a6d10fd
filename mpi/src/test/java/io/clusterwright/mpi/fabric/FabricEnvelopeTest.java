package io.clusterwright.mpi.fabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.clusterwright.core.catalog.VmSizeFacts;
import io.clusterwright.core.catalog.VmSizes;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.Verification;
import io.clusterwright.core.spec.Verification.BandwidthLimit;
import io.clusterwright.core.spec.Verification.LatencyLimit;
import io.clusterwright.core.type.Bandwidth;
import io.clusterwright.core.type.InvalidValueException;
import io.clusterwright.core.type.Latency;
import io.clusterwright.core.type.VmSize;
import io.clusterwright.mpi.bench.BenchmarkReport;
import io.clusterwright.mpi.bench.Benchmarks;
import io.clusterwright.mpi.bench.Verdict;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FabricEnvelopeTest {

    @ParameterizedTest
    @CsvSource({
        "Standard_HB60rs, 3.66, 8, 77.2",
        "Standard_HB120rs_v2, 2.415, 8, 150.24",
        "Standard_HB120-16rs_v2, 2.415, 8, 150.24",
        "Standard_HB120rs_v3, 2.385, 8, 156.8",
        "Standard_HC44rs, 2.67, 8, 77.04",
        "Standard_HB176rs_v4, 3.50, 8, 320",
        "Standard_HB368rs_v5, 3.50, 8, 160",
        "Standard_A9, 3.5, 512, 0",
        "Standard_ND40rs_v2, 3.5, 512, 0",
    })
    void isThatOfTheSizeWithItsTolerance(String size, double micros, long bytes, double gbps) {
        FabricEnvelope envelope = FabricEnvelope.of(spec(size, verify -> {}));

        assertThat(envelope.maxMicros()).isCloseTo(micros, within(1e-9));
        assertThat(envelope.upToBytes()).isEqualTo(bytes);
        assertThat(envelope.minBytesPerSecond() * 8 / 1e9).isCloseTo(gbps, within(1e-9));
    }

    @ParameterizedTest
    @CsvSource({"3, 3.09, PASSED", "3, 3.50, FAILED", "3.05, 3.09, FAILED", "3.1, 3.09, PASSED"})
    void wholeMicrosecondsAreJudgedInWholeOnes(double limit, double measured, Verdict.Status status) {
        FabricEnvelope article =
                FabricEnvelope.of(spec("Standard_A9", verify -> verify.maxLatency(new LatencyLimit(limit, 512))));

        assertThat(article.judge(Fabric.table(measured, 3e9)).status()).isEqualTo(status);
    }

    @Test
    void thresholdsOfTheDescriptionWinEachForItself() {
        FabricEnvelope latency =
                FabricEnvelope.of(spec("Standard_HB120rs_v3", verify -> verify.maxLatency(new LatencyLimit(2.5, 128))));
        FabricEnvelope bandwidth =
                FabricEnvelope.of(spec("Standard_HB120rs_v3", verify -> verify.minBandwidth(new BandwidthLimit(180))));

        assertThat(latency.maxMicros()).isEqualTo(2.5);
        assertThat(latency.upToBytes()).isEqualTo(128);
        assertThat(latency.latencySource()).isEqualTo("verify.maxLatency of the spec");
        assertThat(latency.minBytesPerSecond() * 8 / 1e9).isCloseTo(156.8, within(1e-9));
        assertThat(bandwidth.maxMicros()).isCloseTo(2.385, within(1e-9));
        assertThat(bandwidth.minBytesPerSecond() * 8 / 1e9).isCloseTo(180, within(1e-9));
    }

    @ParameterizedTest
    @CsvSource({
        "2.38, 156.9, PASSED",
        "2.39, 156.9, FAILED",
        "2.38, 156.7, FAILED",
        "9.00, 10.0, FAILED",
    })
    void judgesAtItsEdges(double micros, double gbps, Verdict.Status status) {
        FabricEnvelope envelope = FabricEnvelope.of(spec("Standard_HB120rs_v3", verify -> {}));

        // The rate of 4 MiB comes from a time with two digits after the point.
        assertThat(envelope.judge(Fabric.table(micros, gbps * 1e9 / 8)).status())
                .isEqualTo(status);
    }

    @ParameterizedTest
    @CsvSource({
        "Standard_HB120rs_v3, 1.79, 157.7, PASSED, 1.59 us of MPI published for HB120rs_v3",
        "Standard_HB120rs_v3, 2.46, 157.7, FAILED, 1.59 us of MPI published for HB120rs_v3",
        "Standard_HB120rs_v3, 1.20, 29.5, FAILED, 196.0 Gb/s of MPI published for HB120rs_v3",
        "Standard_HC44rs, 2.70, 90, FAILED, 1.78 us of MPI published for HC44rs",
        "Standard_HB176rs_v4, 2.26, 330, PASSED, 'derived, for want of a figure of MPI: 2.00 us of verbs published for HB176rs_v4'",
        "Standard_HB368rs_v5, 2.26, 190, PASSED, 200.0 Gb/s of verbs published for HB368rs_v5 for one of 4 ports",
        "Standard_HB368rs_v5, 2.26, 100, FAILED, 200.0 Gb/s of verbs published for HB368rs_v5 for one of 4 ports",
        "Standard_A8, 3.09, 29.5, PASSED, Set up a Linux RDMA cluster",
        "Standard_A9, 3.49, 29.5, PASSED, at most 3 us in whole microseconds",
        "Standard_A9, 3.50, 29.5, FAILED, at most 3 us in whole microseconds",
        "Standard_ND40rs_v2, 3.09, 10, PASSED, Set up a Linux RDMA cluster",
        "Standard_D2s_v5, 1.20, 153.7, NOT_JUDGED, has no RDMA interconnect to judge",
    })
    void judgesATableByTheSizeOfItsMachines(
            String size, double micros, double gbps, Verdict.Status status, String reason) {
        VmSizeFacts facts = VmSizes.standard().find(VmSize.of(size)).orElseThrow();

        Verdict verdict = FabricEnvelope.judge(facts, Fabric.table(micros, gbps * 1e9 / 8));

        assertThat(verdict.status()).as(verdict.toString()).isEqualTo(status);
        assertThat(verdict.reasons()).anyMatch(each -> each.contains(reason));
    }

    /** Healthy figures as published; where none is published for MPI, those of verbs must do. */
    @ParameterizedTest
    @CsvSource({
        "HB60rs, 2.35",
        "HB60rs, 2.44",
        "HB60rs, 2.52",
        "HB60rs, 2.76",
        "HB60rs, 2.84",
        "HC44rs, 1.78",
        "HC44rs, 1.84",
        "HC44rs, 2.08",
        "HB120rs_v2, 1.61",
        "HB120rs_v2, 1.62",
        "HB120rs_v2, 1.90",
        "HB120rs_v2, 1.95",
        "HB120rs_v2, 1.96",
        "HB120rs_v3, 1.59",
        "HB176rs_v4, 2.00",
        "HB368rs_v5, 2.00",
        "HX176rs, 2.00",
    })
    void aPublishedFigureOfAnMpiPassesAndTwiceThatFails(String size, double micros) {
        VmSizeFacts facts = VmSizes.standard().find(VmSize.of(size)).orElseThrow();
        double rate = portRate(facts);

        assertThat(FabricEnvelope.judge(facts, Fabric.table(micros, rate)).status())
                .isEqualTo(Verdict.Status.PASSED);
        assertThat(FabricEnvelope.judge(facts, Fabric.table(2 * micros, rate)).status())
                .isEqualTo(Verdict.Status.FAILED);
    }

    @Test
    void everySizeOfTheCatalogPassesAtItsFiguresAndFailsAtTwiceTheLatencyOrHalfTheRateOfAPort() {
        for (VmSizeFacts size : VmSizes.standard().rdma()) {
            double micros = size.mpiLatency()
                    .or(size::verbsLatency)
                    .map(Latency::micros)
                    .orElse(3.09);
            double rate = portRate(size);

            assertThat(FabricEnvelope.judge(size, Fabric.table(micros, rate)).status())
                    .as(size.toString())
                    .isEqualTo(Verdict.Status.PASSED);
            assertThat(FabricEnvelope.judge(size, Fabric.table(2 * micros, rate))
                            .status())
                    .as(size.toString())
                    .isEqualTo(Verdict.Status.FAILED);
            if (size.verbsBandwidth().isPresent()) {
                assertThat(FabricEnvelope.judge(size, Fabric.table(micros, rate / 2))
                                .status())
                        .as(size.toString())
                        .isEqualTo(Verdict.Status.FAILED);
            }
        }
    }

    private static double portRate(VmSizeFacts size) {
        return size.mpiBandwidth()
                .or(size::verbsBandwidth)
                .map(Bandwidth::bytesPerSecond)
                .orElse(3e9);
    }

    @Test
    void aTableThatEndsEarlyIsNotJudgedByItsBandwidth() {
        VmSizeFacts size =
                VmSizes.standard().find(VmSize.of("Standard_HB120rs_v3")).orElseThrow();
        BenchmarkReport table = Benchmarks.parse(
                        "# OSU MPI Latency Test v5.6.3\n# Size          Latency (us)\n8 1.30\n512 1.80\n")
                .reports()
                .get(0);

        assertThat(FabricEnvelope.judge(size, table).toString())
                .contains("NOT_JUDGED", "the table has no row of 1048576 bytes or more to hold against 156.8 Gb/s");
        BenchmarkReport slow = Benchmarks.parse(
                        "# OSU MPI Latency Test v5.6.3\n# Size          Latency (us)\n8 2.40\n512 2.60\n")
                .reports()
                .get(0);
        assertThat(FabricEnvelope.judge(size, slow).status()).isEqualTo(Verdict.Status.FAILED);
    }

    @Test
    void onlyAPingPongIsJudged() {
        VmSizeFacts size =
                VmSizes.standard().find(VmSize.of("Standard_HB120rs_v3")).orElseThrow();
        BenchmarkReport collective = Benchmarks.parse(
                        "# OSU MPI Allreduce Latency Test v5.6.3\n# Size       Avg Latency(us)\n4 20.5\n8 20.7\n")
                .reports()
                .get(0);

        assertThat(FabricEnvelope.judge(size, collective).status()).isEqualTo(Verdict.Status.NOT_JUDGED);
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
                .isInstanceOf(InvalidValueException.class)
                .hasMessageStartingWith("invalid envelope \"0.0 us up to 8 bytes")
                .hasMessageContaining("positive limits");
    }

    private static ClusterSpec spec(String size, Consumer<Verification.Builder> verify) {
        assertThat(VmSizes.standard().find(VmSize.of(size))).isPresent();
        return ClusterSpec.builder("cluster")
                .region("westeurope")
                .nodes(nodes -> nodes.count(2).size(VmSize.of(size)))
                .verify(verify)
                .build();
    }
}
