package io.clusterwright.mpi.bench;

import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * One row of a benchmark's table: the numbers as they were printed. A column the tool did not print is absent.
 *
 * @param values the numbers by column; times in microseconds, rates in {@code rateUnit}
 * @param rateUnit the unit of {@link Measure#RATE} and {@link Measure#PEAK_RATE}
 */
public record BenchmarkRow(Map<Measure, Double> values, RateUnit rateUnit) {

    /** Copies the values. */
    public BenchmarkRow {
        values = values.isEmpty() ? Map.of() : Collections.unmodifiableMap(new EnumMap<>(values));
    }

    /** The number of a column. */
    public OptionalDouble value(Measure measure) {
        Double value = values.get(measure);
        return value == null ? OptionalDouble.empty() : OptionalDouble.of(value);
    }

    /** The message size in bytes; absent for a barrier. */
    public OptionalLong bytes() {
        return whole(Measure.BYTES);
    }

    /** The number of times that the message was sent. */
    public OptionalLong repetitions() {
        return whole(Measure.REPETITIONS);
    }

    /** The one-way time in microseconds. */
    public OptionalDouble latencyMicros() {
        return value(Measure.LATENCY);
    }

    /** The one time that stands for this row, in microseconds: the latency or, where there is none, the mean. */
    public OptionalDouble typicalMicros() {
        OptionalDouble latency = latencyMicros();
        return latency.isPresent() ? latency : value(Measure.AVERAGE);
    }

    /** The data rate in {@link #rateUnit()}, as printed. */
    public OptionalDouble printedRate() {
        return value(Measure.RATE);
    }

    /** The data rate in bytes per second. */
    public OptionalDouble bytesPerSecond() {
        OptionalDouble rate = printedRate();
        return rate.isPresent() ? OptionalDouble.of(rateUnit.toBytesPerSecond(rate.getAsDouble())) : rate;
    }

    BenchmarkRow withRateUnit(RateUnit unit) {
        return new BenchmarkRow(values, unit);
    }

    private OptionalLong whole(Measure measure) {
        Double value = values.get(measure);
        return value == null ? OptionalLong.empty() : OptionalLong.of(value.longValue());
    }
}
