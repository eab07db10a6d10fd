package io.clusterwright.azure.emulator.internal.deployments;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.POJONode;

/** Stands for what a reference gives while the resource is not there yet. */
final class Unknown extends POJONode {
    static final JsonNode VALUE = new Unknown();

    private static final long serialVersionUID = 1;

    private Unknown() {
        super("unknown");
    }
}
