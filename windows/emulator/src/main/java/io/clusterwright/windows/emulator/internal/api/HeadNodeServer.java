package io.clusterwright.windows.emulator.internal.api;

import io.clusterwright.emulator.internal.http.Call;
import io.clusterwright.emulator.internal.http.HttpRefusalException;
import io.clusterwright.emulator.internal.http.LoopbackServer;
import io.clusterwright.emulator.internal.http.Recorder;
import io.clusterwright.emulator.internal.http.Reply;
import io.clusterwright.windows.emulator.internal.scheduler.HeadNodeFaults;
import io.clusterwright.windows.emulator.internal.scheduler.HeadNodeScheduler.Users;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Serves one head node on the loopback address. */
public final class HeadNodeServer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(HeadNodeServer.class);

    private final HeadNodeRoutes api;
    private final Users users;
    private final HeadNodeFaults faults;
    private final LoopbackServer server;

    /** @param tls the key of the server; null for plain HTTP */
    public HeadNodeServer(
            HeadNodeRoutes api, Users users, HeadNodeFaults faults, Recorder recorder, @Nullable SSLContext tls) {
        this.api = api;
        this.users = users;
        this.faults = faults;
        this.server = new LoopbackServer("hpc-pack-emulator", 0, tls, null, recorder, this::answer);
    }

    public int port() {
        return server.port();
    }

    public List<LoopbackServer.Seen> seen() {
        return server.seen();
    }

    private Optional<Reply> answer(Call call) {
        return faults.next()
                .map(fault -> fault.answer(call, () -> carryOut(call)))
                .orElseGet(() -> Optional.of(carryOut(call)));
    }

    private Reply carryOut(Call call) {
        try {
            Optional<String> user = users.of(call.header("authorization").orElse(""));
            if (user.isEmpty()) {
                return api.error(401, "Authorization has been denied for this request.")
                        .with("WWW-Authenticate", "Basic realm=\"HPC\"");
            }
            return api.answer(call, user.get());
        } catch (HttpRefusalException e) {
            return api.error(e.status(), e.getMessage());
        } catch (RuntimeException e) {
            LOG.debug("the emulator failed at {} {}", call.method(), call.path(), e);
            return api.error(500, "The emulator failed: " + e);
        }
    }

    @Override
    public void close() {
        server.close();
    }
}
