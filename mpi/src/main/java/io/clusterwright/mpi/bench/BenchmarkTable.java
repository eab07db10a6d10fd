package io.clusterwright.mpi.bench;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;

/**
 * The table of any benchmark for a terminal: the columns that the tool printed, times in us, rates in 10^6 bytes per
 * second whatever unit they were printed in.
 */
final class BenchmarkTable {
    private BenchmarkTable() {}

    /** Headings and rows, each line ended by a line break; {@code -} stands for what a row lacks. */
    static String format(BenchmarkReport report) {
        List<Measure> columns = Arrays.stream(Measure.values())
                .filter(measure -> report.rows().stream()
                        .anyMatch(row -> row.value(measure).isPresent()))
                .toList();
        int longest = report.rows().stream()
                .flatMap(row -> row.nodes().stream())
                .mapToInt(String::length)
                .max()
                .orElse(0);
        StringBuilder text = new StringBuilder(nodes(longest, List.of("ping node", "pong node")));
        columns.forEach(column -> text.append(aligned(column, heading(column))));
        text.append('\n');
        for (BenchmarkRow row : report.rows()) {
            text.append(nodes(longest, row.nodes()));
            columns.forEach(column -> text.append(aligned(column, cell(row, column))));
            text.append('\n');
        }
        return text.toString();
    }

    /** The columns of the nodes; none where no row has any. */
    private static String nodes(int longest, List<String> names) {
        StringBuilder text = new StringBuilder();
        if (longest > 0) {
            names.forEach(name -> text.append(name).append(" ".repeat(Math.max(longest, 9) + 2 - name.length())));
        }
        return text.toString();
    }

    private static String aligned(Measure column, String cell) {
        int width = Math.max(12, heading(column).length() + 2);
        return String.format(Locale.ROOT, "%" + width + "s", cell);
    }

    private static String cell(BenchmarkRow row, Measure column) {
        OptionalDouble printed = row.value(column);
        if (printed.isEmpty()) {
            return "-";
        }
        double value = printed.getAsDouble();
        return switch (column) {
            case BYTES, REPETITIONS, DEFECTS, MESSAGE_RATE -> String.format(Locale.ROOT, "%.0f", value);
            case RATE, PEAK_RATE, BUS_RATE -> decimals(row.rateUnit().toBytesPerSecond(value) / 1e6);
            default -> decimals(value);
        };
    }

    private static String decimals(double value) {
        return String.format(Locale.ROOT, "%.2f", value);
    }

    private static String heading(Measure column) {
        return switch (column) {
            case BYTES -> "bytes";
            case REPETITIONS -> "repetitions";
            case LATENCY -> "latency [us]";
            case MIN -> "min [us]";
            case MAX -> "max [us]";
            case AVERAGE -> "avg [us]";
            case MEDIAN -> "median [us]";
            case PERCENTILE_90 -> "90 % [us]";
            case PERCENTILE_99 -> "99 % [us]";
            case PERCENTILE_99_9 -> "99.9 % [us]";
            case DEVIATION -> "deviation [us]";
            case OVERALL -> "overall [us]";
            case PURE -> "pure [us]";
            case COMPUTE -> "compute [us]";
            case OVERLAP -> "overlap [%]";
            case RATE -> "bandwidth [MB/s]";
            case PEAK_RATE -> "peak [MB/s]";
            case BUS_RATE -> "bus [MB/s]";
            case MESSAGE_RATE -> "messages [1/s]";
            case DEFECTS -> "defects";
        };
    }
}
