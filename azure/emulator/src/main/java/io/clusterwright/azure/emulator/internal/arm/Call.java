package io.clusterwright.azure.emulator.internal.arm;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One request.
 *
 * @param method in capitals
 * @param base scheme, host and port by which the client reaches this server
 * @param path decoded, without query
 * @param query names in lower case, without a leading {@code $}
 * @param headers names in lower case
 * @param body nothing, or JSON
 */
public record Call(
        String method,
        String base,
        String path,
        Map<String, String> query,
        Map<String, String> headers,
        @Nullable JsonNode body) {
    public String apiVersion() {
        return query.getOrDefault("api-version", "");
    }

    public Optional<String> header(String name) {
        return Optional.ofNullable(headers.get(name));
    }

    public Optional<String> parameter(String name) {
        return Optional.ofNullable(query.get(name));
    }

    /** The body, which must be an object. */
    public ObjectNode object() {
        if (body instanceof ObjectNode object) {
            return object;
        }
        throw ArmException.badRequest(
                "InvalidRequestContent",
                "The request content was invalid and could not be deserialized: an object is expected.");
    }

    /** The body, or an empty object where there is none. */
    public ObjectNode objectOrEmpty() {
        return body instanceof ObjectNode object ? object : Json.object();
    }
}
