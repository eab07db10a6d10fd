package io.clusterwright.emulator.internal.http;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.clusterwright.core.internal.concurrent.Tasks;
import io.clusterwright.core.internal.concurrent.Threads;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.core.type.Secret;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/** An HTTP or HTTPS server on the loopback address that serves one emulated service to clients of this machine. */
public final class LoopbackServer implements AutoCloseable {
    private static final int BACKLOG = 512;
    private static final int TOKEN_BYTES = 32;
    private static final int MOST_SEEN = 20_000;

    /**
     * Settings of the JDK's server, which it reads once. It sends headers and body apart; without "nodelay" every answer waits 40 ms for an
     * acknowledgement. The others bound the headers of a request, the seconds until a request has arrived and an answer is taken, and the
     * connections at a time.
     */
    private static final Map<String, String> LIMITS = Map.of(
            "sun.net.httpserver.nodelay", "true",
            "sun.net.httpserver.maxReqHeaders", "100",
            "sun.net.httpserver.maxReqHeaderSize", "65536",
            "sun.net.httpserver.maxReqTime", "10",
            "sun.net.httpserver.maxRspTime", "300",
            "jdk.httpserver.maxConnections", "2000");

    private final Service service;
    private final Recorder recorder;
    private final Admission admission;
    private final HttpServer server;
    private final ExecutorService threads;
    private final long started = System.nanoTime();
    private final Deque<Seen> seen = new ArrayDeque<>();

    /**
     * Starts a server.
     *
     * @param name the name of its threads
     * @param port the port; 0 for any that is free
     * @param tls the key and certificate; null for plain HTTP
     * @param token the token that each request must carry; null where none is needed
     * @throws ClusterwrightException when the port is taken
     */
    public LoopbackServer(
            String name,
            int port,
            @Nullable SSLContext tls,
            @Nullable Secret token,
            Recorder recorder,
            Service service) {
        this.service = service;
        this.recorder = recorder;
        LIMITS.forEach((setting, value) -> {
            if (System.getProperty(setting) == null) {
                System.setProperty(setting, value);
            }
        });
        try {
            this.server = listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), tls);
        } catch (IOException e) {
            throw new ClusterwrightException(
                    "Cannot listen on port " + port + " of the loopback address: " + e.getMessage()
                            + ". Choose another port, or 0 for any that is free.",
                    e);
        }
        this.admission = new Admission(port(), token);
        this.threads = Threads.unbounded(name);
        server.setExecutor(threads);
        server.createContext("/", this::handle);
        // The server's own thread is a daemon where the thread that starts it is one.
        Tasks.uninterruptibly(() -> {
            server.start();
            return server;
        });
    }

    /** A token that each request to a server must carry. */
    public static Secret randomToken() {
        byte[] bytes = new byte[TOKEN_BYTES];
        new SecureRandom().nextBytes(bytes);
        return Secret.of(HexFormat.of().formatHex(bytes));
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

    /** The last 20,000 requests that were let in, in the order of their answers. */
    public List<Seen> seen() {
        synchronized (seen) {
            return List.copyOf(seen);
        }
    }

    private void see(Call call, Optional<Reply> reply) {
        Duration at = Duration.ofNanos(System.nanoTime() - started);
        synchronized (seen) {
            if (seen.size() == MOST_SEEN) {
                seen.removeFirst();
            }
            seen.addLast(new Seen(call.method(), call.target(), call.path(), reply.map(Reply::status), at));
        }
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            Optional<Reply> refusal = admission.refusal(exchange.getRequestHeaders());
            if (refusal.isPresent()) {
                refuse(exchange, refusal.get());
                return;
            }
            try (Admission.Memory memory = admission.memory()) {
                Call call = Call.read(exchange, memory);
                Optional<Reply> reply = service.answer(call);
                see(call, reply);
                if (reply.isPresent()) {
                    recorder.record(call, reply.get());
                    send(exchange, reply.get());
                }
            } catch (HttpRefusalException e) {
                refuse(exchange, Reply.text(e.status(), e.getMessage(), "text/plain"));
            }
        }
    }

    /** Answers without having read the whole request; the rest of it is not read either. */
    private static void refuse(HttpExchange exchange, Reply reply) throws IOException {
        send(exchange, reply.with("Connection", "close"));
    }

    private static void send(HttpExchange exchange, Reply reply) throws IOException {
        // Tells a client that this is no service of somebody else.
        exchange.getResponseHeaders().set("Server", "Clusterwright");
        reply.headers().forEach(exchange.getResponseHeaders()::set);
        if (reply.body() == null || exchange.getRequestMethod().equals("HEAD")) {
            exchange.sendResponseHeaders(reply.status(), -1);
            return;
        }
        byte[] body = reply.content();
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
