package io.clusterwright.mpi.check;

import java.util.Locale;
import java.util.OptionalDouble;

/** The pairs of a report for a terminal: round, nodes, latency in us, bandwidth in 10^6 bytes per second, and what is to be said. */
public final class FabricTable {
    private FabricTable() {}

    /** The line above the rows, without a line break. */
    public static String header() {
        return String.format(Locale.ROOT, "%5s  %-32s %14s %18s", "round", "pair", "latency [us]", "bandwidth [MB/s]");
    }

    /** A row without a line break; {@code -} stands for what was not measured. */
    public static String format(PairResult pair) {
        String row = String.format(
                Locale.ROOT,
                "%5d  %-32s %14s %18s",
                pair.round(),
                pair.pair(),
                number(pair.latencyMicros(), 1, "%.2f"),
                number(pair.bytesPerSecond(), 1e6, "%.1f"));
        return pair.measured() ? row : row + "  " + pair.problem();
    }

    /** The whole table, each line ended by a line break. */
    public static String of(FabricReport report) {
        StringBuilder text = new StringBuilder(header()).append('\n');
        report.pairs().forEach(pair -> text.append(format(pair)).append('\n'));
        return text.toString();
    }

    private static String number(OptionalDouble value, double unit, String format) {
        return value.isPresent() ? String.format(Locale.ROOT, format, value.getAsDouble() / unit) : "-";
    }
}
