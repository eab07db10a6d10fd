package io.clusterwright.core.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.clusterwright.core.type.InvalidValueException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NodeLossTest {

    @ParameterizedTest
    @CsvSource({"1, 1, 0, 0", "1, 0, 0.5, 0", "16, 8, 0.001, 0.1201", "1, 1, 0.6931472, 0.5", "100, 1000, 1, 1"})
    void isTheChanceThatAtLeastOneIsLost(int nodes, double hours, double rate, double risk) {
        assertThat(NodeLoss.risk(nodes, hours, rate)).isCloseTo(risk, within(1e-4));
    }

    @Test
    void keepsSmallRisksExact() {
        assertThat(NodeLoss.risk(1, 1, 1e-18)).isEqualTo(1e-18);
    }

    @Test
    void agreesWithTheHourlyLossRate() {
        double kept = 1 - NodeLoss.risk(4, 8, -Math.log1p(-0.05));

        assertThat(kept).isCloseTo(Math.pow(0.95, 32), within(1e-12));
    }

    @ParameterizedTest
    @CsvSource({"0, 1, 1", "1, -1, 1", "1, NaN, 1", "1, 1, Infinity", "1, 1, -0.1"})
    void refusesWhatIsOutOfRange(int nodes, double hours, double rate) {
        assertThatThrownBy(() -> NodeLoss.risk(nodes, hours, rate))
                .isInstanceOf(InvalidValueException.class)
                .hasMessageContaining("or more");
    }
}
