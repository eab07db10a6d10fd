package io.clusterwright.mpi.bench;

import io.clusterwright.mpi.internal.output.Line;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The columns of a table; reads a line only when it is exactly such a row. */
record RowFormat(List<Column> columns) {

    /** The numbers of a row; empty when the line is not a complete row of this table. */
    Optional<Map<Measure, Double>> parse(Line line) {
        String[] tokens = line.text().strip().split("\\s+");
        if (tokens.length != columns.size()) {
            return Optional.empty();
        }
        if (!line.complete() && !columns.get(columns.size() - 1).showsItsEnd()) {
            return Optional.empty();
        }
        Map<Measure, Double> values = new EnumMap<>(Measure.class);
        for (int i = 0; i < tokens.length; i++) {
            Column column = columns.get(i);
            if (!column.accepts(tokens[i])) {
                return Optional.empty();
            }
            if (column.measure() != null) {
                values.put(column.measure(), Double.parseDouble(tokens[i]) * column.scale());
            }
        }
        return Optional.of(values);
    }

    /** Whether a line that is no row was meant to be one, or the rest of one. */
    boolean resembles(Line line) {
        String[] tokens = line.text().strip().split("\\s+");
        boolean starts = Column.isNumber(tokens[0]);
        return starts && (tokens.length > 1 ? Character.isDigit(tokens[1].charAt(0)) : !line.complete());
    }

    /** Whether a row says more than its size and repetitions; a damaged line of titles may leave nothing else. */
    boolean measuresSomething() {
        return columns.stream()
                .map(Column::measure)
                .anyMatch(measure -> measure != null && measure != Measure.BYTES && measure != Measure.REPETITIONS);
    }

    boolean validationFailed(Line line) {
        return columns.get(columns.size() - 1).decimals() == Column.VERDICT
                && line.text().strip().endsWith("Fail");
    }
}
