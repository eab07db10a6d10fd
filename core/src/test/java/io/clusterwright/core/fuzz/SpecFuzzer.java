package io.clusterwright.core.fuzz;

import java.nio.charset.StandardCharsets;

/** Entry of the coverage-guided run over the reader, the rules and the writer; see CONTRIBUTING.md. */
public final class SpecFuzzer {
    private SpecFuzzer() {}

    /** Loads classes and catalogs, which Jazzer counts as the time of no input. */
    public static void fuzzerInitialize() {
        FuzzTargets.spec("");
    }

    /** One input, which Jazzer calls. */
    public static void fuzzerTestOneInput(byte[] input) {
        FuzzTargets.spec(new String(input, StandardCharsets.UTF_8));
    }
}
