package io.clusterwright.azure.emulator.internal.http;

import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/** An HTTP server on the loopback address, with threads of its own. */
final class Loopback implements AutoCloseable {
    private static final int BACKLOG = 512;
    private static final String NO_DELAY = "sun.net.httpserver.nodelay";

    private final HttpServer server;
    private final ExecutorService threads;

    /**
     * Starts it.
     *
     * @param name of its threads
     * @param port 0 for any that is free
     */
    Loopback(String name, int port, HttpHandler handler) {
        // The JDK's server sends headers and body apart; without this every answer waits 40 ms for an acknowledgement.
        if (System.getProperty(NO_DELAY) == null) {
            System.setProperty(NO_DELAY, "true");
        }
        AtomicInteger count = new AtomicInteger();
        this.threads = Executors.newCachedThreadPool(work -> {
            Thread thread = new Thread(work, name + "-" + count.incrementAndGet());
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
        server.createContext("/", handler);
        server.start();
    }

    int port() {
        return server.getAddress().getPort();
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
