package io.clusterwright.core.internal.spec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clusterwright.core.type.InvalidValueException;
import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DurationsTest {
    @ParameterizedTest
    @CsvSource({"8h,PT8H", "20m,PT20M", "1h30m,PT1H30M", "90s,PT1M30S", "250ms,PT0.25S", "2d,PT48H", "0s,PT0S"})
    void readsTheUsualForms(String text, Duration duration) {
        assertThat(Durations.parse(text)).isEqualTo(duration);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "8", "h", "8 h", "-8h", "1m1h", "8H", "1.5h", "PT8H"})
    void refusesOtherForms(String text) {
        assertThatThrownBy(() -> Durations.parse(text))
                .isInstanceOf(InvalidValueException.class)
                .hasMessageContaining("(example: 1h30m");
    }

    @Test
    void namesTheRangeForNumbersWithTooManyDigits() {
        assertThatThrownBy(() -> Durations.parse("9999999h"))
                .hasMessageContaining("invalid duration \"9999999h\": use 1 ms to 3650 days");
    }

    @Test
    void roundTrips() {
        Random random = new Random(20261120L);
        for (int i = 0; i < 1000; i++) {
            Duration duration = Duration.ofMillis(random.nextLong(3650L * 24 * 3600 * 1000));
            assertThat(Durations.parse(Durations.print(duration))).isEqualTo(duration);
        }
    }
}
