package io.clusterwright.core.internal.spec;

import io.clusterwright.core.type.InvalidValueException;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Durations as people write them: {@code 8h}, {@code 20m}, {@code 1h30m}, {@code 250ms}. */
public final class Durations {
    static final Pattern FORM =
            Pattern.compile("(?:(\\d{1,6})d)?(?:(\\d{1,6})h)?(?:(\\d{1,6})m)?(?:(\\d{1,9})s)?(?:(\\d{1,9})ms)?");
    private static final Pattern ANY_NUMBERS = Pattern.compile("(\\d+d)?(\\d+h)?(\\d+m)?(\\d+s)?(\\d+ms)?");

    private Durations() {}

    /**
     * Reads a duration.
     *
     * @throws InvalidValueException when the text has no unit, an unknown unit, its units are not in falling order, or a number has too many digits
     */
    public static Duration parse(String text) {
        Matcher matcher = FORM.matcher(text);
        if (text.isEmpty() || !matcher.matches()) {
            throw !text.isEmpty() && ANY_NUMBERS.matcher(text).matches()
                    ? new InvalidValueException("duration", text, "1 ms to 3650 days", "20m")
                    : new InvalidValueException(
                            "duration", text, "whole numbers with a unit (d, h, m, s, ms), the largest first", "1h30m");
        }
        return Duration.ofDays(number(matcher.group(1)))
                .plusHours(number(matcher.group(2)))
                .plusMinutes(number(matcher.group(3)))
                .plusSeconds(number(matcher.group(4)))
                .plusMillis(number(matcher.group(5)));
    }

    /** Writes a duration so that {@link #parse} gives it back; what is shorter than a millisecond is dropped. */
    public static String print(Duration duration) {
        StringBuilder text = new StringBuilder();
        append(text, duration.toHours(), "h");
        append(text, duration.toMinutesPart(), "m");
        append(text, duration.toSecondsPart(), "s");
        append(text, duration.toMillisPart(), "ms");
        return text.isEmpty() ? "0s" : text.toString();
    }

    private static void append(StringBuilder text, long amount, String unit) {
        if (amount > 0) {
            text.append(amount).append(unit);
        }
    }

    private static long number(String digits) {
        return digits == null ? 0 : Long.parseLong(digits);
    }
}
