package io.clusterwright.mpi.preset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clusterwright.core.type.InvalidValueException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class VersionRangeTest {

    @ParameterizedTest
    @CsvSource({
        ">=2019 <2021.19, 2018.4,        false",
        ">=2019 <2021.19, 2018 Update 4, false",
        ">=2019 <2021.19, 2019,          true",
        ">=2019 <2021.19, 2021.9,        true",
        ">=2019 <2021.19, 2021.19,       false",
        "<2019,           5.0.3.048,     true",
        "<2019,           2019.0,        false",
        ">=4,             4.1.7a1,       true",
        ">=4,             3.99,          false",
        ">=4,             unknown,       false",
        "any,             unknown,       true",
        "any,             1,             true",
    })
    void holdsVersionsNumberByNumber(String range, String version, boolean held) {
        assertThat(VersionRange.of(range).contains(version)).isEqualTo(held);
        assertThat(VersionRange.of(range).toString()).isEqualTo(range);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "2019", ">2019", "=4", "<2019 >=4", "latest"})
    void refusesWhatIsNoRange(String text) {
        assertThatThrownBy(() -> VersionRange.of(text))
                .isInstanceOf(InvalidValueException.class)
                .hasMessageContaining(">=2019 <2021.19");
    }
}
