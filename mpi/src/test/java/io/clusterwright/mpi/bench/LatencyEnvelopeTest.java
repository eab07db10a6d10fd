package io.clusterwright.mpi.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clusterwright.core.type.Interconnect;
import io.clusterwright.core.type.InvalidValueException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LatencyEnvelopeTest {
    private final LatencyEnvelope rule = LatencyEnvelope.article();

    @Test
    void findsTheArticlesTableHealthy() {
        Verdict verdict = rule.judge(Samples.only(Samples.read(Samples.ARTICLE)), Interconnect.NETWORK_DIRECT);

        assertThat(verdict.status()).isEqualTo(Verdict.Status.PASSED);
        assertThat(verdict.succeeded()).isTrue();
        assertThat(verdict.reasons())
                .containsExactly("all 11 sizes up to 512 bytes are within the limit; the slowest, 512 bytes in 3.09 us:"
                        + " at most 3 us in whole microseconds (less than 3.5 us) up to 512 bytes (Azure documentation,"
                        + " \"Set up a Linux RDMA cluster to run MPI applications\")");
    }

    @Test
    void namesSizeValueAndLimitOfARowThatIsTooSlow() {
        String slow = Samples.read(Samples.ARTICLE).replace("3.09       157.99", "4.20       116.26");
        Verdict verdict = rule.judge(Samples.only(slow), Interconnect.NETWORK_DIRECT);

        assertThat(verdict.status()).isEqualTo(Verdict.Status.FAILED);
        assertThat(verdict.reasons()).hasSize(1);
        assertThat(verdict.reasons().get(0)).startsWith("512 bytes in 4.20 us is over the limit: at most 3 us");
    }

    @Test
    void failsATimeOfZero() {
        String none = Samples.read(Samples.ARTICLE).replace("3.09       157.99", "0.00         0.00");
        Verdict verdict = rule.judge(Samples.only(none), Interconnect.NETWORK_DIRECT);

        assertThat(verdict.status()).isEqualTo(Verdict.Status.FAILED);
        assertThat(verdict.reasons()).containsExactly("512 bytes in 0.00 us is no time of a network; measure again");
    }

    @Test
    void failsASlowTimeWhateverItsRate() {
        String slow = Samples.read(Samples.ARTICLE).replace("3.09       157.99", "4.20       157.99");
        Verdict verdict = rule.judge(Samples.only(slow), Interconnect.NETWORK_DIRECT);

        assertThat(verdict.status()).isEqualTo(Verdict.Status.FAILED);
        assertThat(verdict.reasons()).hasSize(1);
        assertThat(verdict.reasons().get(0))
                .startsWith("512 bytes in 4.20 us is over the limit, and the row's rate contradicts its time");
    }

    @Test
    void doesNotPassATableWhoseLastTimeIsContradicted() {
        String odd = Samples.read(Samples.ARTICLE).replace("3.09       157.99", "2.10       157.99");

        assertThat(rule.judge(Samples.only(odd)).status()).isEqualTo(Verdict.Status.NOT_JUDGED);
    }

    @ParameterizedTest
    @CsvSource({"3.00, PASSED", "3.49, PASSED", "3.50, FAILED", "3.51, FAILED"})
    void roundsToWholeMicroseconds(String micros, Verdict.Status status) {
        assertThat(rule.judge(latency(512, micros)).status()).isEqualTo(status);
    }

    @Test
    void doesNotJudgeNodesWithoutRdma() {
        Verdict verdict = rule.judge(latency(512, "9.00"), Interconnect.NONE);

        assertThat(verdict.status()).isEqualTo(Verdict.Status.NOT_JUDGED);
        assertThat(verdict.reasons()).containsExactly("TCP: no RDMA device on these nodes");
    }

    @Test
    void cannotPassATableThatEndsTooSoon() {
        Verdict verdict = rule.judge(latency(256, "1.00"));

        assertThat(verdict.status()).isEqualTo(Verdict.Status.NOT_JUDGED);
        assertThat(verdict.reasons().get(0)).startsWith("there is no row of 512 bytes");
    }

    @Test
    void failsAShortTableWithSlowTimes() {
        assertThat(rule.judge(latency(256, "5.00")).status()).isEqualTo(Verdict.Status.FAILED);
    }

    @Test
    void saysNothingAboutBandwidth() {
        Verdict verdict = rule.judge(Samples.only(Samples.read("09_osu543_bw_mvapich2_100g_ib.txt")));

        assertThat(verdict.status()).isEqualTo(Verdict.Status.NOT_JUDGED);
        assertThat(verdict.reasons().get(0)).contains("Bandwidth is no ping-pong");
    }

    @Test
    void refusesARuleWithoutALimit() {
        assertThatThrownBy(() -> new LatencyEnvelope(0, 512, "nobody"))
                .isInstanceOf(InvalidValueException.class)
                .hasMessageContaining("at least 1 us");
    }

    private static BenchmarkReport latency(long bytes, String micros) {
        return Samples.only("# OSU MPI Latency Test v5.6.3\n# Size          Latency (us)\n0   1.00\n" + bytes + "   "
                + micros + "\n");
    }
}
