package io.clusterwright.azure.emulator.internal.http;

import com.sun.net.httpserver.HttpExchange;
import io.clusterwright.azure.emulator.Fault;
import io.clusterwright.azure.emulator.FaultKind;
import io.clusterwright.azure.emulator.SeenRequest;
import io.clusterwright.azure.emulator.internal.arm.Answer;
import io.clusterwright.azure.emulator.internal.arm.ArmException;
import io.clusterwright.azure.emulator.internal.arm.Call;
import io.clusterwright.azure.emulator.internal.arm.Cloud;
import io.clusterwright.azure.emulator.internal.arm.Faults;
import io.clusterwright.azure.emulator.internal.arm.Json;
import io.clusterwright.azure.emulator.internal.arm.Machines;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Serves one cloud over HTTP on the loopback address. */
public final class ArmServer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ArmServer.class);

    private final Cloud cloud;
    private final Router router;
    private final Throttle throttle;
    private final Optional<Recorder> recorder;
    private final Loopback server;
    private final long started = System.nanoTime();
    private final ConcurrentLinkedQueue<SeenRequest> seen = new ConcurrentLinkedQueue<>();

    /** @param port 0 for any that is free */
    public ArmServer(Cloud cloud, Machines machines, boolean throttled, Optional<Recorder> recorder, int port) {
        this.cloud = cloud;
        this.router = new Router(
                cloud,
                new HandlerTable(
                        cloud,
                        machines,
                        (call, answer) -> recorder.ifPresent(recording -> recording.record(call, answer, Map.of()))));
        this.throttle = new Throttle(cloud.clock(), throttled);
        this.recorder = recorder;
        this.server = new Loopback("arm-emulator", port, this::handle);
    }

    public int port() {
        return server.port();
    }

    public List<SeenRequest> seen() {
        return List.copyOf(seen);
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            Call call;
            try {
                call = Requests.read(exchange);
            } catch (ArmException e) {
                send(exchange, e.answer(), Map.of());
                return;
            }
            Optional<Answer> answer = answer(call);
            seen.add(new SeenRequest(
                    call.method(),
                    call.path(),
                    answer.map(Answer::status).orElse(0),
                    Duration.ofNanos(System.nanoTime() - started)));
            if (answer.isPresent()) {
                Map<String, String> budget = throttle.remaining(call);
                recorder.ifPresent(recording -> recording.record(call, answer.get(), budget));
                send(exchange, answer.get(), budget);
            }
        }
    }

    /** The answer; nothing when the connection is to break. */
    private Optional<Answer> answer(Call call) {
        synchronized (cloud) {
            try {
                cloud.operations().settle();
                Optional<Fault> fault = cloud.faults().take(call, Faults.OF_REQUESTS);
                if (fault.isPresent()) {
                    return fail(fault.get());
                }
                throttle.admit(call);
                return Optional.of(router.answer(call));
            } catch (ArmException e) {
                return Optional.of(e.answer());
            } catch (RuntimeException e) {
                LOG.debug("the emulator failed at {} {}", call.method(), call.path(), e);
                return Optional.of(ArmException.of(500, "InternalServerError", "The emulator failed: " + e)
                        .answer());
            }
        }
    }

    private static Optional<Answer> fail(Fault fault) {
        FaultKind kind = fault.kind();
        if (kind == FaultKind.CONNECTION_RESET) {
            return Optional.empty();
        }
        ArmException error = ArmException.of(kind.status(), kind.code(), kind.message());
        boolean later = kind == FaultKind.TOO_MANY_REQUESTS || kind == FaultKind.SERVICE_UNAVAILABLE;
        return Optional.of((later ? error.retryAfter(fault.delay()) : error).answer());
    }

    static void send(HttpExchange exchange, Answer answer, Map<String, String> budget) throws IOException {
        String id = UUID.randomUUID().toString();
        var headers = exchange.getResponseHeaders();
        headers.set("x-ms-request-id", id);
        headers.set("x-ms-correlation-request-id", id);
        headers.set("x-ms-routing-request-id", "EMULATED:" + id);
        headers.set("Cache-Control", "no-cache");
        budget.forEach(headers::set);
        answer.headers().forEach(headers::set);
        if (answer.body() == null || exchange.getRequestMethod().equals("HEAD")) {
            exchange.sendResponseHeaders(answer.status(), -1);
            return;
        }
        boolean raw = answer.headers().containsKey("Content-Type");
        byte[] body = raw
                ? answer.body().asText().getBytes(StandardCharsets.UTF_8)
                : Json.MAPPER.writeValueAsBytes(answer.body());
        if (!raw) {
            headers.set("Content-Type", "application/json; charset=utf-8");
        }
        exchange.sendResponseHeaders(answer.status(), body.length);
        exchange.getResponseBody().write(body);
    }

    @Override
    public void close() {
        server.close();
    }
}
