package io.clusterwright.azure.emulator.internal.arm;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a client is sent.
 *
 * @param status the HTTP status
 * @param headers beside those that every answer has
 * @param body nothing, or JSON
 */
public record Answer(
        int status, Map<String, String> headers, @Nullable JsonNode body) {
    public static Answer of(int status, @Nullable JsonNode body) {
        return new Answer(status, Map.of(), body);
    }

    public static Answer ok(JsonNode body) {
        return of(200, body);
    }

    public static Answer empty(int status) {
        return of(status, null);
    }

    public Answer with(String header, String value) {
        Map<String, String> all = new LinkedHashMap<>(headers);
        all.put(header, value);
        return new Answer(status, all, body);
    }
}
