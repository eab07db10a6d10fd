package io.clusterwright.core.type;

import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.stream.IntStream;

/**
 * The pattern of the names of nodes: a prefix and a running number, such as {@code cluster11}, {@code cluster12}. Use
 * it as {@code nodes.namePattern} of a spec.
 *
 * <pre>{@code
 * List<NodeName> names = NamePattern.of("demo%11%").names(4); // demo11, demo12, demo13, demo14
 * }</pre>
 *
 * <p>As text the first number stands between percent signs, as in an HPC Pack naming series: {@code cluster%11%}, or
 * {@code HPCCN-%0001%} where numbers are padded with zeros.
 *
 * @param prefix what every name starts with; may be empty
 * @param firstIndex the number of the first node, 0 to 999999999
 * @param digits the least number of digits, 1 to 9; shorter numbers are padded with zeros
 */
public record NamePattern(String prefix, int firstIndex, int digits) {
    private static final int HIGHEST_INDEX = 999_999_999;
    private static final Syntax SYNTAX = Syntax.of(
            "name pattern",
            "([A-Za-z0-9-]*)%([0-9]{1,9})%",
            "a prefix of letters, digits or '-', then the first number of at most 9 digits between percent signs",
            "cluster%11%");

    /**
     * Checks that the first name is a node's name.
     *
     * @throws InvalidValueException when it is not, or a number is out of its range
     */
    public NamePattern {
        Objects.requireNonNull(prefix, "prefix");
        if (firstIndex < 0 || firstIndex > HIGHEST_INDEX || digits < 1 || digits > 9) {
            throw SYNTAX.invalid(prefix + "%" + firstIndex + "% with " + digits + " digits");
        }
        nameOf(prefix, firstIndex, digits);
    }

    /**
     * Names whose numbers are not padded.
     *
     * @throws InvalidValueException when the first name is not a node's name
     */
    public NamePattern(String prefix, int firstIndex) {
        this(prefix, firstIndex, 1);
    }

    /**
     * Reads a pattern.
     *
     * @throws InvalidValueException when it is not as described
     */
    public static NamePattern of(String text) {
        SYNTAX.require(text);
        Matcher parts = SYNTAX.pattern().matcher(text);
        parts.matches();
        String number = parts.group(2);
        int digits = number.startsWith("0") ? number.length() : 1;
        return new NamePattern(parts.group(1), Integer.parseInt(number), digits);
    }

    /**
     * The name of the node at this place.
     *
     * @param offset 0 for the first node
     * @throws InvalidValueException when the offset is negative or the name becomes too long
     */
    public NodeName name(int offset) {
        long index = (long) firstIndex + offset;
        if (offset < 0 || index > HIGHEST_INDEX) {
            throw new InvalidValueException(
                    "place of a node in " + this,
                    Integer.toString(offset),
                    "0 to " + (HIGHEST_INDEX - firstIndex) + ", as the highest number in a name is " + HIGHEST_INDEX
                            + "; for more nodes, lower the first number",
                    "0");
        }
        return nameOf(prefix, (int) index, digits);
    }

    /** The names of the first nodes, in order. */
    public List<NodeName> names(int count) {
        return IntStream.range(0, count).mapToObj(this::name).toList();
    }

    private static NodeName nameOf(String prefix, int index, int digits) {
        String number = Integer.toString(index);
        return new NodeName(prefix + "0".repeat(Math.max(0, digits - number.length())) + number);
    }

    /** The pattern as {@link #of} reads it. */
    @Override
    public String toString() {
        String first = nameOf(prefix, firstIndex, digits).value();
        return prefix + "%" + first.substring(prefix.length()) + "%";
    }
}
