package io.clusterwright.mpi.bench;

import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * One row of a benchmark's table: the numbers as they were printed. Use it to read the numbers of one message size. A
 * column the tool did not print is absent.
 *
 * @param values the numbers by column; times in microseconds, rates in {@code rateUnit}
 * @param rateUnit the unit of {@link Measure#RATE} and {@link Measure#PEAK_RATE}
 * @param nodes the two nodes between which it was measured; empty where the tool does not print them
 * @see Benchmarks
 */
public record BenchmarkRow(Map<Measure, Double> values, RateUnit rateUnit, List<String> nodes) {
    private static final String PING_PONG = "%12s %13s %14s %18s";

    /** Copies the values and the nodes. */
    public BenchmarkRow {
        values = values.isEmpty() ? Map.of() : Collections.unmodifiableMap(new EnumMap<>(values));
        nodes = List.copyOf(nodes);
    }

    /** A row of a tool that does not print its nodes. */
    public BenchmarkRow(Map<Measure, Double> values, RateUnit rateUnit) {
        this(values, rateUnit, List.of());
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

    /** The one time that stands for this row, in microseconds: the latency or, where the row has no latency, the mean. */
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

    /** The data rate in bytes per second; from size and time where the tool prints no rate. */
    public OptionalDouble typicalBytesPerSecond() {
        OptionalDouble rate = bytesPerSecond();
        OptionalDouble micros = latencyMicros();
        return rate.isPresent() || micros.orElse(0) <= 0
                ? rate
                : OptionalDouble.of(bytes().orElse(0) / micros.getAsDouble() * 1e6);
    }

    /** The line above rows of {@link #toPingPongLine()}; as wide as they are, without a line break. */
    public static String pingPongHeader() {
        return String.format(PING_PONG, "bytes", "repetitions", "latency [us]", "bandwidth [MB/s]");
    }

    /**
     * The row of a ping-pong for a terminal, without a line break: bytes, repetitions, one-way time in us, rate in 10^6 bytes per
     * second; {@code -} stands for what was not printed.
     */
    public String toPingPongLine() {
        return String.format(
                PING_PONG,
                text(value(Measure.BYTES), 1, "%.0f"),
                text(value(Measure.REPETITIONS), 1, "%.0f"),
                text(typicalMicros(), 1, "%.2f"),
                text(bytesPerSecond(), 1e6, "%.2f"));
    }

    private static String text(OptionalDouble value, double unit, String format) {
        return value.isPresent() ? String.format(Locale.ROOT, format, value.getAsDouble() / unit) : "-";
    }

    private OptionalLong whole(Measure measure) {
        Double value = values.get(measure);
        return value == null ? OptionalLong.empty() : OptionalLong.of(value.longValue());
    }

    /**
     * A unit in which benchmarks print a data rate.
     *
     * <p>The words on the page do not tell: {@code Mbytes/sec} is {@link #MIB_PER_SECOND} in Intel MPI Benchmarks up to 4.1
     * and {@link #MEGABYTE_PER_SECOND} from 2018 on. What each tool means was found by dividing its bytes by its times.
     */
    public enum RateUnit {
        /** 2<sup>20</sup> bytes per second: IMB 3 and 4, perftest, ucx_perftest. */
        MIB_PER_SECOND("MiB/s", 1024.0 * 1024.0),
        /** 10<sup>9</sup> bytes per second: nccl-tests. */
        GIGABYTE_PER_SECOND("GB/s", 1e9),
        /** 10<sup>6</sup> bytes per second: IMB 2018 and later, OSU. */
        MEGABYTE_PER_SECOND("MB/s", 1e6),
        /** 2<sup>20</sup> bits per second: NetPIPE. */
        MEBIBIT_PER_SECOND("Mibit/s", 1024.0 * 1024.0 / 8),
        /** 10<sup>9</sup> bits per second: perftest with {@code --report_gbits}. */
        GIGABIT_PER_SECOND("Gbit/s", 1e9 / 8);

        private final String symbol;
        private final double bytesPerSecond;

        RateUnit(String symbol, double bytesPerSecond) {
            this.symbol = symbol;
            this.bytesPerSecond = bytesPerSecond;
        }

        /** The unit as it is written, such as {@code MiB/s}. */
        public String symbol() {
            return symbol;
        }

        /** A rate of this unit in bytes per second. */
        public double toBytesPerSecond(double rate) {
            return rate * bytesPerSecond;
        }
    }
}
