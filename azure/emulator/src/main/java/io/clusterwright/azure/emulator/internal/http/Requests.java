package io.clusterwright.azure.emulator.internal.http;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpExchange;
import io.clusterwright.azure.emulator.internal.arm.ArmException;
import io.clusterwright.azure.emulator.internal.arm.Call;
import io.clusterwright.azure.emulator.internal.arm.Json;
import java.io.IOException;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads requests. */
final class Requests {
    private static final int LARGEST_BODY = 8 * 1024 * 1024;

    private Requests() {}

    static Call read(HttpExchange exchange) throws IOException {
        Map<String, String> headers = new HashMap<>();
        exchange.getRequestHeaders()
                .forEach((name, values) -> headers.put(name.toLowerCase(Locale.ROOT), String.join(",", values)));
        String host = headers.getOrDefault("x-forwarded-host", headers.getOrDefault("host", "localhost"));
        String base = headers.getOrDefault("x-forwarded-proto", "http") + "://" + host;
        Map<String, String> query = new LinkedHashMap<>();
        String raw = exchange.getRequestURI().getRawQuery();
        for (String pair : raw == null || raw.isEmpty() ? new String[0] : raw.split("&")) {
            int equals = pair.indexOf('=');
            String name = decode(equals < 0 ? pair : pair.substring(0, equals));
            String value = equals < 0 ? "" : decode(pair.substring(equals + 1));
            query.put(name.replaceFirst("^\\$", "").toLowerCase(Locale.ROOT), value);
        }
        byte[] body = exchange.getRequestBody().readNBytes(LARGEST_BODY + 1);
        String path = path(exchange.getRequestURI());
        Call call = new Call(exchange.getRequestMethod(), base, path, query, headers, null);
        return body.length == 0 ? call : new Call(call.method(), base, path, query, headers, parse(body));
    }

    /** The path; clients that join an endpoint and an id send two slashes, after which a URI has an authority. */
    private static String path(URI uri) {
        String host = uri.getRawAuthority();
        return host == null || uri.getScheme() != null ? uri.getPath() : decode("/" + host) + uri.getPath();
    }

    private static @Nullable JsonNode parse(byte[] body) throws IOException {
        if (body.length > LARGEST_BODY) {
            throw ArmException.of(
                    413, "RequestContentTooLarge", "The request content must not exceed " + LARGEST_BODY + " bytes.");
        }
        try {
            return Json.MAPPER.readTree(body);
        } catch (JacksonException e) {
            throw ArmException.badRequest(
                    "InvalidRequestContent",
                    "The request content was invalid and could not be deserialized: '" + e.getOriginalMessage() + "'.");
        }
    }

    private static String decode(String text) {
        return URLDecoder.decode(text, StandardCharsets.UTF_8);
    }
}
