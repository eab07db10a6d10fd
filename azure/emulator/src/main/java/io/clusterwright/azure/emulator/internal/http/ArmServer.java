package io.clusterwright.azure.emulator.internal.http;

import io.clusterwright.azure.emulator.Fault;
import io.clusterwright.azure.emulator.internal.arm.ArmException;
import io.clusterwright.azure.emulator.internal.arm.BackingMachines;
import io.clusterwright.azure.emulator.internal.arm.Cloud;
import io.clusterwright.azure.emulator.internal.arm.FaultCounter;
import io.clusterwright.core.internal.concurrent.Threads;
import io.clusterwright.core.type.Secret;
import io.clusterwright.emulator.internal.http.Call;
import io.clusterwright.emulator.internal.http.HttpRefusalException;
import io.clusterwright.emulator.internal.http.LoopbackServer;
import io.clusterwright.emulator.internal.http.Recorder;
import io.clusterwright.emulator.internal.http.Reply;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Serves one cloud over HTTP on the loopback address. */
public final class ArmServer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ArmServer.class);

    private static final String DEPLOYMENTS = "/providers/microsoft.resources/deployments/";

    private final Cloud cloud;
    private final Router router;
    private final Throttle throttle;
    private final LoopbackServer server;
    private final ScheduledExecutorService timer = Threads.timer("arm-clock");

    /**
     * @param gate stands between the connections and the cloud
     * @param token the token that each request must carry; null for none
     * @param port the port; 0 for any that is free
     */
    public ArmServer(
            Cloud cloud,
            BackingMachines machines,
            boolean throttled,
            Recorder recorder,
            UnaryOperator<LoopbackServer.Service> gate,
            @Nullable Secret token,
            int port) {
        this.cloud = cloud;
        this.router = new Router(cloud, machines, recorder::record);
        this.throttle = new Throttle(cloud.clock(), throttled);
        this.server = new LoopbackServer("arm-emulator", port, null, token, recorder, gate.apply(this::answer));
        timer.scheduleWithFixedDelay(this::settle, 1, 1, TimeUnit.SECONDS);
    }

    /** Ends what is due though no client asks, such as machines whose time is over. */
    private void settle() {
        synchronized (cloud) {
            try {
                cloud.operations().settle();
            } catch (RuntimeException e) {
                LOG.debug("the emulator failed without a request", e);
            }
        }
    }

    public int port() {
        return server.port();
    }

    public List<LoopbackServer.Seen> seen() {
        return server.seen();
    }

    /** The answer; nothing when the connection is to break. */
    private Optional<Reply> answer(Call call) {
        synchronized (cloud) {
            try {
                if (call.path().toLowerCase(Locale.ROOT).contains(DEPLOYMENTS)) {
                    call.relaxedJson();
                } else {
                    call.json();
                }
                cloud.operations().settle();
                if (cloud.faults().isOutage(cloud.clock().now())) {
                    cloud.operations().notAnswered();
                    return Optional.empty();
                }
                Optional<Fault> fault = cloud.faults().take(call, FaultCounter.OF_REQUESTS);
                if (fault.isPresent()) {
                    return fail(fault.get()).map(reply -> complete(call, reply));
                }
                throttle.admit(call);
                Reply reply = complete(call, router.answer(call));
                boolean lost = cloud.faults()
                        .take(call, EnumSet.of(Fault.Kind.LOST_ANSWER))
                        .isPresent();
                return lost ? Optional.empty() : Optional.of(reply);
            } catch (ArmException e) {
                return Optional.of(complete(call, e.answer()));
            } catch (HttpRefusalException e) {
                return Optional.of(complete(call, ArmException.malformed(e).answer()));
            } catch (RuntimeException e) {
                LOG.debug("the emulator failed at {} {}", call.method(), call.path(), e);
                ArmException failure = ArmException.of("InternalServerError", e);
                return Optional.of(complete(call, failure.answer()));
            }
        }
    }

    private Optional<Reply> fail(Fault fault) {
        Fault.Kind kind = fault.kind();
        if (kind == Fault.Kind.CONNECTION_RESET) {
            return Optional.empty();
        }
        if (kind == Fault.Kind.OUTAGE) {
            cloud.faults().outageUntil(cloud.clock().now().plus(fault.delay()));
            return Optional.empty();
        }
        ArmException error = ArmException.of(kind.status(), kind.code(), kind.message());
        boolean later = kind == Fault.Kind.TOO_MANY_REQUESTS || kind == Fault.Kind.SERVICE_UNAVAILABLE;
        return Optional.of((later ? error.retryAfter(fault.delay()) : error).answer());
    }

    private Reply complete(Call call, Reply reply) {
        return withRequestId(reply.with(throttle.remaining(call)));
    }

    /** The answer with the headers that every answer of Azure has. */
    public static Reply withRequestId(Reply reply) {
        String id = UUID.randomUUID().toString();
        Map<String, String> headers = new LinkedHashMap<>();
        headers.put("x-ms-request-id", id);
        headers.put("x-ms-correlation-request-id", id);
        headers.put("x-ms-routing-request-id", "EMULATED:" + id);
        headers.put("Cache-Control", "no-cache");
        return reply.with(headers);
    }

    @Override
    public void close() {
        timer.shutdownNow();
        server.close();
    }
}
