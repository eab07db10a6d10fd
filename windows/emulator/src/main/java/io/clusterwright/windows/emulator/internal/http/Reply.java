package io.clusterwright.windows.emulator.internal.http;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * An answer.
 *
 * @param status the HTTP status
 * @param body the text; empty for none
 * @param type its content type
 * @param headers further ones
 */
public record Reply(int status, String body, String type, Map<String, String> headers) {

    public static Reply of(int status, String body, String type) {
        return new Reply(status, body, type, Map.of());
    }

    public static Reply empty(int status) {
        return of(status, "", "");
    }

    public Reply header(String name, String value) {
        Map<String, String> all = new LinkedHashMap<>(headers);
        all.put(name, value);
        return new Reply(status, body, type, all);
    }
}
