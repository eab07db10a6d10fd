package io.clusterwright.windows.emulator.internal.http;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.clusterwright.windows.emulator.HeadNodeFault;
import io.clusterwright.windows.emulator.SeenRequest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Serves one head node on the loopback address. */
public final class HeadNodeServer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(HeadNodeServer.class);
    private static final int LARGEST_BODY = 4 * 1024 * 1024;
    private static final String NO_DELAY = "sun.net.httpserver.nodelay";

    private final Api api;
    private final Users users;
    private final Faults faults;
    private final Optional<Recorder> recorder;
    private final HttpServer server;
    private final ExecutorService threads;
    private final ConcurrentLinkedQueue<SeenRequest> seen = new ConcurrentLinkedQueue<>();

    /** @param certificates absent for plain HTTP; @param port 0 for any that is free */
    public HeadNodeServer(
            Api api,
            Users users,
            Faults faults,
            Optional<Recorder> recorder,
            Optional<Certificates> certificates,
            int port) {
        this.api = api;
        this.users = users;
        this.faults = faults;
        this.recorder = recorder;
        // The JDK's server sends headers and body apart; without this every answer waits 40 ms for an acknowledgement.
        if (System.getProperty(NO_DELAY) == null) {
            System.setProperty(NO_DELAY, "true");
        }
        AtomicInteger count = new AtomicInteger();
        this.threads = Executors.newCachedThreadPool(work -> {
            Thread thread = new Thread(work, "hpc-pack-emulator-" + count.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        });
        try {
            InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
            if (certificates.isPresent()) {
                HttpsServer secure = HttpsServer.create(address, 0);
                secure.setHttpsConfigurator(
                        new HttpsConfigurator(certificates.get().context()));
                this.server = secure;
            } else {
                this.server = HttpServer.create(address, 0);
            }
        } catch (IOException e) {
            threads.shutdownNow();
            throw new UncheckedIOException("cannot listen on port " + port + " of the loopback address", e);
        }
        server.setExecutor(threads);
        server.createContext("/", this::handle);
        server.start();
    }

    public int port() {
        return server.getAddress().getPort();
    }

    public List<SeenRequest> seen() {
        return List.copyOf(seen);
    }

    private void handle(HttpExchange exchange) throws IOException {
        String target = exchange.getRequestURI().toString();
        try (exchange) {
            Call call = read(exchange);
            Optional<HeadNodeFault> fault = faults.next();
            if (fault.orElse(null) instanceof HeadNodeFault.Slow slow) {
                pause(slow.millis());
            }
            Reply reply = fault.flatMap(some -> instead(some, target)).orElseGet(() -> answer(call));
            boolean broken = fault.orElse(null) instanceof HeadNodeFault.ConnectionBreaks;
            seen.add(new SeenRequest(call.method(), target, broken ? 0 : reply.status()));
            if (!broken) {
                Map<String, String> headers = headers(reply);
                recorder.ifPresent(recording -> recording.record(call, target, reply, headers));
                send(exchange, reply, headers);
            }
        }
    }

    private static Optional<Reply> instead(HeadNodeFault fault, String target) {
        if (fault instanceof HeadNodeFault.Busy busy) {
            Reply reply = Reply.of(503, "The service is unavailable.", "text/plain");
            return Optional.of(
                    busy.retryAfterSeconds() < 0
                            ? reply
                            : reply.header("Retry-After", Integer.toString(busy.retryAfterSeconds())));
        }
        if (fault instanceof HeadNodeFault.Redirects redirect) {
            return Optional.of(Reply.empty(redirect.status()).header("Location", redirect.location() + target));
        }
        return Optional.empty();
    }

    private Reply answer(Call call) {
        try {
            Optional<String> user = users.of(call.headers().getOrDefault("authorization", ""));
            if (user.isEmpty()) {
                return api.error(401, "Authorization has been denied for this request.")
                        .header("WWW-Authenticate", "Basic realm=\"HPC\"");
            }
            return api.answer(call, user.get());
        } catch (HeadNodeException e) {
            return api.error(e.status(), e.getMessage());
        } catch (RuntimeException e) {
            LOG.debug("the emulator failed at {} {}", call.method(), call.segments(), e);
            return api.error(500, "The emulator failed: " + e);
        }
    }

    private static Call read(HttpExchange exchange) throws IOException {
        Map<String, String> headers = new LinkedHashMap<>();
        exchange.getRequestHeaders()
                .forEach((name, values) -> headers.put(name.toLowerCase(Locale.ROOT), String.join(",", values)));
        Map<String, String> query = new LinkedHashMap<>();
        String raw = exchange.getRequestURI().getRawQuery();
        for (String pair : raw == null || raw.isEmpty() ? new String[0] : raw.split("&")) {
            String[] parts = pair.split("=", 2);
            String name = decode(parts[0]).replaceFirst("^\\$", "").toLowerCase(Locale.ROOT);
            query.put(name, parts.length < 2 ? "" : decode(parts[1]));
        }
        List<String> segments = Arrays.stream(
                        exchange.getRequestURI().getRawPath().split("/"))
                .filter(part -> !part.isEmpty())
                .map(part -> decode(part.replace("+", "%2B")))
                .toList();
        byte[] body = exchange.getRequestBody().readNBytes(LARGEST_BODY);
        return new Call(
                exchange.getRequestMethod(), segments, query, headers, new String(body, StandardCharsets.UTF_8));
    }

    private static String decode(String text) {
        return URLDecoder.decode(text, StandardCharsets.UTF_8);
    }

    private static Map<String, String> headers(Reply reply) {
        Map<String, String> all = new LinkedHashMap<>(reply.headers());
        if (!reply.body().isEmpty()) {
            all.put("Content-Type", reply.type());
        }
        return all;
    }

    private static void send(HttpExchange exchange, Reply reply, Map<String, String> headers) throws IOException {
        headers.forEach(exchange.getResponseHeaders()::set);
        byte[] body = reply.body().getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(reply.status(), body.length == 0 ? -1 : body.length);
        if (body.length > 0) {
            exchange.getResponseBody().write(body);
        }
    }

    private static void pause(long millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
