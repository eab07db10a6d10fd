package io.clusterwright.azure.emulator.internal.http;

import com.sun.net.httpserver.HttpExchange;
import io.clusterwright.azure.emulator.internal.arm.Answer;
import io.clusterwright.azure.emulator.internal.arm.ArmException;
import io.clusterwright.azure.emulator.internal.arm.Call;
import io.clusterwright.azure.emulator.internal.batch.BatchServer;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;

/** Serves one Batch account over HTTP on the loopback address. */
public final class BatchHttp implements AutoCloseable {
    private final BatchServer account;
    private final Optional<Recorder> recorder;
    private final Loopback server;

    /** @param port 0 for any that is free */
    public BatchHttp(BatchServer account, Optional<Recorder> recorder, int port) {
        this.account = account;
        this.recorder = recorder;
        this.server = new Loopback("batch-emulator", port, this::handle);
    }

    public int port() {
        return server.port();
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            Answer answer;
            try {
                Call call = Requests.read(exchange);
                answer = account.answer(call);
                recorder.ifPresent(recording -> recording.record(call, answer, Map.of()));
            } catch (ArmException e) {
                ArmServer.send(exchange, e.answer(), Map.of());
                return;
            }
            ArmServer.send(exchange, answer, Map.of());
        }
    }

    @Override
    public void close() {
        server.close();
    }
}
