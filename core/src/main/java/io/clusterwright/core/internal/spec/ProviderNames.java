package io.clusterwright.core.internal.spec;

import io.clusterwright.core.internal.text.NearestName;
import io.clusterwright.core.type.InvalidValueException;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The names of the providers of this library. A program may add providers with other names. */
public final class ProviderNames {
    private static final String AZURE = "azure";
    private static final String EMULATOR = "emulator";
    private static final List<String> KNOWN = List.of("local", AZURE, EMULATOR);

    private ProviderNames() {}

    /** Whether this library has a provider of this name. */
    public static boolean isKnown(String name) {
        return KNOWN.contains(name);
    }

    /**
     * Refuses a name that is nearly the name of a provider of this library.
     *
     * @return the name
     * @throws InvalidValueException with the name that it means
     */
    public static String requireSpelt(String name) {
        misspelt(name).ifPresent(near -> {
            throw InvalidValueException.of("there is no provider " + name, "did you mean " + near + "?");
        });
        return name;
    }

    /** The provider whose part of a spec is laid over the rest: the emulated Azure has Azure's, unless a part for it is there. */
    public static String partOf(String provider, Set<String> parts) {
        return provider.equals(EMULATOR) && !parts.contains(provider) ? AZURE : provider;
    }

    /** The known name that a misspelt name means; empty for a known name, and for a name unlike all known names. */
    public static Optional<String> misspelt(String name) {
        return isKnown(name) ? Optional.empty() : NearestName.of(name, KNOWN);
    }
}
