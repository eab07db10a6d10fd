package io.clusterwright.core.type;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NamesTest {

    @Nested
    class Valid {
        @ParameterizedTest
        @ValueSource(strings = {"a", "0", "wing-flow", "a--b", "0123456789012345678901234567890123456789"})
        void aClusterNameReadsBackAsItself(String text) {
            assertThat(ClusterName.of(text)).hasToString(text).isEqualTo(new ClusterName(text));
        }

        @ParameterizedTest
        @ValueSource(strings = {"a", "_", "hpcuser", "_apt", "a-b_c9", "abcdefghijklmnopqrstuvwxyz01234"})
        void aUserNameAndAGroupNameReadBackAsThemselves(String text) {
            assertThat(UserName.of(text)).hasToString(text);
            assertThat(GroupName.of(text)).hasToString(text);
        }

        @ParameterizedTest
        @ValueSource(strings = {"Standard_A9", "A8", "Standard_HB120-16rs_v3"})
        void aSizeKeepsItsSpelling(String text) {
            assertThat(VmSize.of(text)).hasToString(text);
        }

        @Test
        void sizesThatDifferInCaseOnlyAreEqual() {
            assertThat(VmSize.of("standard_hb120RS_v3"))
                    .isEqualTo(VmSize.of("Standard_HB120rs_v3"))
                    .hasSameHashCodeAs(VmSize.of("Standard_HB120rs_v3"))
                    .isNotEqualTo(VmSize.of("Standard_HB120rs_v2"));
        }
    }

    @Nested
    class Invalid {
        @ParameterizedTest
        @ValueSource(
                strings = {"", "-a", "a-", "A", "a_b", "a.b", "ä", "a\n", "01234567890123456789012345678901234567890"})
        void aClusterNameSaysWhatIsAllowed(String text) {
            assertThatThrownBy(() -> ClusterName.of(text))
                    .isInstanceOf(InvalidValueException.class)
                    .hasMessageEndingWith("\": use 1 to 40 lower-case letters, digits or '-',"
                            + " with a letter or digit at both ends (example: wing-flow)");
        }

        @ParameterizedTest
        @ValueSource(strings = {"", "Anna", "-a", "9a", "a.b", "a$", "root\n", "abcdefghijklmnopqrstuvwxyz012345"})
        void aUserNameSaysWhatIsAllowed(String text) {
            assertThatThrownBy(() -> UserName.of(text))
                    .isInstanceOf(InvalidValueException.class)
                    .hasMessageEndingWith("\": use 1 to 31 lower-case letters, digits, '_' or '-',"
                            + " starting with a letter or '_' (example: hpcuser)");
            assertThatThrownBy(() -> GroupName.of(text))
                    .hasMessageContaining("invalid group name ")
                    .hasMessageEndingWith("(example: hpc)");
        }

        @ParameterizedTest
        @ValueSource(strings = {"", "Standard A9", "../A9"})
        void aSizeSaysWhatIsAllowed(String text) {
            assertThatThrownBy(() -> VmSize.of(text))
                    .hasMessage("invalid machine size \"" + text + "\": use 1 to 64 letters, digits,"
                            + " '_' or '-' (example: Standard_HB120rs_v3)");
        }
    }
}
