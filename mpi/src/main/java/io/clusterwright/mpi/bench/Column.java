package io.clusterwright.mpi.bench;

import org.jspecify.annotations.Nullable;

/**
 * How one column of a table is written.
 *
 * @param measure what it holds; null for a column that is read over
 * @param decimals digits after the point: exactly so many, or {@link #ANY}, or {@link #VERDICT} for Pass and Fail
 * @param scale what the printed number is multiplied with
 */
record Column(@Nullable Measure measure, int decimals, double scale) {
    static final int ANY = -1;
    static final int VERDICT = -2;

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
        int point = token.indexOf('.');
        int printed = point < 0 ? 0 : token.length() - point - 1;
        return isNumber(token) && (decimals == ANY ? point < 0 || printed > 0 : printed == decimals);
    }

    /** Whether a text that ends inside this column is told from one that ends with it. */
    boolean showsItsEnd() {
        return decimals > 0 || decimals == VERDICT;
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
