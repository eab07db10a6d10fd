package io.clusterwright.mpi.fabric;

import io.clusterwright.core.type.Interconnect;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.mpi.fabric.FabricReport.Outlier;
import io.clusterwright.mpi.fabric.FabricReport.Rail;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * Finds the nodes and the pairs that are slow beside the others.
 *
 * <p>A node is compared with the pairs it is not part of, a pair with all the others: what is judged never shifts what it is judged by,
 * so that one slow node of three is found although two of the three pairs are slow. The worst node is found first and its pairs are
 * laid aside, then the next; a pair that no slow node explains is a slow pair. Two nodes have one pair and nothing to compare it with.
 */
final class Outliers<E, P> {
    private final Function<P, List<E>> ends;
    private final Function<P, String> names;
    private final String kind;
    private final Quantity quantity;
    private final OutlierRule rule;

    private final List<Outlier<E>> nodes = new ArrayList<>();
    private final List<Outlier<P>> pairs = new ArrayList<>();

    private Outliers(
            Function<P, List<E>> ends, Function<P, String> names, String kind, Quantity quantity, OutlierRule rule) {
        this.ends = ends;
        this.names = names;
        this.kind = kind;
        this.quantity = quantity;
        this.rule = rule;
    }

    static Outliers<NodeName, NodePair> of(Map<NodePair, Double> values, Quantity quantity, OutlierRule rule) {
        return new Outliers<>(NodePair::nodes, NodePair::toString, "node ", quantity, rule).search(values);
    }

    /** The same for rails: each end of a rail is judged as a node is. */
    static Outliers<Rail, List<Rail>> ofRails(Map<List<Rail>, Double> values, Quantity quantity, OutlierRule rule) {
        return new Outliers<>(Function.<List<Rail>>identity(), Outliers::name, "", quantity, rule).search(values);
    }

    private Outliers<E, P> search(Map<P, Double> values) {
        Map<P, Double> left = new LinkedHashMap<>(values);
        Optional<Outlier<E>> worst = worstNode(left);
        while (worst.isPresent()) {
            Outlier<E> node = worst.get();
            nodes.add(node);
            left.keySet().removeIf(pair -> has(pair, node.what()));
            worst = worstNode(left);
        }
        slowPairs(left);
        return this;
    }

    private boolean has(P pair, E end) {
        return ends.apply(pair).contains(end);
    }

    /** The pair for people; rails are named by their nodes and devices. */
    static String name(List<Rail> rail) {
        Rail first = rail.get(0);
        Rail second = rail.get(1);
        return first.node() + " - " + second.node() + " over rail " + first.number() + " (" + first.device() + " - "
                + second.device() + ")";
    }

    /** The slow nodes, the slowest first. */
    List<Outlier<E>> nodes() {
        return List.copyOf(nodes);
    }

    /** The slow pairs that no slow node explains, in the order they were given. */
    List<Outlier<P>> pairs() {
        return List.copyOf(pairs);
    }

    private Optional<Outlier<E>> worstNode(Map<P, Double> values) {
        Set<E> names = new LinkedHashSet<>();
        values.keySet().forEach(pair -> names.addAll(ends.apply(pair)));
        return names.stream()
                .flatMap(name -> judge(name, values).stream())
                .max(Comparator.comparingDouble(Outlier::factor));
    }

    /** A node is slow when its typical pair is, and most of its pairs are, at least two. */
    private Optional<Outlier<E>> judge(E node, Map<P, Double> values) {
        List<Double> own = new ArrayList<>();
        List<Double> others = new ArrayList<>();
        values.forEach((pair, value) -> (has(pair, node) ? own : others).add(value));
        if (own.size() < 2 || others.isEmpty()) {
            return Optional.empty();
        }
        Sample typical = Sample.of(others);
        double median = Sample.of(own).median();
        long slow = own.stream()
                .filter(value -> quantity.isWorse(value, typical, rule))
                .count();
        if (2 * slow <= own.size() || !quantity.isWorse(median, typical, rule)) {
            return Optional.empty();
        }
        String reason = kind + node + " is slow: " + slow + " of its " + own.size() + " pairs are slow, with a typical "
                + quantity.compared(median, typical.median()) + " between the other "
                + (kind.isEmpty() ? "rails" : "nodes");
        return Optional.of(new Outlier<>(node, reason, quantity.timesWorse(median, typical.median())));
    }

    private void slowPairs(Map<P, Double> values) {
        for (Map.Entry<P, Double> entry : candidates(values).entrySet()) {
            List<Double> others = new ArrayList<>(values.values());
            others.remove(entry.getValue());
            Sample typical = Sample.of(others);
            if (quantity.isWorse(entry.getValue(), typical, rule)) {
                String reason = "pair " + names.apply(entry.getKey()) + " is slow: "
                        + quantity.compared(entry.getValue(), typical.median()) + " between the other pairs";
                pairs.add(
                        new Outlier<>(entry.getKey(), reason, quantity.timesWorse(entry.getValue(), typical.median())));
            }
        }
    }

