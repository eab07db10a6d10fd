package io.clusterwright.core.internal.text;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/** Finds the known name that a mistyped one most likely means, for messages that refuse it. */
public final class NearestName {
    private static final int LONGEST = 64;

    private NearestName() {}

    /** The known name nearest to the given one, whatever their case; empty when none is near. */
    public static Optional<String> of(String given, Collection<String> known) {
        if (given.length() > LONGEST) {
            return Optional.empty();
        }
        return known.stream()
                .filter(name -> isNear(given, name))
                .min(Comparator.comparingInt(name -> distance(given, name)));
    }

    /** The question whether that name was meant; empty when none is near. */
    public static Optional<String> question(String given, Collection<String> known) {
        return of(given, known).map(near -> "did you mean " + near + "?");
    }

    private static boolean isNear(String given, String name) {
        boolean begun = given.length() >= 3 && name.regionMatches(true, 0, given, 0, given.length());
        return begun || distance(given, name) <= Math.max(1, Math.min(given.length(), name.length()) / 3);
    }

    /** The number of letters to insert, remove, exchange or swap with their neighbour, whatever their case. */
    static int distance(String left, String right) {
        int[][] steps = new int[left.length() + 1][right.length() + 1];
        for (int i = 0; i <= left.length(); i++) {
            for (int j = 0; j <= right.length(); j++) {
                if (i == 0 || j == 0) {
                    steps[i][j] = i + j;
                    continue;
                }
                int exchange = same(left.charAt(i - 1), right.charAt(j - 1)) ? 0 : 1;
                int best = Math.min(steps[i - 1][j] + 1, steps[i][j - 1] + 1);
                best = Math.min(best, steps[i - 1][j - 1] + exchange);
                if (i > 1
                        && j > 1
                        && same(left.charAt(i - 1), right.charAt(j - 2))
                        && same(left.charAt(i - 2), right.charAt(j - 1))) {
                    best = Math.min(best, steps[i - 2][j - 2] + 1);
                }
                steps[i][j] = best;
            }
        }
        return steps[left.length()][right.length()];
    }

    private static boolean same(char left, char right) {
        return Character.toLowerCase(left) == Character.toLowerCase(right);
    }
}
