package io.clusterwright.mpi.fabric;

import static org.assertj.core.api.Assertions.assertThat;

import io.clusterwright.core.type.NodeName;
import io.clusterwright.mpi.fabric.FabricReport.Outlier;
import io.clusterwright.mpi.fabric.Outliers.OutlierRule;
import io.clusterwright.mpi.fabric.Outliers.Quantity;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Synthetic fabrics: 1.7 us and 24 GB/s with noise of 3 %, and what is wrong with them. */
class OutliersTest {
    private static final double MICROS = 1.7;
    private static final double RATE = 24_000;
    private static final int SEEDS = 100;

    @ParameterizedTest
    @CsvSource({"2,ring", "3,ring", "4,ring", "16,ring", "2,all", "3,all", "4,all", "5,all", "16,all", "32,all"})
    void noiseIsNoOutlier(int nodes, String kind) {
        for (int seed = 0; seed < SEEDS; seed++) {
            expect(latencies(schedule(nodes, kind), seed, pair -> 1.0), Quantity.LATENCY, seed);
            expect(rates(schedule(nodes, kind), seed, pair -> 1.0), Quantity.BANDWIDTH, seed);
        }
    }

    @ParameterizedTest
    @CsvSource({"2,all", "3,all", "16,all", "16,ring"})
    void allSlowIsNoOutlier(int nodes, String kind) {
        for (int seed = 0; seed < SEEDS; seed++) {
            expect(latencies(schedule(nodes, kind), seed, pair -> 20.0), Quantity.LATENCY, seed);
        }
    }

    @ParameterizedTest
    @CsvSource({"3,ring", "4,ring", "5,ring", "16,ring", "3,all", "4,all", "5,all", "16,all"})
    void oneSlowNodeIsNamedAndNoneOfItsPairs(int nodes, String kind) {
        for (int seed = 0; seed < SEEDS; seed++) {
            int slow = 1 + seed % nodes;
            Function<NodePair, Double> factor = pair -> pair.has(Nodes.node(slow)) ? 1.6 : 1.0;
            expect(latencies(schedule(nodes, kind), seed, factor), Quantity.LATENCY, seed, Nodes.node(slow));
            expect(rates(schedule(nodes, kind), seed, factor), Quantity.BANDWIDTH, seed, Nodes.node(slow));
        }
    }

