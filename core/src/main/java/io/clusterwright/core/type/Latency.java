package io.clusterwright.core.type;

import java.util.Locale;
import java.util.regex.Matcher;

/**
 * The time a message takes one way. Use it for limits and results of benchmarks.
 *
 * <pre>{@code
 * Latency limit = Latency.of("3 us");
 * boolean passes = new Latency(2.23).compareTo(limit) <= 0;
 * }</pre>
 *
 * @param micros microseconds, finite and not negative
 */
public record Latency(double micros) implements Comparable<Latency> {
    private static final Syntax SYNTAX = Syntax.of(
            "latency",
            "([0-9]{1,15}(?:\\.[0-9]{1,15})?) ?(ns|us|µs|ms|s)",
            "a number that is not negative and one of the units ns, us, ms, s",
            "3.09 us");

    /**
     * Checks the number.
     *
     * @throws InvalidValueException when it is negative, infinite or not a number
     */
    public Latency {
        if (!(micros >= 0) || Double.isInfinite(micros)) {
            throw SYNTAX.invalid(micros + " us");
        }
        micros += 0.0;
    }

    /**
     * Reads a latency with its unit.
     *
     * @throws InvalidValueException when it is not as described
     */
    public static Latency of(String text) {
        Matcher parts = SYNTAX.pattern().matcher(text);
        if (!parts.matches()) {
            throw SYNTAX.invalid(text);
        }
        return new Latency(Double.parseDouble(parts.group(1)) * microsPer(parts.group(2)));
    }

    private static double microsPer(String unit) {
        return switch (unit) {
            case "ns" -> 1e-3;
            case "ms" -> 1e3;
            case "s" -> 1e6;
            default -> 1;
        };
    }

    @Override
    public int compareTo(Latency other) {
        return Double.compare(micros, other.micros);
    }

    /** The latency for people, in microseconds with two decimals, such as {@code 3.09 us}. */
    @Override
    public String toString() {
        return String.format(Locale.ROOT, "%.2f us", micros);
    }
}
