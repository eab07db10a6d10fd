package io.clusterwright.mpi.preset;

import io.clusterwright.core.type.InvalidValueException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A range of versions of an MPI, such as {@code >=2019 <2021.19}. Use it to apply a setting to the versions that need
 * it. Versions are compared number by number, so that 5.1.3 is older than 2017 and 2021.9 older than 2021.19; text
 * between numbers, such as the letters in {@code 4.1.7a1}, separates numbers.
 *
 * <pre>{@code
 * boolean affected = VersionRange.of(">=2019 <2021.19").contains("2021.9");
 * }</pre>
 *
 * @param text {@code any}, or made of {@code >=VERSION} and {@code <VERSION}
 */
public record VersionRange(String text) {
    private static final Pattern TEXT = Pattern.compile("any|(?:>=(?<from>\\d[\\d.]*))? ?(?:<(?<before>\\d[\\d.]*))?");
    private static final Pattern NUMBER = Pattern.compile("\\d{1,9}");

    /**
     * Checks the text.
     *
     * @throws InvalidValueException when it does not have its form
     */
    public VersionRange {
        limits(text);
    }

    /**
     * Reads the text form.
     *
     * @throws InvalidValueException when it is neither {@code any} nor made of {@code >=VERSION} and {@code <VERSION}
     */
    public static VersionRange of(String text) {
        return new VersionRange(text);
    }

    /**
     * Whether a version, such as {@code 4.1.4} or {@code 2018 Update 4}, is in the range; one without any number is in
     * {@code any} alone.
     */
    public boolean contains(String version) {
        Matcher limits = limits(text);
        List<Integer> numbers = numbers(version);
        List<Integer> from = numbers(limits.group("from"));
        List<Integer> before = numbers(limits.group("before"));
        if (numbers.isEmpty()) {
            return from.isEmpty() && before.isEmpty();
        }
        return (from.isEmpty() || compare(numbers, from) >= 0) && (before.isEmpty() || compare(numbers, before) < 0);
    }

    private static Matcher limits(String text) {
        Matcher limits = TEXT.matcher(text);
        if (text.isBlank() || !limits.matches()) {
            throw new InvalidValueException(
                    "version range", text, "any, >=VERSION, <VERSION or both", ">=2019 <2021.19");
        }
        return limits;
    }

    private static List<Integer> numbers(@Nullable String version) {
        List<Integer> numbers = new ArrayList<>();
        if (version != null) {
            NUMBER.matcher(version).results().forEach(match -> numbers.add(Integer.valueOf(match.group())));
        }
        return List.copyOf(numbers);
    }

    private static int compare(List<Integer> left, List<Integer> right) {
        for (int i = 0; i < Math.max(left.size(), right.size()); i++) {
            int difference = Integer.compare(i < left.size() ? left.get(i) : 0, i < right.size() ? right.get(i) : 0);
            if (difference != 0) {
                return difference;
            }
        }
        return 0;
    }

    /** The text form. */
    @Override
    public String toString() {
        return text;
    }
}
