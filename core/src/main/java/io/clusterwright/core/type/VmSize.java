package io.clusterwright.core.type;

import java.util.Locale;

/**
 * The name of a size of machine, such as {@code Standard_HB120rs_v3}. Use it to find the facts about a size.
 *
 * <p>Kept as given, but two names that differ in case only are equal, as they are to Azure.
 *
 * @param name 1 to 64 letters, digits, '_' or '-' (the latter in sizes with fewer cores)
 * @see io.clusterwright.core.catalog.VmSizes
 */
public record VmSize(String name) {
    private static final Syntax SYNTAX = Syntax.of(
            "machine size", "[A-Za-z0-9_-]{1,64}", "1 to 64 letters, digits, '_' or '-'", "Standard_HB120rs_v3");

    /** The size of a local node, where the cluster spec gives none. */
    public static final VmSize LOCAL = new VmSize("local");

    /**
     * Checks the name.
     *
     * @throws io.clusterwright.core.type.InvalidValueException when it is not as described
     */
    public VmSize {
        SYNTAX.require(name);
    }

    /**
     * Reads a name.
     *
     * @throws io.clusterwright.core.type.InvalidValueException when it is not as described
     */
    public static VmSize of(String text) {
        return new VmSize(text);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof VmSize size && size.name.equalsIgnoreCase(name);
    }

    @Override
    public int hashCode() {
        return name.toLowerCase(Locale.ROOT).hashCode();
    }

    /** The name as {@link #of} reads it. */
    @Override
    public String toString() {
        return name;
    }
}
