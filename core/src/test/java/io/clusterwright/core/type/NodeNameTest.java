package io.clusterwright.core.type;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NodeNameTest {

    @Nested
    class Names {
        @ParameterizedTest
        @ValueSource(strings = {"a", "7", "cluster11", "HPCCN-0001", "a-1"})
        void readBackAsThemselves(String text) {
            assertThat(NodeName.of(text)).hasToString(text);
        }

        @ParameterizedTest
        @ValueSource(strings = {"", "-a", "a-", "a.b", "a_b", "a b", "a\n", "ä"})
        void sayWhatIsAllowed(String text) {
            assertThatThrownBy(() -> NodeName.of(text))
                    .isInstanceOf(InvalidValueException.class)
                    .hasMessageEndingWith("\": use 1 to 63 letters, digits or '-',"
                            + " with a letter or digit at both ends (example: cluster11)");
        }

        @Test
        void haveAtMost63Characters() {
            assertThat(new NodeName("a".repeat(63)).value()).hasSize(63);
            assertThatThrownBy(() -> new NodeName("a".repeat(64))).isInstanceOf(InvalidValueException.class);
        }

        @Test
        void sortByTheirNumber() {
            List<NodeName> sorted = Stream.of(
                            "n10", "n9", "n", "m100", "n010", "n-1", "7", "99999999999999999999", "n1")
                    .map(NodeName::of)
                    .sorted()
                    .toList();
            assertThat(sorted)
                    .extracting(NodeName::value)
                    .containsExactly("7", "99999999999999999999", "m100", "n", "n1", "n9", "n10", "n010", "n-1");
        }

        @Test
        void areOrderedAsTheyAreEqual() {
            Seeded.times(500, random -> {
                NodeName a = NodeName.of("a" + Seeded.text(random, "a01", 3));
                NodeName b = NodeName.of("a" + Seeded.text(random, "a01", 3));
                assertThat(a.compareTo(b) == 0).isEqualTo(a.equals(b));
                assertThat(Integer.signum(a.compareTo(b))).isEqualTo(-Integer.signum(b.compareTo(a)));
            });
        }
    }

    @Nested
    class Patterns {
        private final NamePattern cluster = new NamePattern("cluster", 11);

        @Test
        void patternsCountFromTheFirstIndex() {
            assertThat(cluster.names(3))
                    .extracting(NodeName::value)
                    .containsExactly("cluster11", "cluster12", "cluster13");
            assertThat(cluster.name(7)).hasToString("cluster18");
            assertThat(cluster.names(0)).isEmpty();
        }

        @Test
        void padWhereTheFirstNumberIsPadded() {
            NamePattern padded = NamePattern.of("HPCCN-%0001%");
            assertThat(padded.name(0)).hasToString("HPCCN-0001");
            assertThat(padded.name(9999)).hasToString("HPCCN-10000");
        }

        @ParameterizedTest
        @ValueSource(strings = {"cluster%11%", "HPCCN-%0001%", "%0%", "n%00%", "n1%5%"})
        void readBackAsThemselves(String text) {
            assertThat(NamePattern.of(text)).hasToString(text);
        }

        @Test
        void areReadAsTheyWereWritten() {
            Seeded.times(300, random -> {
                NamePattern pattern = new NamePattern(
                        Seeded.text(random, "ab1", random.nextInt(4)), random.nextInt(2000), 1 + random.nextInt(5));
                assertThat(NamePattern.of(pattern.toString()).names(3)).isEqualTo(pattern.names(3));
            });
        }

        @ParameterizedTest
        @ValueSource(strings = {"", "cluster", "cluster11", "cluster%%", "a_b%1%", "a%1%b", "a%1234567890%"})
        void sayWhatIsAllowed(String text) {
            assertThatThrownBy(() -> NamePattern.of(text))
                    .hasMessage("invalid name pattern \"" + text + "\": use a prefix of letters, digits"
                            + " or '-', then the first number of at most 9 digits between percent signs"
                            + " (example: cluster%11%)");
        }

        @Test
        void refuseNamesThatAreNoHostNames() {
            assertThatThrownBy(() -> new NamePattern("-x", 1)).hasMessageContaining("invalid node name ");
            assertThatThrownBy(() -> new NamePattern("n", -1)).hasMessageContaining("\"n%-1% with 1 digits\"");
            assertThatThrownBy(() -> cluster.name(-1)).hasMessageContaining("place of a node in cluster%11% \"-1\"");
            assertThatThrownBy(() -> NamePattern.of("demo%999999990%").name(10))
                    .hasMessageContaining("the highest number in a name is 999999999");
            assertThatThrownBy(() -> cluster.name(Integer.MAX_VALUE)).isInstanceOf(InvalidValueException.class);
        }
    }
}
