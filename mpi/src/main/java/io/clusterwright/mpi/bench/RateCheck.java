package io.clusterwright.mpi.bench;

import java.util.List;
import java.util.Map;

/**
 * Confirms a rate by arithmetic: bytes divided by time.
 *
 * @param bytesFactor how many times the message size passes per printed time (Sendrecv 2, Exchange 4)
 * @param time the column the rate was computed from
 * @param units what the rate may be in
 */
record RateCheck(double bytesFactor, Measure time, List<RateUnit> units) {
    private static final double ROUNDING = 0.005;
    private static final double SLACK = 0.01;

    /** Whether the row's rate is what its bytes and time give, in this unit, as far as the printed digits tell. */
    boolean agrees(Map<Measure, Double> row, RateUnit unit) {
        double expected = row.getOrDefault(Measure.BYTES, 0.0) * bytesFactor / seconds(row);
        double printed = row.getOrDefault(Measure.RATE, 0.0);
        double actual = unit.toBytesPerSecond(printed);
        double allowed = expected * (error(row) + SLACK) + unit.toBytesPerSecond(ROUNDING);
        return Math.abs(actual - expected) <= allowed;
    }

    boolean agrees(Map<Measure, Double> row) {
        return !checkable(row) || units.stream().anyMatch(unit -> agrees(row, unit));
    }

    boolean checkable(Map<Measure, Double> row) {
        return row.containsKey(Measure.BYTES) && row.containsKey(Measure.RATE) && row.getOrDefault(time, 0.0) > 0;
    }

    /** Whether the printed digits are enough to tell MiB from MB, which are 5 % apart. */
    boolean telling(Map<Measure, Double> row) {
        double rate = row.getOrDefault(Measure.RATE, 0.0);
        return checkable(row) && rate > 0 && error(row) + ROUNDING / rate < SLACK;
    }

    private double error(Map<Measure, Double> row) {
        return ROUNDING / row.getOrDefault(time, 0.0);
    }

    private double seconds(Map<Measure, Double> row) {
        return row.getOrDefault(time, 0.0) / 1e6;
    }
}
