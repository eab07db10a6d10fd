package io.clusterwright.azure.emulator.internal.http;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.clusterwright.azure.emulator.internal.arm.Answer;
import io.clusterwright.azure.emulator.internal.arm.ArmException;
import io.clusterwright.azure.emulator.internal.arm.Call;
import io.clusterwright.azure.emulator.internal.batch.BatchServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Serves one Batch account over HTTP on the loopback address. */
public final class BatchHttp implements AutoCloseable {
    private static final int BACKLOG = 64;
    private static final int THREADS = 8;

    private final BatchServer account;
    private final Optional<Recorder> recorder;
    private final HttpServer server;
    private final ExecutorService threads;

    /** @param port 0 for any that is free */
    public BatchHttp(BatchServer account, Optional<Recorder> recorder, int port) {
        this.account = account;
        this.recorder = recorder;
        this.threads = Executors.newFixedThreadPool(THREADS, work -> {
            Thread thread = new Thread(work, "batch-emulator");
            thread.setDaemon(true);
            return thread;
        });
        try {
            this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), BACKLOG);
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
        server.stop(0);
        threads.shutdownNow();
    }
}
