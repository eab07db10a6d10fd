package io.clusterwright.core.spec;

import io.clusterwright.core.internal.spec.Schemas;
import io.clusterwright.core.internal.spec.SpecPrinter;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The JSON Schema (2020-12) of a description, from the same tables that {@link SpecReader} reads by.
 *
 * <p>It lets an editor complete names and mark unknown names, wrong kinds and wrong words. It refuses nothing that the
 * reader takes; rules between fields, and the forms of values that no expression tells, are the reader's alone.
 */
public final class SpecSchema {
    /** The place of the same text on the class path and in the artifact. */
    public static final String RESOURCE = "META-INF/clusterwright/cluster-spec.schema.json";

    private SpecSchema() {}

    /** The schema as indented JSON; the same text for the same version of the library. */
    public static String json() {
        Map<String, Object> schema = new LinkedHashMap<>();
        schema.put("$schema", "https://json-schema.org/draft/2020-12/schema");
        schema.put("title", "Clusterwright cluster spec");
        schema.putAll(ClusterSpec.FIELDS.schema(false));
        Map<String, Object> overlay = new LinkedHashMap<>();
        overlay.put("description", "part of a cluster spec, for example {nodes: {count: 4}}");
        overlay.putAll(ClusterSpec.FIELDS.schema(true));
        schema.put("$defs", Schemas.of(Schemas.OVERLAY.substring("#/$defs/".length()), overlay));
        return SpecPrinter.json(schema, true);
    }
}
