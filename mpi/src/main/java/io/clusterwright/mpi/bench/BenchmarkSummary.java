package io.clusterwright.mpi.bench;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeMap;

/** A table in three figures: the shortest latency, the latency at well-known sizes, the highest rate. Immutable. */
public final class BenchmarkSummary {
    private static final Set<Long> WELL_KNOWN =
            Set.of(0L, 1L, 8L, 64L, 512L, 1024L, 4096L, 8192L, 65_536L, 1_048_576L, 4_194_304L);

    private final double minLatencyMicros;
    private final Map<Long, Double> latencyMicrosAt;
    private final double peakRate;

    private BenchmarkSummary(double minLatencyMicros, Map<Long, Double> latencyMicrosAt, double peakRate) {
        this.minLatencyMicros = minLatencyMicros;
        this.latencyMicrosAt = latencyMicrosAt;
        this.peakRate = peakRate;
    }

    static BenchmarkSummary of(List<BenchmarkRow> rows) {
        double min = rows.stream()
                .mapToDouble(row -> row.typicalMicros().orElse(Double.NaN))
                .filter(value -> !Double.isNaN(value))
                .min()
                .orElse(Double.NaN);
        Map<Long, Double> at = new TreeMap<>();
        for (BenchmarkRow row : rows) {
            long bytes = row.bytes().orElse(-1);
            if (WELL_KNOWN.contains(bytes) && row.typicalMicros().isPresent()) {
                at.putIfAbsent(bytes, row.typicalMicros().getAsDouble());
            }
        }
        double peak = rows.stream()
                .map(BenchmarkRow::values)
                .map(values -> {
                    Double best = values.get(Measure.PEAK_RATE);
                    Double rate = values.get(Measure.RATE);
                    return best != null && best > 0 ? best : rate == null ? Double.NaN : rate;
                })
                .filter(value -> !value.isNaN())
                .mapToDouble(Double::doubleValue)
                .max()
                .orElse(Double.NaN);
        return new BenchmarkSummary(min, Collections.unmodifiableMap(at), peak);
    }

    /** The shortest time of any row, in microseconds. */
    public OptionalDouble minLatencyMicros() {
        return optional(minLatencyMicros);
    }

    /** The time in microseconds by message size in bytes, for the sizes people compare (0, 1, 8, 64, 512, …) that were measured. */
    public Map<Long, Double> latencyMicrosAt() {
        return latencyMicrosAt;
    }

    /** The highest rate of any row, in the unit the tool printed. */
    public OptionalDouble peakRate() {
        return optional(peakRate);
    }

    private static OptionalDouble optional(double value) {
        return Double.isNaN(value) ? OptionalDouble.empty() : OptionalDouble.of(value);
    }
}
