package io.clusterwright.windows.internal.rest;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** A request to a head node, put together part by part, then sent and its answer read. Not safe for use by several threads. */
public final class HeadNodeRequest {
    private static final String CONTINUATION = "x-ms-continuation-queryId";
    private static final int MOST_PAGES = 1000;

    final String what;
    final String method;
    /** From the root, encoded. */
    final String path;

    final Map<String, String> headers = new LinkedHashMap<>();
    private final HeadNodeRest rest;
    private final Map<String, String> query = new LinkedHashMap<>();
    private String body = "";

    HeadNodeRequest(HeadNodeRest rest, String what, String method, String path) {
        this.rest = rest;
        this.what = what;
        this.method = method;
        this.path = path;
    }

    /** Adds a parameter, whose name is spelled as in the generation; another value of it takes its place. */
    public HeadNodeRequest query(String name, String value) {
        query.put(rest.spelled(name), value);
        return this;
    }

    /** Gives it names and values. */
    public HeadNodeRequest body(Map<String, String> properties) {
        return rawBody(rest.form().write(properties));
    }

    /** Gives it one text. */
    public HeadNodeRequest body(String text) {
        return rawBody(rest.form().write(text));
    }

    /** Gives it a body as it stands. */
    public HeadNodeRequest rawBody(String text) {
        body = text;
        return this;
    }

    String body() {
        return body;
    }

    String contentType() {
        return rest.form().type();
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

    static String encode(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8)
                .replace("+", "%20")
                .replace("%2C", ",")
                .replace("%24", "$");
    }

    /** Sends it; an answer that is no success becomes an exception. */
    public void send() {
        rest.http().succeed(this);
    }

    /** The number that is its answer. */
    public int number() {
        return rest.form().number(this, rest.http().succeed(this));
    }

    /** The names and values that are its answer. */
    public HeadNodeRow properties() {
        return rest.form().properties(this, rest.http().succeed(this));
    }

    /** The texts that are its answer. */
    public List<String> texts() {
        return rest.form().texts(this, rest.http().succeed(this));
    }

    /** The rows that are its answer. */
    public List<HeadNodeRow> rows() {
        return rest.form().rows(this, rest.http().succeed(this));
    }

    /** The tree that is its answer, of the generations that speak JSON. */
    public JsonNode json() {
        return JsonText.read(this, rest.http().succeed(this));
    }

    /** The rows of all pages. */
    public List<HeadNodeRow> pages() {
        List<HeadNodeRow> all = new ArrayList<>();
        if (!rest.is2012()) {
            query("rowsPerRead", "100");
        }
        for (int page = 0; page < MOST_PAGES; page++) {
            HeadNodeHttp.Answer answer = rest.http().succeed(this);
            all.addAll(rest.form().rows(this, answer));
            Optional<String> next = answer.header(CONTINUATION).filter(text -> !text.isBlank());
            if (next.isEmpty()) {
                break;
            }
            query("queryId", next.get());
        }
        return all;
    }
}
