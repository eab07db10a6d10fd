package io.clusterwright.core.spec;

import io.clusterwright.core.internal.spec.SpecPrinter;

/** Writes a description as text that {@link SpecReader} reads as an equal one. */
public final class SpecWriter {
    private SpecWriter() {}

    /** The values that are not defaults, as YAML. */
    public static String yaml(ClusterSpec spec) {
        return SpecPrinter.yaml(ClusterSpec.FIELDS.write(spec, false));
    }

    /** All values, defaults included, as YAML. */
    public static String fullYaml(ClusterSpec spec) {
        return SpecPrinter.yaml(ClusterSpec.FIELDS.write(spec, true));
    }

    /** The values that are not defaults, as JSON. */
    public static String json(ClusterSpec spec) {
        return SpecPrinter.json(ClusterSpec.FIELDS.write(spec, false), true);
    }

    /** All values, defaults included, as JSON. */
    public static String fullJson(ClusterSpec spec) {
        return SpecPrinter.json(ClusterSpec.FIELDS.write(spec, true), true);
    }
}
