package io.clusterwright.emulator.internal.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.BinaryNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.clusterwright.core.internal.json.Json;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An answer of an emulated service.
 *
 * @param status the HTTP status
 * @param headers its headers; {@code Content-Type} only where the body is not JSON
 * @param body the body, or null for none
 */
public record Reply(
        int status, Map<String, String> headers, @Nullable JsonNode body) {
    private static final String CONTENT_TYPE = "Content-Type";

    /** An answer with a JSON body, or null for none. */
    public static Reply of(int status, @Nullable JsonNode body) {
        return new Reply(status, Map.of(), body);
    }

    /** Status 200 with a JSON body. */
    public static Reply ok(JsonNode body) {
        return of(200, body);
    }

    /** An answer without a body. */
    public static Reply empty(int status) {
        return of(status, null);
    }

    /** An answer with a text that is not JSON. */
    public static Reply text(int status, String text, String contentType) {
        return of(status, TextNode.valueOf(text)).with(CONTENT_TYPE, contentType);
    }

    /** Status 200 with a file. */
    public static Reply file(byte[] content) {
        return of(200, BinaryNode.valueOf(content)).with(CONTENT_TYPE, "application/octet-stream");
    }

    /** Adds a header. */
    public Reply with(String header, String value) {
        return with(Map.of(header, value));
    }

    /** Adds headers. */
    public Reply with(Map<String, String> more) {
        Map<String, String> all = new LinkedHashMap<>(headers);
        all.putAll(more);
        return new Reply(status, all, body);
    }

    /** Whether the body is sent as the text or file that it is, and not as JSON. */
    boolean isPlain() {
        return headers.containsKey(CONTENT_TYPE);
    }

    /** The body as it is sent; empty where there is none. */
    byte[] content() throws IOException {
        if (body == null) {
            return new byte[0];
        }
        if (body instanceof BinaryNode file) {
            return file.binaryValue();
        }
        return isPlain() ? body.asText().getBytes(StandardCharsets.UTF_8) : Json.MAPPER.writeValueAsBytes(body);
    }
}
