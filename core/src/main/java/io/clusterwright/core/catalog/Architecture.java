package io.clusterwright.core.catalog;

import java.util.Locale;

/** The processors of a size: what an image has to be made for. */
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
