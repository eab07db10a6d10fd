package io.clusterwright.core.catalog;

import java.util.Locale;

/**
 * The processors of a size. Use it to choose an image that is made for them.
 *
 * @see VmSizes
 */
public enum Architecture {
    /** Intel and AMD, 64 bit. */
    X64,
    /** Arm, 64 bit. */
    ARM64;

    /** The architecture as catalogs write it, such as {@code arm64}. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
