package io.clusterwright.core.type;

import org.jspecify.annotations.Nullable;

/**
 * The name of a cluster, from which the names of everything made for it are derived. Use it to open, stop or destroy
 * a cluster.
 *
 * @param value 1 to 40 lower-case letters, digits or '-', with a letter or digit at both ends
 * @see io.clusterwright.core.ClusterManager
 */
public record ClusterName(String value) {
    private static final Syntax SYNTAX = Syntax.of(
            "cluster name",
            "[a-z0-9]([a-z0-9-]{0,38}[a-z0-9])?",
            "1 to 40 lower-case letters, digits or '-', with a letter or digit at both ends",
            "wing-flow");

    /**
     * Checks the name.
     *
     * @throws io.clusterwright.core.type.InvalidValueException when it is not as described
     */
    public ClusterName {
        SYNTAX.require(value);
    }

    /**
     * Reads a name.
     *
     * @throws io.clusterwright.core.type.InvalidValueException when it is not as described
     */
    public static ClusterName of(String text) {
        return new ClusterName(text);
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
        return other instanceof ClusterName that && value.equals(that.value);
    }

    @Override
    public int hashCode() {
        return value.hashCode();
    }
}
