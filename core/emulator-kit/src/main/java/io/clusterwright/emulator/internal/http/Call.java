package io.clusterwright.emulator.internal.http;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import io.clusterwright.core.internal.json.Json;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One request to an emulated service. */
public final class Call {
    /** The limit of Resource Manager. */
    private static final int LARGEST_BODY = 4 * 1024 * 1024;

    private static final int PIECE = 64 * 1024;

    private final String method;
    private final String base;
    private final String target;
    private final String path;
    private final Map<String, String> query;
    private final Map<String, String> headers;
    private final byte[] bytes;
    private @Nullable JsonNode json;

    private Call(
            String method,
            String base,
            String target,
            String path,
            Map<String, String> query,
            Map<String, String> headers,
            byte[] bytes) {
        this.method = method;
        this.base = base;
        this.target = target;
        this.path = path;
        this.query = query;
        this.headers = headers;
        this.bytes = bytes;
    }

    /** A request that came over no connection: one part of a larger one. */
    public static Call of(String method, String base, String path, Map<String, String> query, JsonNode body) {
        Call call = new Call(
                method, base, path, path, query, Map.of(), Json.write(body).getBytes(StandardCharsets.UTF_8));
        call.json = body;
        return call;
    }

    /** This request with another path. */
    public Call at(String other) {
        return new Call(method, base, target, other, query, headers, bytes);
    }

    static Call read(HttpExchange exchange, Admission.Memory memory) throws IOException {
        Map<String, String> headers = new LinkedHashMap<>();
        exchange.getRequestHeaders()
                .forEach((name, values) -> headers.put(name.toLowerCase(Locale.ROOT), String.join(",", values)));
        URI uri = exchange.getRequestURI();
        String host = headers.getOrDefault("x-forwarded-host", headers.getOrDefault("host", "localhost"));
        String base = headers.getOrDefault("x-forwarded-proto", "http") + "://" + host;
        return new Call(
                exchange.getRequestMethod(),
                base,
                uri.toString(),
                path(uri),
                query(uri),
                headers,
                body(exchange, memory));
    }

    /** The parameters of a URL, as {@link #query()} has them. */
    public static Map<String, String> query(URI uri) {
        Map<String, String> query = new LinkedHashMap<>();
        String raw = uri.getRawQuery();
        for (String pair : raw == null || raw.isEmpty() ? new String[0] : raw.split("&")) {
            String[] parts = pair.split("=", 2);
            String name = decode(parts[0]).replaceFirst("^\\$", "").toLowerCase(Locale.ROOT);
            query.put(name, parts.length < 2 ? "" : decode(parts[1]));
        }
        return query;
    }

    private static byte[] body(HttpExchange exchange, Admission.Memory memory) throws IOException {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        byte[] piece = new byte[PIECE];
        int read = exchange.getRequestBody().read(piece);
        while (read >= 0) {
            if (body.size() + read > LARGEST_BODY) {
                throw new HttpRefusalException(413, "The request content must not exceed " + LARGEST_BODY + " bytes.");
            }
            memory.take(read);
            body.write(piece, 0, read);
            read = exchange.getRequestBody().read(piece);
        }
        return body.toByteArray();
    }

    /** The path; clients that join an endpoint and an id send two slashes, after which a URI has an authority. */
    private static String path(URI uri) {
        String host = uri.getRawAuthority();
        return host == null || uri.getScheme() != null ? uri.getPath() : decode("/" + host) + uri.getPath();
    }

    private static String decode(String text) {
        return URLDecoder.decode(text, StandardCharsets.UTF_8);
    }

    /** The method in capitals. */
    public String method() {
        return method;
    }

    /** Scheme, host and port by which the client reaches this server. */
    public String base() {
        return base;
    }

    /** Path and query as they were sent. */
    public String target() {
        return target;
    }

    /** The decoded path, without query. */
    public String path() {
        return path;
    }

    /** The parts of the path between the slashes. */
    public List<String> segments() {
        return Arrays.stream(path.split("/")).filter(part -> !part.isEmpty()).toList();
    }

    /** The parameters: names in lower case without a leading {@code $}, values decoded. */
    public Map<String, String> query() {
        return query;
    }

    /** The value of a parameter; empty text where it is absent. */
    public String query(String name) {
        return query.getOrDefault(name, "");
    }

    /** The value of a parameter. */
    public Optional<String> parameter(String name) {
        return Optional.ofNullable(query.get(name));
    }

    /** The headers, with names in lower case. */
    public Map<String, String> headers() {
        return headers;
    }

    /** The value of a header, by its name in lower case. */
    public Optional<String> header(String name) {
        return Optional.ofNullable(headers.get(name));
    }

    /** Whether method and path are these; {@code *} stands for any one part of the path. */
    public boolean is(String verb, String... pattern) {
        List<String> segments = segments();
        if (!method.equals(verb) || segments.size() != pattern.length) {
            return false;
        }
        for (int i = 0; i < pattern.length; i++) {
            if (!pattern[i].equals("*") && !pattern[i].equalsIgnoreCase(segments.get(i))) {
                return false;
            }
        }
        return true;
    }

    /** A part of the path that must be a number. */
    public int number(int index) {
        String part = segments().get(index);
        if (!part.matches("\\d{1,9}")) {
            throw HttpRefusalException.badRequest("The value '" + part + "' is not valid.");
        }
        return Integer.parseInt(part);
    }

    /** The body; empty where there is none. */
    public byte[] bytes() {
        return bytes.clone();
    }

    /** The body as text; empty where there is none. */
    public String text() {
        return new String(bytes, StandardCharsets.UTF_8);
    }

    /**
     * The body as JSON; a missing node where there is none. Read once: changes to the tree are kept.
     *
     * @throws HttpRefusalException when it is not JSON
     */
    public JsonNode json() {
        return json(Json.MAPPER);
    }

    /** The same for a body that may have comments and names without quotes, as a template may. */
    public JsonNode relaxedJson() {
        return json(Json.RELAXED);
    }

    private JsonNode json(ObjectMapper mapper) {
        if (json == null) {
            try {
                json = mapper.readTree(text());
            } catch (JsonProcessingException e) {
                throw HttpRefusalException.badRequest(e.getOriginalMessage());
            }
        }
        return json;
    }

    /**
     * The body, which must be a JSON object.
     *
     * @throws HttpRefusalException when it is not
     */
    public ObjectNode object() {
        if (json() instanceof ObjectNode object) {
            return object;
        }
        throw HttpRefusalException.badRequest("an object is expected.");
    }

    /** The body, or an empty object where there is none. */
    public ObjectNode objectOrEmpty() {
        return json() instanceof ObjectNode object ? object : Json.object();
    }
}
