package io.clusterwright.core.internal.spec;

import io.clusterwright.core.internal.text.NearestName;
import java.util.List;
import java.util.Optional;

/** The names of the providers of this library. A program may add providers with other names. */
public final class ProviderNames {
    private static final List<String> KNOWN = List.of("local", "azure", "emulator");

    private ProviderNames() {}

    /** Whether this library has a provider of this name. */
    public static boolean isKnown(String name) {
        return KNOWN.contains(name);
    }

    /** The known name that a misspelt name means; empty for a known name, and for a name unlike all known names. */
    public static Optional<String> misspelt(String name) {
        return isKnown(name) ? Optional.empty() : NearestName.of(name, KNOWN);
    }
}
