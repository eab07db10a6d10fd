package io.clusterwright.azure.emulator.internal.machines;

import io.clusterwright.emulator.internal.http.Call;
import io.clusterwright.emulator.internal.http.LoopbackServer;
import io.clusterwright.emulator.internal.http.Recorder;
import io.clusterwright.emulator.internal.http.Reply;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Serves the consoles of machines over HTTP on the loopback address, to holders of a signature, for a time. Starts when it is needed. */
final class ConsoleLogs implements AutoCloseable {
    private static final String NAME = "serialconsole.log";

    private final Map<String, Log> logs = new ConcurrentHashMap<>();
    private @Nullable LoopbackServer server;

    private record Log(Instant end, Supplier<Optional<String>> content) {}

    /** The address of a console, with a signature that is valid for this time. */
    synchronized URI url(Duration valid, Supplier<Optional<String>> content) {
        LoopbackServer here = server;
        if (here == null) {
            here = new LoopbackServer(
                    "console-emulator", 0, null, null, new Recorder(null), call -> Optional.of(answer(call)));
            server = here;
        }
        logs.values().removeIf(log -> log.end().isBefore(Instant.now()));
        String signature = UUID.randomUUID().toString();
        logs.put(signature, new Log(Instant.now().plus(valid), content));
        return URI.create("http://127.0.0.1:" + here.port() + "/" + NAME + "?sr=b&sp=r&sig=" + signature);
    }

    private Reply answer(Call call) {
        Log log = logs.get(call.query("sig"));
        if (log == null || log.end().isBefore(Instant.now())) {
            return Reply.text(403, "AuthenticationFailed", "text/plain");
        }
        if (!call.method().equals("GET") || !call.path().equals("/" + NAME)) {
            return Reply.text(403, "AuthorizationPermissionMismatch", "text/plain");
        }
        return log.content()
                .get()
                .map(text -> Reply.file(text.getBytes(StandardCharsets.UTF_8)))
                .orElseGet(() -> Reply.text(404, "BlobNotFound", "text/plain"));
    }

    @Override
    public synchronized void close() {
        if (server != null) {
            server.close();
        }
    }
}