    /** The pairs that could be slow: without one of them the median moves by one place at most. */
    private Map<P, Double> candidates(Map<P, Double> values) {
        Map<P, Double> candidates = new LinkedHashMap<>();
        List<Double> sorted = values.values().stream().sorted().toList();
        if (sorted.size() > 1) {
            int middle = sorted.size() / 2;
            double lowest = sorted.get(Math.max(0, middle - 2));
            double highest = sorted.get(Math.min(sorted.size() - 1, middle + 1));
            Sample easiest = new Sample(quantity == Quantity.LATENCY ? lowest : highest, 0);
            values.forEach((pair, value) -> {
                if (quantity.isWorse(value, easiest, rule)) {
                    candidates.put(pair, value);
                }
            });
        }
        return candidates;
    }

    /** Values to compare with: their median and a robust estimate of their standard deviation. */
    record Sample(double median, double deviation) {
        /** Makes the median absolute deviation of a normal distribution its standard deviation. */
        private static final double NORMAL = 1.4826;

        static Sample of(Collection<Double> values) {
            double[] sorted =
                    values.stream().mapToDouble(Double::doubleValue).sorted().toArray();
            double median = median(sorted);
            double[] distances = Arrays.stream(sorted)
                    .map(value -> Math.abs(value - median))
                    .sorted()
                    .toArray();
            return new Sample(median, sorted.length < 3 ? 0 : NORMAL * median(distances));
        }

        private static double median(double[] sorted) {
            int half = sorted.length / 2;
            return sorted.length == 0
                    ? Double.NaN
                    : sorted.length % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
        }
    }

    /** The quantities that are compared between pairs. */
    enum Quantity {
        LATENCY("latency", "us") {
            @Override
            boolean isWorse(double value, Sample typical, OutlierRule rule) {
                double excess = value - typical.median();
                return excess >= rule.relative() * typical.median()
                        && excess >= rule.deviations() * typical.deviation()
                        && excess >= rule.floorMicros();
            }
        },
        BANDWIDTH("bandwidth", "MB/s") {
            /** So much slower that it takes that much longer: three times as long is a third of the rate. */
            @Override
            boolean isWorse(double value, Sample typical, OutlierRule rule) {
                double missing = typical.median() - value;
                return value * (1 + rule.relative()) <= typical.median()
                        && missing >= rule.deviations() * typical.deviation()
                        && missing > 0;
            }
        };

        private final String title;
        private final String unit;

        Quantity(String title, String unit) {
            this.title = title;
            this.unit = unit;
        }

        abstract boolean isWorse(double value, Sample typical, OutlierRule rule);

        /** Such as {@code latency 9.10 us instead of 1.70 us}. */
        String compared(double value, double typical) {
            return title + " " + text(value) + " instead of " + text(typical);
        }

        /** A value as it is shown: us as they are, bytes per second as 10^6 of them. */
        double shown(double value) {
            return this == LATENCY ? value : value / 1e6;
        }

        /** The factor by which a value is worse than a good one. */
        double timesWorse(double value, double good) {
            return this == LATENCY ? value / good : good / value;
        }

        /** The value with its unit; a latency in us, a rate in 10^6 bytes per second. */
        String text(double value) {
            return String.format(Locale.ROOT, this == LATENCY ? "%.2f %s" : "%.0f %s", value, unit);
        }
    }

    /**
     * The rule by which a value is an outlier and no noise. All three conditions must hold.
     *
     * @param relative at least this part of the typical value worse, such as 0.2 for 20 %
     * @param deviations at least this many standard deviations worse; the deviation is estimated from the median of the absolute
     *     deviations from the median, and counts only where there are three values or more
     * @param floorMicros latencies differ by at least this many microseconds
     */
    record OutlierRule(double relative, double deviations, double floorMicros) {
        /**
         * 20 %, three deviations, a third of a microsecond: the 20 % come from the System Center monitor of RDMA networks, which asks
         * for one deviation from the mean; three from the median keep one bad value from hiding itself.
         */
        static final OutlierRule RDMA = new OutlierRule(0.2, 3, 0.3);

        /** 50 %, three deviations, ten microseconds: TCP between machines varies more. */
        static final OutlierRule TCP = new OutlierRule(0.5, 3, 10);

        /**
         * Five times the typical value, three deviations, 10 milliseconds: where ranks wait for a core, a message takes a time slice of
         * the scheduler, 4 milliseconds, instead of 10 microseconds.
         */
        static final OutlierRule ONE_MACHINE = new OutlierRule(4, 3, 10_000);

        /** The rule that suits these nodes. */
        static OutlierRule of(Interconnect interconnect, boolean oneMachine) {
            if (oneMachine) {
                return ONE_MACHINE;
            }
            return interconnect.isRdma() ? RDMA : TCP;
        }
    }
}
