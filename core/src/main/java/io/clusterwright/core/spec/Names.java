package io.clusterwright.core.spec;

import java.util.Locale;

/** How the constants of enumerations are written in a description. */
final class Names {
    private Names() {}

    static String of(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
