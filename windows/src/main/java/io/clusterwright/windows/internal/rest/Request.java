package io.clusterwright.windows.internal.rest;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * A request to the head node.
 *
 * @param what what is being done, for messages, such as {@code "create a job"}
 * @param method in capitals
 * @param path from the root, encoded
 * @param query names and values, not encoded
 * @param body the text; empty for none
 * @param contentType of the body
 * @param headers further ones
 */
record Request(
        String what,
        String method,
        String path,
        Map<String, String> query,
        String body,
        String contentType,
        Map<String, String> headers) {

    static Request of(String what, String method, String root, List<String> segments) {
        String path = segments.stream().map(Request::encode).collect(Collectors.joining("/", root + "/", ""));
        return new Request(what, method, path, Map.of(), "", "", Map.of());
    }

    Request query(String name, String value) {
        Map<String, String> all = new LinkedHashMap<>(query);
        all.put(name, value);
        return new Request(what, method, path, all, body, contentType, headers);
    }

    Request body(String text, String type) {
        return new Request(what, method, path, query, text, type, headers);
    }

    Request header(String name, String value) {
        Map<String, String> all = new LinkedHashMap<>(headers);
        all.put(name, value);
        return new Request(what, method, path, query, body, contentType, all);
    }

    boolean isSafe() {
        return method.equals("GET");
    }

    /** Path and query. */
    String target() {
        return query.isEmpty()
                ? path
                : path
                        + query.entrySet().stream()
                                .map(each -> encode(each.getKey()) + "=" + encode(each.getValue()))
                                .collect(Collectors.joining("&", "?", ""));
    }

    private static String encode(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8)
                .replace("+", "%20")
                .replace("%2C", ",")
                .replace("%24", "$");
    }
}
