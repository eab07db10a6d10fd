package io.clusterwright.core.catalog;

import java.util.Locale;

/** A fact that is true, false, or not published. */
public enum TriState {
    /** The sources say yes. */
    YES,
    /** The sources say no. */
    NO,
    /** The sources do not say. */
    NOT_STATED;

    /** The answer as catalogs write it: {@code yes}, {@code no}, or nothing. */
    @Override
    public String toString() {
        return this == NOT_STATED ? "" : name().toLowerCase(Locale.ROOT);
    }
}
