package io.clusterwright.core.internal.spec;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/** Words that messages share. */
public final class Messages {
    private static final int LONGEST_NAME = 64;

    private Messages() {}

    /** The text without control characters, cut to a length that suits a message. */
    public static String shorten(String text) {
        return shorten(text, 60);
    }

    static String shorten(String text, int longest) {
        String cut = text.length() <= longest ? text : text.substring(0, longest - 3) + "...";
        return cut.replaceAll("\\p{Cntrl}", "?");
    }

    /** The known name that a mistyped one most likely means, when there is a near one. */
    public static Optional<String> nearest(String given, Collection<String> known) {
        if (given.length() > LONGEST_NAME) {
            return Optional.empty();
        }
        return known.stream()
                .filter(name -> isNear(given, name))
                .min(Comparator.comparingInt(name -> distance(given, name)));
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
