package io.clusterwright.windows.deploy;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Names that are counted, such as {@code MyHPCCNService%01%}.
 *
 * @param before what stands before the number
 * @param first the first number
 * @param width the least number of digits
 * @param after what stands behind the number
 */
record NameSeries(String before, int first, int width, String after) {
    private static final Pattern SERIES = Pattern.compile("([^%]*)%([0-9]{1,9})%([^%]*)");

    static Optional<NameSeries> parse(String text) {
        Matcher parts = SERIES.matcher(text);
        return parts.matches()
                ? Optional.of(new NameSeries(
                        parts.group(1),
                        Integer.parseInt(parts.group(2)),
                        parts.group(2).length(),
                        parts.group(3)))
                : Optional.empty();
    }

    /** The name at this place, from 0. */
    String name(int offset) {
        String number = Long.toString((long) first + offset);
        return before + "0".repeat(Math.max(0, width - number.length())) + number + after;
    }
}
