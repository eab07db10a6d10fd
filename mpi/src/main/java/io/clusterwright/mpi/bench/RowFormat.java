package io.clusterwright.mpi.bench;

import io.clusterwright.core.internal.text.LineSplitter.Line;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The columns of a table; reads a line only when it is exactly such a row. */
record RowFormat(List<Column> columns) {
    private static final Pattern SIZE = Pattern.compile("[0-9]+\\.?[0-9]*");
    private static final Pattern BEGINS_AS_NUMBER = Pattern.compile("[-+]?(?:[0-9]|(?i:nan|inf)\\b)");

    /** The numbers of a row; empty when the line is not a complete row of this table. */
    Optional<Map<Measure, Double>> parse(Line line) {
        String[] tokens = line.text().strip().split("\\s+");
        if (tokens.length != columns.size()) {
            return Optional.empty();
        }
        if (!line.complete() && !columns.get(columns.size() - 1).showsItsEnd(tokens[tokens.length - 1])) {
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
        boolean starts = SIZE.matcher(tokens[0]).matches();
        return starts
                && (tokens.length > 1 ? BEGINS_AS_NUMBER.matcher(tokens[1]).lookingAt() : !line.complete());
    }

    /** Whether a row says more than its size and repetitions; a damaged line of titles may leave nothing else. */
    boolean measuresSomething() {
        return columns.stream()
                .map(Column::measure)
                .anyMatch(measure -> measure != null && measure != Measure.BYTES && measure != Measure.REPETITIONS);
    }

    boolean validationFailed(Line line) {
        String[] tokens = line.text().strip().split("\\s+");
        return tokens.length == columns.size()
                && IntStream.range(0, tokens.length)
                        .anyMatch(i -> columns.get(i).decimals() == Column.VERDICT && tokens[i].equals("Fail"));
    }

    /**
     * The format of one column of a table.
     *
     * @param measure what it holds; null for a column that is read over
     * @param decimals digits after the point: exactly this number, or {@link #ANY}, {@link #TWO_OR_SIX}, {@link #THREE_OR_SIX}, or {@link #VERDICT} for Pass and
     *     Fail
     * @param scale what the printed number is multiplied with
     */
    record Column(@Nullable Measure measure, int decimals, double scale) {
        static final int ANY = -1;
        static final int VERDICT = -2;
        static final int TWO_OR_SIX = -3;
        static final int THREE_OR_SIX = -4;
        private static final Pattern UNREAD = Pattern.compile("[-+]?(?:[0-9][0-9.]*|nan|inf)|N/A");

        static Column whole(Measure measure) {
            return new Column(measure, 0, 1);
        }

        static Column number(Measure measure, int decimals) {
            return new Column(measure, decimals, 1);
        }

        static Column ignored() {
            return new Column(null, ANY, 1);
        }

        boolean accepts(String token) {
            if (decimals == VERDICT) {
                return token.equals("Pass") || token.equals("Fail");
            }
            if (measure == null && decimals == ANY) {
                return UNREAD.matcher(token).matches();
            }
            int printed = printed(token);
            return isNumber(token)
                    && switch (decimals) {
                        case ANY -> !token.endsWith(".");
                        case TWO_OR_SIX -> printed == 2 || printed == 6;
                        case THREE_OR_SIX -> printed == 3 || printed == 6;
                        default -> printed == decimals;
                    };
        }

        /** Whether a text that ends inside this column can be distinguished from a text that ends with it. */
        boolean showsItsEnd(String token) {
            return decimals > 0 || decimals == VERDICT || decimals < VERDICT && printed(token) == 6;
        }

        private static int printed(String token) {
            int point = token.indexOf('.');
            return point < 0 ? 0 : token.length() - point - 1;
        }

        static boolean isNumber(String token) {
            int points = 0;
            for (int i = 0; i < token.length(); i++) {
                char c = token.charAt(i);
                if (c == '.') {
                    points++;
                } else if (c < '0' || c > '9') {
                    return false;
                }
            }
            return points <= 1 && token.length() <= 18 && !token.isEmpty() && token.charAt(0) != '.';
        }
    }
}
