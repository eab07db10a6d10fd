package io.clusterwright.core.type;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class NodeSetTest {

    private static List<NodeName> names(String... names) {
        return Stream.of(names).map(NodeName::of).toList();
    }

    @Nested
    class Folding {
        @ParameterizedTest
        @CsvSource(delimiter = '|', textBlock = """
                        cluster11                                    | cluster11
                        cluster11 cluster12 cluster13 cluster14 cluster17 | cluster[11-14,17]
                        n9 n10 n11                                   | n[9-11]
                        n09 n10                                      | n[09-10]
                        n1 n01                                       | n[1,01]
                        n099 n100 n1000                              | n[099-100,1000]
                        head cluster11 cluster11 cluster12           | cluster[11-12],head
                        n n1                                         | n,n1
                        a-1-ib a-2-ib                                | a-1-ib,a-2-ib
                        7 8                                          | [7-8]
                        n99999999999999999999 n99999999999999999998  | n[99999999999999999998,99999999999999999999]
                        """)
        void givesTheShortForm(String given, String folded) {
            assertThat(NodeSet.fold(names(given.split(" ")))).isEqualTo(folded);
        }

        @Test
        void givesNothingForNothing() {
            assertThat(NodeSet.fold(List.of())).isEmpty();
            assertThat(NodeSet.expand("")).isEmpty();
        }

        @Test
        void foldingRoundTrips() {
            Seeded.times(300, random -> {
                List<NodeName> names = new ArrayList<>();
                for (int i = random.nextInt(40); i >= 0; i--) {
                    String prefix = Seeded.text(random, "ab-", random.nextInt(3));
                    names.add(NodeName.of("n" + prefix + random.nextInt(30)));
                    names.add(NodeName.of(
                            "n" + String.format("%0" + (1 + random.nextInt(3)) + "d", random.nextInt(120))));
                }
                assertThat(NodeSet.expand(NodeSet.fold(names))).containsExactlyElementsOf(new TreeSet<>(names));
            });
        }
    }

    @Nested
    class Parsing {
        @Test
        void expandsRangesAndKeepsZeros() {
            assertThat(NodeSet.expand("cluster[11-13,17],head,n[08-10]"))
                    .isEqualTo(names("cluster11", "cluster12", "cluster13", "cluster17", "head", "n08", "n09", "n10"));
        }

        @Test
        void combinesSeveralBrackets() {
            assertThat(NodeSet.expand("rack[0-1]n[01-03]"))
                    .isEqualTo(names("rack0n01", "rack0n02", "rack0n03", "rack1n01", "rack1n02", "rack1n03"));
            assertThat(NodeSet.expand("n[1-2]-ib")).isEqualTo(names("n1-ib", "n2-ib"));
        }

        @Test
        void keepsTheOrderAndTheRepetitionsOfTheText() {
            assertThat(NodeSet.expand("b, a ,b")).isEqualTo(names("b", "a", "b"));
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "a,",
                    ",a",
                    "n[",
                    "n]",
                    "n[1-",
                    "n[1-2",
                    "n[]",
                    "n[1,]",
                    "n[3-1]",
                    "n[[1]]",
                    "n[a]",
                    "n[1--2]",
                    "n[1234567890123456789]"
                })
        void saysWhatIsAllowed(String text) {
            assertThatThrownBy(() -> NodeSet.expand(text))
                    .hasMessage(
                            "invalid set of node names \"" + text + "\": use node names separated by"
                                    + " commas, with numbers and ascending ranges in brackets (example: cluster[11-14,17],head)");
        }

        @ParameterizedTest
        @CsvSource(delimiter = '|', textBlock = """
                cn[1-2].cluster.local               | cn1.cluster.local cn2.cluster.local
                rack[0-1]_blade[08-09]              | rack0_blade08 rack0_blade09 rack1_blade08 rack1_blade09
                r[0-1]n[1,3]-ib0.x.org,head         | r0n1-ib0.x.org r0n3-ib0.x.org r1n1-ib0.x.org r1n3-ib0.x.org head
                10.0.0.[9-10]                       | 10.0.0.9 10.0.0.10
                ,n1,,n2 n[3-4],                     | n1 n2 n3 n4
                n1,n1,n[1,1]                        | n1 n1 n1 n1
                a[01-003]                           | a01 a02 a03
                [1-2]b                              | 1b 2b
                """)
        void expandsHostsAsSlurmAndPdshDo(String text, String hosts) {
            assertThat(NodeSet.expandHosts(text)).containsExactly(hosts.split(" "));
        }

        @ParameterizedTest
        @ValueSource(strings = {"n[]", "n[1,].x", "n[3-1]_a", "n[1-2", "n1]", "n[a]"})
        void refusesTheRangesOfHostsThatSlurmRefuses(String text) {
            assertThatThrownBy(() -> NodeSet.expandHosts(text)).hasMessageContaining("numbers and ascending ranges");
        }

        @Test
        void namesTheInvalidName() {
            assertThatThrownBy(() -> NodeSet.expand("n[1-2]-")).hasMessageStartingWith("invalid node name \"n1-\"");
        }

        @ParameterizedTest
        @ValueSource(
                strings = {"n[0-100000]", "n[0-999999999999999999]", "n[0-999]m[0-999]o[0-999]", "n[1-60000],m[1-60000]"
                })
        void isBounded(String text) {
            assertThatThrownBy(() -> NodeSet.expand(text))
                    .isInstanceOf(InvalidValueException.class)
                    .hasMessage("invalid set of node names \"" + text + "\": use at most 100000 names"
                            + " (example: cluster[11-18])");
        }

        @Test
        void acceptsTheMaximum() {
            assertThat(NodeSet.expand("n[1-100000]")).hasSize(NodeSet.MAX_NAMES);
        }
    }
}
