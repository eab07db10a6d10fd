package io.clusterwright.core.internal.spec;

/**
 * Where a part of a description stands.
 *
 * @param origin the path that a part was merged from, such as {@code on.local}; empty for a part that stands where it is
 * @param line the line, from 1; 0 when the part was not read from text
 * @param column the column, from 1; 0 when the part was not read from text
 */
public record Location(String origin, int line, int column) {
    /** The location of what was never text. */
    public static final Location NONE = new Location("", 0, 0);

    /** The location of a place in a text. */
    public static Location at(int line, int column) {
        return new Location("", line, column);
    }

    /** The same place in a part that was merged from an overlay. */
    public Location from(String newOrigin) {
        return new Location(newOrigin, line, column);
    }

    String qualify(String path) {
        return origin.isEmpty() ? path : origin + "." + path;
    }
}
