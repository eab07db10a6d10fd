package io.clusterwright.linux.internal.ssh;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.clusterwright.core.Command;
import io.clusterwright.core.spi.Endpoint;
import io.clusterwright.core.spi.NodeTransport.Target;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a contact costs whatever the time: connections, logins, and how often the client waits for an answer and then says more. */
@Tag("breadth")
@Timeout(value = 1, unit = TimeUnit.MINUTES)
class RoundTripsTest {
    private static final Command HOSTNAME = Command.of("hostname");
    private static final Duration SOON = Duration.ofSeconds(20);

    /** Versions, key exchange, the new keys, the service, the key asked about and used, the channel, the command, its end. */
    private static final int FIRST_CONTACT = 11;

    /** The command, and a window for more output. */
    private static final int KEPT = 2;

    @Test
    void areFewAtFirstContactAndForAKeptCommand() throws IOException {
        try (RealSshd sshd = RealSshd.start();
                Relay relay = new Relay(sshd.endpoint());
                SshTransport transport = new SshTransport();
                SshNodeSession session = (SshNodeSession) transport.connect(target(sshd, relay))) {
            session.run(HOSTNAME).orThrow();
            assertThat(relay.turns.get()).as("round trips at first contact").isBetween(4, FIRST_CONTACT);

            await().atMost(SOON).until(() -> throughAgent(session));
            int before = relay.turns.get();
            for (int i = 0; i < 10; i++) {
                session.runAgain(HOSTNAME).orThrow();
            }

            assertThat(relay.turns.get() - before)
                    .as("round trips of 10 kept commands")
                    .isBetween(10, 10 * KEPT);
            assertThat(relay.connections).hasValue(1);
            assertThat(sshd.log().lines().filter(line -> line.contains("Accepted publickey")))
                    .hasSize(1);
        }
    }

    private static boolean throughAgent(SshNodeSession session) {
        Command parent = Command.of("sh", "-c", "ps -o args= -p $PPID");
        return session.runAgain(parent).orThrow().stdout().contains("clusterwright-commands");
    }

    private static Target target(RealSshd sshd, Relay relay) {
        return new Target(
                RealSshd.NODE,
                relay::endpoint,
                RealSshd.TESTER,
                sshd.login(),
                sshd.hostKey().publicKey(),
                SOON);
    }

    /** Passes bytes on, and counts the turns of the client: its first bytes after bytes of the server. */
    private static final class Relay implements AutoCloseable {
        private final ServerSocket server = new ServerSocket(0, 8, InetAddress.getLoopbackAddress());
        private final Endpoint origin;
        private final AtomicInteger connections = new AtomicInteger();
        private final AtomicInteger turns = new AtomicInteger();
        private boolean answered = true;

        Relay(Endpoint origin) throws IOException {
            this.origin = origin;
            begin(this::accept);
        }

        Endpoint endpoint() {
            return new Endpoint("127.0.0.1", server.getLocalPort());
        }

        private static void begin(Runnable work) {
            Thread thread = new Thread(work, "relay");
            thread.setDaemon(true);
            thread.start();
        }

        private void accept() {
            while (!server.isClosed()) {
                try {
                    Socket client = server.accept();
                    Socket node = new Socket(origin.host(), origin.port());
                    connections.incrementAndGet();
                    begin(() -> pass(client, node, true));
                    begin(() -> pass(node, client, false));
                } catch (IOException e) {
                    return;
                }
            }
        }

        private void pass(Socket from, Socket to, boolean ofClient) {
            try (from;
                    to;
                    InputStream in = from.getInputStream();
                    OutputStream out = to.getOutputStream()) {
                byte[] bytes = new byte[65_536];
                for (int length = in.read(bytes); length >= 0; length = in.read(bytes)) {
                    count(ofClient);
                    out.write(bytes, 0, length);
                }
            } catch (IOException e) {
                // The other direction has closed both.
            }
        }

        private synchronized void count(boolean ofClient) {
            if (ofClient && answered) {
                turns.incrementAndGet();
            }
            answered = !ofClient;
        }

        @Override
        public void close() throws IOException {
            server.close();
        }
    }
}
