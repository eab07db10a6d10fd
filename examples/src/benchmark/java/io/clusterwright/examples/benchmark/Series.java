package io.clusterwright.examples.benchmark;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * Measured values of one thing.
 *
 * @param name what was measured, such as a tool
 * @param unit of the values, such as ms
 * @param samples the values, in the order of the rounds
 */
record Series(String name, String unit, List<Double> samples) {
    static Series of(String name, String unit) {
        return new Series(name, unit, new ArrayList<>());
    }

    void add(double value) {
        samples.add(value);
    }

    boolean measured() {
        return !samples.isEmpty();
    }

    double median() {
        return quartile(2);
    }

    /** The lower quartile, the median or the upper quartile: 1, 2 or 3. */
    double quartile(int number) {
        double[] sorted = samples.stream().mapToDouble(Double::doubleValue).sorted().toArray();
        if (sorted.length == 0) {
            return Double.NaN;
        }
        double place = (sorted.length - 1) * number / 4.0;
        int below = (int) place;
        int above = Math.min(below + 1, sorted.length - 1);
        return sorted[below] + (place - below) * (sorted[above] - sorted[below]);
    }

    /** The quartiles for people: median, and the other two behind it. */
    String toText() {
        return measured()
                ? String.format(
                        Locale.ROOT, "%s (%s..%s) %s", number(median()), number(quartile(1)), number(quartile(3)), unit)
                : "";
    }

    static String number(double value) {
        return String.format(Locale.ROOT, value < 10 ? "%.2f" : value < 100 ? "%.1f" : "%,.0f", value);
    }

    /** The values of both, pairwise divided. */
    static Series quotient(String name, Series above, Series below) {
        Series all = of(name, "x");
        for (int i = 0; i < Math.min(above.samples.size(), below.samples.size()); i++) {
            all.add(above.samples.get(i) / below.samples.get(i));
        }
        return all;
    }

    /** The values without the values of what both have in common, pairwise. */
    static Series difference(Series whole, Series common) {
        Series all = of(whole.name, whole.unit);
        for (int i = 0; i < Math.min(whole.samples.size(), common.samples.size()); i++) {
            all.add(whole.samples.get(i) - common.samples.get(i));
        }
        return all;
    }

    @Override
    public String toString() {
        return name + " " + Arrays.toString(samples.toArray());
    }
}
