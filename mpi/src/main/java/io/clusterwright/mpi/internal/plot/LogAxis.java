package io.clusterwright.mpi.internal.plot;

import java.util.ArrayList;
import java.util.List;

/**
 * A logarithmic scale from values to coordinates.
 *
 * @param low the value at {@code from}, positive
 * @param high the value at {@code to}, more than {@code low}
 */
record LogAxis(double low, double high, double from, double to) {

    double at(double value) {
        return from + (Math.log(value) - Math.log(low)) / (Math.log(high) - Math.log(low)) * (to - from);
    }

    /** An axis over values whose ends are 1, 2 or 5 times a power of ten. */
    static LogAxis decimal(List<Double> values, double from, double to) {
        double min = values.stream().mapToDouble(Double::doubleValue).min().orElse(1);
        double max = values.stream().mapToDouble(Double::doubleValue).max().orElse(10);
        double low = floor125(min);
        double high = floor125(max);
        while (high < max || high <= low) {
            high = next125(high);
        }
        return new LogAxis(low, high, from, to);
    }

    /**
     * The powers of ten on the axis; where there are fewer than three, 2 and 5 times them as well. The ends are always
     * among them, unless another one is closer than {@code apart}.
     */
    List<Double> labelled(double apart) {
        List<Double> labels = new ArrayList<>(multiples(1));
        if (labels.size() < 3) {
            labels.addAll(multiples(2));
            labels.addAll(multiples(5));
        }
        for (double end : new double[] {low, high}) {
            if (labels.stream().allMatch(label -> Math.abs(at(label) - at(end)) >= apart)) {
                labels.add(end);
            }
        }
        labels.sort(null);
        return labels;
    }

    /** Every 1 to 9 times a power of ten on the axis. */
    List<Double> grid() {
        List<Double> lines = new ArrayList<>();
        for (int factor = 1; factor <= 9; factor++) {
            lines.addAll(multiples(factor));
        }
        return lines;
    }

    private List<Double> multiples(int factor) {
        List<Double> found = new ArrayList<>();
        for (int power = (int) Math.floor(Math.log10(low)) - 1; power <= Math.log10(high) + 1; power++) {
            double value = factor * Math.pow(10, power);
            if (value >= low * 0.999_999 && value <= high * 1.000_001) {
                found.add(value);
            }
        }
        return found;
    }

    private static double floor125(double value) {
        double ten = Math.pow(10, Math.floor(Math.log10(value)));
        double leading = value / ten;
        return ten * (leading >= 5 ? 5 : leading >= 2 ? 2 : 1);
    }

    private static double next125(double value) {
        double ten = Math.pow(10, Math.floor(Math.log10(value * 1.000_001)));
        double leading = value / ten;
        return leading < 1.5 ? ten * 2 : leading < 3 ? ten * 5 : ten * 10;
    }
}
