package io.clusterwright.mpi.fabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clusterwright.core.type.InvalidValueException;
import io.clusterwright.core.type.NodeName;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class PairScheduleTest {

    static IntStream counts() {
        return IntStream.rangeClosed(2, 65);
    }

    @ParameterizedTest
    @MethodSource("counts")
    void allPairsMeetsEveryPairOnceInTheFewestRounds(int count) {
        List<NodeName> nodes = Nodes.first(count);

        PairSchedule schedule = PairSchedule.allPairs(nodes);

        assertThat(schedule.rounds()).hasSize(count % 2 == 0 ? count - 1 : count);
        assertThat(schedule.pairs()).hasSize(count * (count - 1) / 2).doesNotHaveDuplicates();
        assertNoNodeIsTwiceInARound(schedule);
        for (List<NodePair> round : schedule.rounds()) {
            assertThat(round).hasSize(count / 2);
        }
    }

    @ParameterizedTest
    @MethodSource("counts")
    void ringGivesEveryNodeItsTwoNeighbours(int count) {
        List<NodeName> nodes = Nodes.first(count);

        PairSchedule schedule = PairSchedule.ring(nodes);

        assertThat(schedule.rounds()).hasSize(count == 2 ? 1 : count % 2 == 0 ? 2 : 3);
        assertThat(schedule.pairs()).hasSize(count == 2 ? 1 : count).doesNotHaveDuplicates();
        assertNoNodeIsTwiceInARound(schedule);
        for (int i = 0; i < count; i++) {
            assertThat(schedule.pairs()).contains(new NodePair(nodes.get(i), nodes.get((i + 1) % count)));
        }
    }

    @Test
    void firstPairIsOfTheFirstTwoNodesAndNeedsThem() {
        assertThat(PairSchedule.firstPair(Nodes.first(5)).pairs()).containsExactly(Nodes.pair(1, 2));
        assertThatThrownBy(() -> PairSchedule.firstPair(Nodes.first(1)))
                .isInstanceOf(InvalidValueException.class)
                .hasMessageContaining("two or more nodes");
    }

    @Test
    void pairsOfTheCallersOwnAreKeptInAnyOrder() {
        for (int seed = 0; seed < 200; seed++) {
            Random random = new Random(seed);
            List<NodePair> all = new ArrayList<>(
                    PairSchedule.allPairs(Nodes.first(2 + random.nextInt(12))).pairs());
            Collections.shuffle(all, random);
            List<NodePair> some = all.subList(0, 1 + random.nextInt(all.size()));

            PairSchedule schedule = PairSchedule.of(some);

            assertThat(schedule.pairs()).as("seed %s", seed).containsExactlyInAnyOrderElementsOf(some);
            assertNoNodeIsTwiceInARound(schedule);
        }
    }

    @Test
    void aPairNamedTwiceIsMeasuredOnce() {
        assertThat(PairSchedule.of(List.of(Nodes.pair(1, 2), Nodes.pair(2, 1))).pairs())
                .containsExactly(Nodes.pair(1, 2));
    }

    @Test
    void refusesWhatIsNoSchedule() {
        assertThatThrownBy(() -> PairSchedule.ring(Nodes.first(1)))
                .isInstanceOf(InvalidValueException.class)
                .hasMessageContainingAll("\"[node1]\"", "two or more nodes");
        assertThatThrownBy(() -> PairSchedule.allPairs(List.of(Nodes.node(1), Nodes.node(1))))
                .hasMessageContainingAll("\"[node1, node1]\"", "each node once");
        assertThatThrownBy(() -> PairSchedule.of(List.of())).hasMessageContainingAll("schedule", "one or more pairs");
        assertThatThrownBy(() -> Nodes.pair(3, 3))
                .hasMessage("invalid pair \"node3 and node3\": use two different nodes (example: node1 and node2)");
        assertThatThrownBy(() -> new PairSchedule(List.of(List.of(Nodes.pair(1, 2), Nodes.pair(2, 3)))))
                .hasMessageContaining("each node in one pair");
        assertThatThrownBy(() -> new PairSchedule(List.of(List.of(Nodes.pair(1, 2)), List.of(Nodes.pair(2, 1)))))
                .hasMessageContainingAll("node2 - node1", "each pair in one round");
    }

    private static void assertNoNodeIsTwiceInARound(PairSchedule schedule) {
        for (List<NodePair> round : schedule.rounds()) {
            Set<NodeName> seen = new HashSet<>();
            round.forEach(pair -> pair.nodes()
                    .forEach(node -> assertThat(seen.add(node))
                            .as("%s in %s", node, round)
                            .isTrue()));
        }
    }
}
