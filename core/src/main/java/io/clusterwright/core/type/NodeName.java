package io.clusterwright.core.type;

import org.jspecify.annotations.Nullable;

/**
 * The name of a node: one label of a host name, without a domain. Use it to name a node of a cluster.
 *
 * <p>A label has at most 63 characters (RFC 1123); Linux itself would allow a host name of 64. Names are kept and
 * compared as they were written. They are ordered as people do it: by the text before the trailing number, then by that
 * number, so that {@code cluster9} comes before {@code cluster10}.
 *
 * @param value 1 to 63 letters, digits or '-', with a letter or digit at both ends
 * @see NodeSet
 */
public record NodeName(String value) implements Comparable<NodeName> {
    private static final Syntax SYNTAX = Syntax.of(
            "node name",
            "[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?",
            "1 to 63 letters, digits or '-', with a letter or digit at both ends",
            "cluster11");

    /**
     * Checks the name.
     *
     * @throws io.clusterwright.core.type.InvalidValueException when it is not as described
     */
    public NodeName {
        SYNTAX.require(value);
    }

    /**
     * Reads a name.
     *
     * @throws io.clusterwright.core.type.InvalidValueException when it is not as described
     */
    public static NodeName of(String text) {
        return new NodeName(text);
    }

    /** The text before the trailing number; all of it when there is no such number. */
    String prefix() {
        return value.substring(0, prefixLength());
    }

    private int prefixLength() {
        int end = value.length();
        while (end > 0 && Character.isDigit(value.charAt(end - 1))) {
            end--;
        }
        return end;
    }

    /** The trailing number as written; empty when the name ends otherwise. */
    String digits() {
        return value.substring(prefixLength());
    }

    /** The place of the trailing number without the zeros before it. */
    private int numberStart(int digits) {
        int start = digits;
        while (start < value.length() - 1 && value.charAt(start) == '0') {
            start++;
        }
        return start;
    }

    // Makes no texts, as a sort of many names compares each of them often.
    @Override
    public int compareTo(NodeName other) {
        int digits = prefixLength();
        if (digits != other.prefixLength() || !value.regionMatches(0, other.value, 0, digits)) {
            return prefix().compareTo(other.prefix());
        }
        int start = numberStart(digits);
        int otherStart = other.numberStart(digits);
        int length = value.length() - start;
        int order = Integer.compare(length, other.value.length() - otherStart);
        for (int i = 0; order == 0 && i < length; i++) {
            order = Character.compare(value.charAt(start + i), other.value.charAt(otherStart + i));
        }
        return order == 0 ? Integer.compare(value.length(), other.value.length()) : order;
    }

    /** The name as {@link #of} reads it. */
    @Override
    public String toString() {
        return value;
    }

    // Written out, as the one of a record makes classes when it is first called, which takes longer than all the rules
    // for a spec.
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof NodeName that && value.equals(that.value);
    }

    @Override
    public int hashCode() {
        return value.hashCode();
    }
}
