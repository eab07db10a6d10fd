package io.clusterwright.core.type;

import org.jspecify.annotations.Nullable;

/**
 * The name of a user as {@code useradd} accepts it on every distribution. Use it for the account that logs in or runs
 * jobs.
 *
 * @param value 1 to 31 lower-case letters, digits, '_' or '-', starting with a letter or '_'
 * @see io.clusterwright.core.Cluster
 */
public record UserName(String value) {
    private static final Syntax SYNTAX = Syntax.of(
            "user name",
            "[a-z_][a-z0-9_-]{0,30}",
            "1 to 31 lower-case letters, digits, '_' or '-', starting with a letter or '_'",
            "hpcuser");

    /** The superuser. */
    public static final UserName ROOT = new UserName("root");

    /**
     * Checks the name.
     *
     * @throws io.clusterwright.core.type.InvalidValueException when it is not as described
     */
    public UserName {
        SYNTAX.require(value);
    }

    /**
     * Reads a name.
     *
     * @throws io.clusterwright.core.type.InvalidValueException when it is not as described
     */
    public static UserName of(String text) {
        return new UserName(text);
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
        return other instanceof UserName that && value.equals(that.value);
    }

    @Override
    public int hashCode() {
        return value.hashCode();
    }
}
