package io.clusterwright.mpi.check;

import java.util.Arrays;
import java.util.Collection;

/** Values to compare with: their median and a robust estimate of their standard deviation. */
record Sample(double median, double deviation, int size) {
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
        return new Sample(median, sorted.length < 3 ? 0 : NORMAL * median(distances), sorted.length);
    }

    private static double median(double[] sorted) {
        int half = sorted.length / 2;
        return sorted.length == 0
                ? Double.NaN
                : sorted.length % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
    }
}
