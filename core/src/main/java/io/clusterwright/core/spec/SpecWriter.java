package io.clusterwright.core.spec;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.clusterwright.core.internal.spec.TreeWriter;
import java.io.UncheckedIOException;

/** Writes a description as text that {@link SpecReader} reads as an equal one. */
public final class SpecWriter {
    private static final ObjectMapper MAPPER = new ObjectMapper();

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

    /** What is not a default, as a tree of JSON, for those who look at parts of it. */
    public static JsonNode tree(ClusterSpec spec) {
        try {
            return MAPPER.readTree(json(spec));
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException("a description was written as JSON that cannot be read", e);
        }
    }

    /** Everything that has a value, defaults included, as JSON. */
    public static String fullJson(ClusterSpec spec) {
        return TreeWriter.json(ClusterCodec.CODEC.write(spec, true), true);
    }
}
