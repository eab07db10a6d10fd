package io.clusterwright.core.spec;

import io.clusterwright.core.internal.spec.TreeWriter;

/** Writes a description as text that {@link SpecReader} reads as an equal one. */
public final class SpecWriter {
    private SpecWriter() {}

    /** What is not a default, as YAML. */
    public static String yaml(ClusterSpec spec) {
        return TreeWriter.yaml(ClusterCodec.CODEC.write(spec, false));
    }

    /** Everything that has a value, defaults included, as YAML. */
    public static String fullYaml(ClusterSpec spec) {
        return TreeWriter.yaml(ClusterCodec.CODEC.write(spec, true));
    }

    /** What is not a default, as JSON. */
    public static String json(ClusterSpec spec) {
        return TreeWriter.json(ClusterCodec.CODEC.write(spec, false), true);
    }

    /** Everything that has a value, defaults included, as JSON. */
    public static String fullJson(ClusterSpec spec) {
        return TreeWriter.json(ClusterCodec.CODEC.write(spec, true), true);
    }
}
