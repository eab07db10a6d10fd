package io.clusterwright.mpi.bench;

import java.util.Locale;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/** A ping-pong table for a terminal, row by row: bytes, repetitions, one-way time in us, rate in 10^6 bytes per second. */
public final class PingPongTable {
    private static final String LAYOUT = "%12s %13s %14s %18s";

    private PingPongTable() {}

    /** The line above the rows; as wide as they are, without a line break. */
    public static String header() {
        return String.format(Locale.ROOT, LAYOUT, "bytes", "repetitions", "latency [us]", "bandwidth [MB/s]");
    }

    /** A row without a line break; {@code -} stands for what was not printed. */
    public static String format(BenchmarkRow row) {
        OptionalDouble rate = row.bytesPerSecond();
        return String.format(
                Locale.ROOT,
                LAYOUT,
                count(row.bytes()),
                count(row.repetitions()),
                number(row.typicalMicros()),
                number(rate.isPresent() ? OptionalDouble.of(rate.getAsDouble() / 1e6) : rate));
    }

    private static String count(OptionalLong value) {
        return value.isPresent() ? Long.toString(value.getAsLong()) : "-";
    }

    private static String number(OptionalDouble value) {
        return value.isPresent() ? String.format(Locale.ROOT, "%.2f", value.getAsDouble()) : "-";
    }
}
