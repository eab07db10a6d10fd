package io.clusterwright.azure.emulator.internal.machines;

import io.clusterwright.core.internal.concurrent.Backoff;
import io.clusterwright.core.internal.concurrent.Threads;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.function.Supplier;

/** Ports of loopback addresses, which stand for public ones, that lead to the SSH servers of nodes. */
final class SshForwarding implements AutoCloseable {
    private static final int SSH = 22;
    private static final int BACKLOG = 256;
    private static final int CONNECT_MILLIS = 5_000;
    private static final Duration FIRST_PAUSE = Duration.ofMillis(10);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1);

    private final Map<InetSocketAddress, ServerSocket> open = new HashMap<>();
    private final ExecutorService threads = Threads.unbounded("arm-ways");
    private boolean closed;

    /** Listens, unless something of this emulator does already; what is behind is asked for each connection. */
    synchronized void open(String address, int port, Supplier<Optional<String>> behind) {
        InetSocketAddress at = new InetSocketAddress(address, port);
        if (closed || open.containsKey(at)) {
            return;
        }
        try {
            ServerSocket server = new ServerSocket();
            server.setReuseAddress(true);
            server.bind(at, BACKLOG);
            open.put(at, server);
            threads.execute(() -> accept(server, behind));
        } catch (IOException e) {
            throw new IllegalStateException("cannot listen at " + at + ": " + e.getMessage(), e);
        }
    }

    /** Closes all ports of an address. */
    synchronized void close(String address) {
        open.entrySet().removeIf(entry -> {
            boolean own = entry.getKey().getHostString().equals(address);
            if (own) {
                end(entry.getValue());
            }
            return own;
        });
    }

    @Override
    public synchronized void close() {
        closed = true;
        open.values().forEach(SshForwarding::end);
        open.clear();
        threads.shutdownNow();
    }

    /** Accepts callers until the socket is closed; pauses after a failure, as this process may have no room for another connection. */
    void accept(ServerSocket server, Supplier<Optional<String>> behind) {
        Backoff pauses = pauses();
        while (!server.isClosed()) {
            try {
                Socket caller = server.accept();
                threads.execute(() -> serve(caller, behind));
                pauses = pauses();
            } catch (IOException e) {
                if (server.isClosed()) {
                    return;
                }
                try {
                    pauses.sleep();
                } catch (InterruptedException interrupted) {
                    return;
                }
            }
        }
    }

    private static Backoff pauses() {
        return new Backoff(FIRST_PAUSE, LONGEST_PAUSE);
    }

    /** A caller who is not let in is never answered, as where a packet is dropped. */
    private void serve(Socket caller, Supplier<Optional<String>> behind) {
        try (caller) {
            Optional<String> node = behind.get();
            if (node.isEmpty()) {
                caller.getInputStream().transferTo(OutputStream.nullOutputStream());
                return;
            }
            try (Socket server = new Socket()) {
                server.connect(new InetSocketAddress(node.get(), SSH), CONNECT_MILLIS);
                server.setTcpNoDelay(true);
                caller.setTcpNoDelay(true);
                threads.execute(() -> pass(server, caller));
                pass(caller, server);
            }
        } catch (IOException e) {
            // The caller sees that its connection ended.
            return;
        }
    }

    private static void pass(Socket from, Socket to) {
        try {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            in.transferTo(out);
            to.shutdownOutput();
        } catch (IOException e) {
            end(from);
            end(to);
        }
    }

    private static void end(AutoCloseable socket) {
        try {
            socket.close();
        } catch (Exception e) {
            // It is closed in any case.
            return;
        }
    }
}
