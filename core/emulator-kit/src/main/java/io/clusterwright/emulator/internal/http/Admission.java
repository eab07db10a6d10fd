package io.clusterwright.emulator.internal.http;

import com.sun.net.httpserver.Headers;
import io.clusterwright.core.internal.json.Json;
import io.clusterwright.core.type.Secret;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Decides whether a loopback server serves a request: by its headers, before its body is read, and by the memory that all requests take. */
final class Admission {
    private static final String LOOPBACK = "(?i)(localhost|127(\\.\\d{1,3}){3}|\\[::1])";
    private static final Pattern HOST = Pattern.compile(LOOPBACK + "(:\\d{1,5})?");
    private static final long MOST_BYTES = 64L * 1024 * 1024;
    private static final String BEARER = "Bearer ";

    private final Pattern origin;
    private final @Nullable Secret token;
    private final AtomicLong taken = new AtomicLong();

    /** @param token the token that each request must carry; null for none */
    Admission(int port, @Nullable Secret token) {
        this.origin = Pattern.compile("https?://" + LOOPBACK + ":" + port);
        this.token = token;
    }

    /** The refusal of a request; empty when it is served. */
    Optional<Reply> refusal(Headers headers) {
        // A page of some web site could otherwise reach this server under a name that resolves to loopback.
        List<String> hosts = headers.getOrDefault("Host", List.of());
        if (hosts.size() != 1 || !HOST.matcher(hosts.get(0)).matches()) {
            return refused("Host " + printable(hosts) + " is not this machine's loopback.");
        }
        for (String from : headers.getOrDefault("Origin", List.of())) {
            if (!origin.matcher(from).matches()) {
                return refused("Origin " + printable(List.of(from)) + " is a web page of another server.");
            }
        }
        for (String site : headers.getOrDefault("Sec-Fetch-Site", List.of())) {
            if (!site.equals("same-origin") && !site.equals("none")) {
                return refused("The request comes from a web page of another server.");
            }
        }
        return isKnown(headers) ? Optional.empty() : Optional.of(unauthorized());
    }

    /** The memory of one request, which is given back when it is closed. */
    Memory memory() {
        return new Memory();
    }

    final class Memory implements AutoCloseable {
        private long bytes;

        /**
         * Takes more.
         *
         * @throws HttpRefusalException with status 503 when all requests together would take too much
         */
        void take(int more) {
            bytes += more;
            if (taken.addAndGet(more) > MOST_BYTES) {
                throw new HttpRefusalException(
                        503, "The requests that are served now take all of " + MOST_BYTES + " bytes. Send it later.");
            }
        }

        @Override
        public void close() {
            taken.addAndGet(-bytes);
        }
    }

    private boolean isKnown(Headers headers) {
        if (token == null) {
            return true;
        }
        List<String> sent = headers.getOrDefault("Authorization", List.of());
        String only = sent.size() == 1 ? sent.get(0) : "";
        return only.regionMatches(true, 0, BEARER, 0, BEARER.length())
                && only.length() > BEARER.length()
                && Secret.of(only.substring(BEARER.length())).equals(token);
    }

    private static Optional<Reply> refused(String message) {
        return Optional.of(Reply.text(403, message, "text/plain"));
    }

    private static Reply unauthorized() {
        var body = Json.object();
        body.putObject("error")
                .put("code", "AuthenticationFailed")
                .put(
                        "message",
                        "Authentication failed. Send the token of this emulator as 'Authorization: Bearer TOKEN'.");
        return Reply.of(401, body).with("WWW-Authenticate", "Bearer");
    }

    private static String printable(List<String> values) {
        return values.isEmpty() ? "(none)" : String.join(", ", values).replaceAll("[^ -~]", "?");
    }
}
