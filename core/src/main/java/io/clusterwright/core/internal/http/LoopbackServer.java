package io.clusterwright.core.internal.http;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.clusterwright.core.internal.concurrent.Threads;
import io.clusterwright.core.internal.json.Json;
import io.clusterwright.core.type.ClusterwrightException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.regex.Pattern;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/** An HTTP or HTTPS server on the loopback address that serves one emulated service to clients of this machine. */
public final class LoopbackServer implements AutoCloseable {
    private static final int BACKLOG = 512;
    private static final String NO_DELAY = "sun.net.httpserver.nodelay";
    private static final Pattern LOOPBACK = Pattern.compile("(?i)(localhost|127(\\.\\d{1,3}){3}|\\[::1])(:\\d+)?");

    private final Service service;
    private final Recorder recorder;
    private final HttpServer server;
    private final ExecutorService threads;
    private final long started = System.nanoTime();
    private final ConcurrentLinkedQueue<Seen> seen = new ConcurrentLinkedQueue<>();

    /**
     * Starts a server.
     *
     * @param name the name of its threads
     * @param port the port; 0 for any that is free
     * @param tls the key and certificate; null for plain HTTP
     * @throws ClusterwrightException when the port is taken
     */
    public LoopbackServer(String name, int port, @Nullable SSLContext tls, Recorder recorder, Service service) {
        this.service = service;
        this.recorder = recorder;
        // The JDK's server sends headers and body apart; without this every answer waits 40 ms for an acknowledgement.
        if (System.getProperty(NO_DELAY) == null) {
            System.setProperty(NO_DELAY, "true");
        }
        try {
            this.server = listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), tls);
        } catch (IOException e) {
            throw new ClusterwrightException(
                    "Cannot listen on port " + port + " of the loopback address: " + e.getMessage()
                            + ". Choose another port, or 0 for any that is free.",
                    e);
        }
        this.threads = Threads.unbounded(name);
        server.setExecutor(threads);
        server.createContext("/", this::handle);
        server.start();
    }

    private static HttpServer listen(InetSocketAddress address, @Nullable SSLContext tls) throws IOException {
        if (tls == null) {
            return HttpServer.create(address, BACKLOG);
        }
        HttpsServer secure = HttpsServer.create(address, BACKLOG);
        secure.setHttpsConfigurator(new HttpsConfigurator(tls));
        return secure;
    }

    /** The port it listens on. */
    public int port() {
        return server.getAddress().getPort();
    }

    /** The requests so far, in the order of their answers. */
    public List<Seen> seen() {
        return List.copyOf(seen);
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            String host = exchange.getRequestHeaders().getFirst("Host");
            // A page of some web site could otherwise reach this server under a name that resolves to loopback.
            if (host != null && !LOOPBACK.matcher(host).matches()) {
                send(exchange, Reply.text(403, "Host " + host + " is not this machine's loopback.", "text/plain"));
                return;
            }
            Call call;
            try {
                call = Call.read(exchange);
            } catch (HttpRefusalException e) {
                send(exchange, Reply.text(e.status(), e.getMessage(), "text/plain"));
                return;
            }
            Optional<Reply> reply = service.answer(call);
            Duration at = Duration.ofNanos(System.nanoTime() - started);
            seen.add(new Seen(call.method(), call.target(), call.path(), reply.map(Reply::status), at));
            if (reply.isPresent()) {
                recorder.record(call, reply.get());
                send(exchange, reply.get());
            }
        }
    }

    private static void send(HttpExchange exchange, Reply reply) throws IOException {
        reply.headers().forEach(exchange.getResponseHeaders()::set);
        if (reply.body() == null || exchange.getRequestMethod().equals("HEAD")) {
            exchange.sendResponseHeaders(reply.status(), -1);
            return;
        }
        byte[] body = reply.isPlain()
                ? reply.body().asText().getBytes(StandardCharsets.UTF_8)
                : Json.MAPPER.writeValueAsBytes(reply.body());
        if (!reply.isPlain()) {
            exchange.getResponseHeaders().set("Content-Type", "application/json; charset=utf-8");
        }
        exchange.sendResponseHeaders(reply.status(), body.length == 0 ? -1 : body.length);
        exchange.getResponseBody().write(body);
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }

    /** The service behind a server; called by several threads. */
    @FunctionalInterface
    public interface Service {
        /** The answer to a request; empty to break the connection instead. */
        Optional<Reply> answer(Call call);
    }

    /**
     * A request that was answered.
     *
     * @param method the method in capitals
     * @param target path and query as they were sent
     * @param path the decoded path
     * @param status the HTTP status; empty when the connection was broken instead
     * @param at the time of the answer, counted from the start of the server
     */
    public record Seen(String method, String target, String path, Optional<Integer> status, Duration at) {}
}
