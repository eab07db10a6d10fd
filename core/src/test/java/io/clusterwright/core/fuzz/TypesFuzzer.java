package io.clusterwright.core.fuzz;

import java.nio.charset.StandardCharsets;

/** Entry of the coverage-guided run over every type of values; see CONTRIBUTING.md. */
public final class TypesFuzzer {
    private TypesFuzzer() {}

    /** Loads classes and catalogs, which Jazzer counts as the time of no input. */
    public static void fuzzerInitialize() {
        FuzzTargets.types("");
    }

    /** One input, which Jazzer calls. */
    public static void fuzzerTestOneInput(byte[] input) {
        FuzzTargets.types(new String(input, StandardCharsets.UTF_8));
    }
}
