package io.clusterwright.azure.emulator.internal.deployments;

import com.fasterxml.jackson.databind.JsonNode;
import io.clusterwright.azure.emulator.internal.arm.ArmId;
import io.clusterwright.azure.emulator.internal.arm.Cloud;

/**
 * Finds what {@code reference} asks for among the resources.
 *
 * @param strict whether what is not there is an error; otherwise it is unknown, as before a deployment
 */
record Lookup(Cloud cloud, boolean strict) implements Scope.Lookup {
    @Override
    public JsonNode find(String id, boolean whole) {
        if (!ArmId.isResource(id)) {
            throw new TemplateException("The template function 'reference' got '" + id
                    + "'; here it needs the id of a resource, such as from resourceId()");
        }
        return cloud.store()
                .find(ArmId.parse(id))
                .<JsonNode>map(resource -> whole ? resource.body() : resource.properties())
                .orElseGet(() -> {
                    if (strict) {
                        throw new TemplateException("The resource '" + id + "' that 'reference' asks for is not there");
                    }
                    return Unknown.VALUE;
                });
    }
}
