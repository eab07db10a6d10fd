package io.clusterwright.core.type;

import java.util.regex.Matcher;

/**
 * One or more neighbouring ports of TCP or UDP.
 *
 * @param first the lowest, 1 to 65535
 * @param last the highest, not below the first
 */
public record PortRange(int first, int last) {
    private static final Syntax SYNTAX = Syntax.of(
            "port range",
            "([0-9]{1,5})(?:-([0-9]{1,5}))?",
            "one port from 1 to 65535, or two with '-' between them, the lower first",
            "10000-10100");

    /**
     * Checks the range.
     *
     * @throws io.clusterwright.core.type.InvalidValueException when a port is out of its range or the two are swapped
     */
    public PortRange {
        if (first < 1 || last < first || last > 65535) {
            throw SYNTAX.invalid(first + "-" + last);
        }
    }

    /** A range of one port. */
    public static PortRange of(int port) {
        return new PortRange(port, port);
    }

    /**
     * Reads a range.
     *
     * @throws io.clusterwright.core.type.InvalidValueException when it is not as described
     */
    public static PortRange parse(String text) {
        Matcher parts = SYNTAX.pattern().matcher(text);
        if (!parts.matches()) {
            throw SYNTAX.invalid(text);
        }
        int first = Integer.parseInt(parts.group(1));
        return new PortRange(first, parts.group(2) == null ? first : Integer.parseInt(parts.group(2)));
    }

    /** Whether the port is one of these. */
    public boolean contains(int port) {
        return port >= first && port <= last;
    }

    /** Whether the two have a port in common. */
    public boolean overlaps(PortRange other) {
        return first <= other.last && other.first <= last;
    }

    /** How many ports there are. */
    public int size() {
        return last - first + 1;
    }

    /** The range as {@link #parse} reads it. */
    @Override
    public String toString() {
        return first == last ? Integer.toString(first) : first + "-" + last;
    }
}