    @ParameterizedTest
    @CsvSource({"3,ring", "4,ring", "16,ring", "3,all", "4,all", "16,all"})
    void oneSlowLinkIsNamedAndNoNode(int nodes, String kind) {
        for (int seed = 0; seed < SEEDS; seed++) {
            PairSchedule schedule = schedule(nodes, kind);
            NodePair slow = schedule.pairs().get(seed % schedule.pairs().size());
            Function<NodePair, Double> factor = pair -> pair.equals(slow) ? 1.6 : 1.0;
            expect(latencies(schedule, seed, factor), Quantity.LATENCY, seed, slow);
            expect(rates(schedule, seed, factor), Quantity.BANDWIDTH, seed, slow);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {6, 8, 16})
    void twoSlowNodesAreNamedWorstFirst(int nodes) {
        for (int seed = 0; seed < SEEDS; seed++) {
            Outliers<NodeName, NodePair> found = Outliers.of(
                    latencies(
                            schedule(nodes, "all"),
                            seed,
                            pair -> pair.has(Nodes.node(2)) ? 8.0 : pair.has(Nodes.node(5)) ? 2.0 : 1.0),
                    Quantity.LATENCY,
                    OutlierRule.RDMA);

            assertThat(found.nodes()).extracting(Outlier::what).containsExactly(Nodes.node(2), Nodes.node(5));
            assertThat(found.pairs()).isEmpty();
        }
    }

    @Test
    void aSlowNodeAndASlowLinkElsewhereAreBothNamed() {
        Outliers<NodeName, NodePair> found = Outliers.of(
                latencies(
                        schedule(8, "all"),
                        1,
                        pair -> pair.has(Nodes.node(2)) ? 3.0 : pair.equals(Nodes.pair(6, 7)) ? 2.0 : 1.0),
                Quantity.LATENCY,
                OutlierRule.RDMA);

        assertThat(found.nodes()).extracting(Outlier::what).containsExactly(Nodes.node(2));
        assertThat(found.pairs()).extracting(Outlier::what).containsExactly(Nodes.pair(6, 7));
    }

    @Test
    void aSlowNodeThatIsInOnePairOnlyIsASlowPair() {
        Map<NodePair, Double> values =
                Map.of(Nodes.pair(1, 2), 9.0, Nodes.pair(3, 4), 1.7, Nodes.pair(5, 6), 1.7, Nodes.pair(7, 8), 1.7);

        Outliers<NodeName, NodePair> found = Outliers.of(values, Quantity.LATENCY, OutlierRule.RDMA);

        assertThat(found.nodes()).isEmpty();
        assertThat(found.pairs()).extracting(Outlier::what).containsExactly(Nodes.pair(1, 2));
    }

    @Test
    void reasonsGiveBothNumbers() {
        Outliers<NodeName, NodePair> found = Outliers.of(
                Map.of(Nodes.pair(1, 2), 9.1, Nodes.pair(1, 3), 9.3, Nodes.pair(2, 3), 1.7),
                Quantity.LATENCY,
                OutlierRule.RDMA);

        assertThat(found.nodes())
                .extracting(Outlier::reason)
                .containsExactly(
                        "node node1 is slow: 2 of its 2 pairs are slow, with a typical latency 9.20 us instead of 1.70 us between the other nodes");
        assertThat(found.nodes().get(0).factor()).isBetween(5.4, 5.5);
    }

    @Test
    void lessThanTheFloorIsNothing() {
        Map<NodePair, Double> values = Map.of(Nodes.pair(1, 2), 0.5, Nodes.pair(1, 3), 0.5, Nodes.pair(2, 3), 0.75);

        assertThat(Outliers.of(values, Quantity.LATENCY, new OutlierRule(0.2, 3, 0.3))
                        .pairs())
                .isEmpty();
        assertThat(Outliers.of(values, Quantity.LATENCY, new OutlierRule(0.2, 3, 0.2))
                        .pairs())
                .hasSize(1);
    }

    @Test
    void nothingMeasuredIsNoOutlier() {
        expect(Map.of(), Quantity.LATENCY, 0);
    }

    private static void expect(Map<NodePair, Double> values, Quantity quantity, int seed, Object... slow) {
        Outliers<NodeName, NodePair> found = Outliers.of(values, quantity, OutlierRule.RDMA);
        List<Object> all =
                new ArrayList<>(found.nodes().stream().map(Outlier::what).toList());
        all.addAll(found.pairs().stream().map(Outlier::what).toList());
        assertThat(all).as("seed %s, %s of %s", seed, quantity, values).containsExactly(slow);
    }

    private static PairSchedule schedule(int nodes, String kind) {
        return kind.equals("ring") ? PairSchedule.ring(Nodes.first(nodes)) : PairSchedule.allPairs(Nodes.first(nodes));
    }

    private static Map<NodePair, Double> latencies(PairSchedule schedule, int seed, Function<NodePair, Double> factor) {
        Random random = new Random(seed);
        Map<NodePair, Double> values = new LinkedHashMap<>();
        schedule.pairs().forEach(pair -> values.put(pair, MICROS * factor.apply(pair) * noise(random)));
        return values;
    }

    private static Map<NodePair, Double> rates(PairSchedule schedule, int seed, Function<NodePair, Double> factor) {
        Random random = new Random(seed);
        Map<NodePair, Double> values = new LinkedHashMap<>();
        schedule.pairs().forEach(pair -> values.put(pair, RATE / factor.apply(pair) * noise(random)));
        return values;
    }

    /** Gaussian, 3 %, cut at three deviations. */
    private static double noise(Random random) {
        return 1 + 0.03 * Math.max(-3, Math.min(3, random.nextGaussian()));
    }
}
