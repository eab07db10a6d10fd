package io.clusterwright.linux.internal.ssh;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import io.clusterwright.core.Command;
import io.clusterwright.core.NodeSession;
import io.clusterwright.core.NodeUnreachableException;
import io.clusterwright.core.internal.session.SessionsClosedException;
import io.clusterwright.core.spi.Endpoint;
import io.clusterwright.core.spi.NodeTransport.Target;
import io.clusterwright.core.spi.SshKeyPair;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.core.type.OperationInterruptedException;
import io.clusterwright.core.type.SshPublicKey;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("breadth")
class SshTransportTest {
    private static RealSshd sshd;
    private static SshTransport transport;

    @BeforeAll
    static void start() {
        sshd = RealSshd.start();
        transport = new SshTransport();
    }

    @AfterAll
    static void stop() throws IOException {
        transport.close();
        sshd.close();
    }

    @Test
    void runsACommandAsTheUserOfTheTarget() {
        try (NodeSession session = sshd.connect(transport)) {
            assertThat(session.run(Command.of("id", "-un")).orThrow().stdout()).isEqualTo("tester\n");
            assertThat(session.user()).isEqualTo(RealSshd.TESTER);
            assertThat(session.node()).isEqualTo(RealSshd.NODE);
        }
    }

    @Test
    void dialsTheCurrentAddressOfTheSupplier() {
        Target moved =
                target(() -> sshd.endpoint(), sshd.login(), sshd.hostKey().publicKey(), Duration.ofSeconds(10));
        try (NodeSession session = transport.connect(moved)) {
            assertThat(session.run(Command.of("true")).succeeded()).isTrue();
        }
    }

    @Test
    void asksAServerWithSeveralHostKeysForThePinnedOne() {
        Target target = target(sshd::endpoint, sshd.login(), sshd.ecdsaHostKey(), Duration.ofSeconds(10));
        try (NodeSession session = transport.connect(target)) {
            assertThat(session.run(Command.of("hostname")).orThrow().stdout()).isEqualTo("loop1\n");
        }
    }

    @Test
    void opensNothingOnceItIsClosed() {
        SshTransport closed = new SshTransport();
        NodeSession session = sshd.connect(closed);
        closed.close();

        assertThatThrownBy(() -> sshd.connect(closed))
                .isInstanceOf(SessionsClosedException.class)
                .hasMessage("there is no connection to loop1: the cluster has been closed; open it again");
        assertThatThrownBy(() -> session.run(Command.of("true"))).isInstanceOf(ClusterwrightException.class);
        assertThatThrownBy(() -> session.write(new byte[1], "/tmp/never", 0600))
                .isInstanceOf(ClusterwrightException.class);
        assertThatThrownBy(() -> closed.shownKey(sshd.endpoint(), Duration.ofSeconds(5)))
                .isInstanceOf(ClusterwrightException.class)
                .hasMessageEndingWith("the transport has been closed");
    }

    @Test
    void warmsUpWithoutAFailure() {
        assertThatCode(SshWarmUp::prepare).doesNotThrowAnyException();
    }

    @Nested
    class ANodeThatCannotBeReached {

        @Test
        void reportsAnotherHostKeyWithBothFingerprints() {
            SshPublicKey expected = Ed25519Keys.generate("another").publicKey();
            Target target = target(sshd::endpoint, sshd.login(), expected, Duration.ofSeconds(10));

            assertThatThrownBy(() -> transport.connect(target))
                    .isInstanceOf(NodeUnreachableException.class)
                    .hasMessageContaining("cannot reach loop1 at " + sshd.endpoint())
                    .hasMessageContaining("expected ssh-ed25519 " + expected.fingerprint())
                    .hasMessageContaining(
                            "shown ssh-ed25519 " + sshd.hostKey().publicKey().fingerprint())
                    .hasMessageContaining("find out why before you continue");
        }

        @Test
        void reportsADeniedLoginWithItsKey() {
            SshKeyPair stranger = Ed25519Keys.generate("stranger");
            Target target = target(sshd::endpoint, stranger, sshd.hostKey().publicKey(), Duration.ofSeconds(10));

            assertThatThrownBy(() -> transport.connect(target))
                    .isInstanceOf(NodeUnreachableException.class)
                    .hasMessageContaining("permission denied for user tester")
                    .hasMessageContaining(stranger.publicKey().fingerprint())
                    .hasMessageContaining("authorized_keys")
                    .hasMessageNotContaining(stranger.privateKey().reveal());
        }

        @Test
        void reportsARefusedConnection() throws IOException {
            int port;
            try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
                port = free.getLocalPort();
            }
            assertThatThrownBy(() -> transport.connect(to(new Endpoint("127.0.0.1", port))))
                    .isInstanceOf(NodeUnreachableException.class)
                    .hasMessageContaining("connection refused")
                    .hasMessageContaining("no SSH server listens");
        }

        @Test
        void reportsAMissingRoute() {
            // 255.255.255.255 is routed nowhere, by any machine.
            assertThatThrownBy(() -> transport.connect(to(new Endpoint("255.255.255.255", 22))))
                    .isInstanceOf(NodeUnreachableException.class)
                    .hasMessageContaining("no route to the node");
        }

        @Test
        void reportsASilentHostWithTheTimeout() throws IOException {
            try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
                Target target = target(
                        () -> new Endpoint("127.0.0.1", silent.getLocalPort()),
                        sshd.login(),
                        sshd.hostKey().publicKey(),
                        Duration.ofMillis(300));
                assertThatThrownBy(() -> transport.connect(target))
                        .isInstanceOf(NodeUnreachableException.class)
                        .hasMessageContaining("connected, but not logged in within the session timeout of 300 ms");
            }
        }

        @Test
        void reportsAConnectionClosedBeforeTheLogin() throws Exception {
            try (ServerSocket rude = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
                Thread hangUp = new Thread(() -> acceptAndClose(rude));
                hangUp.start();
                assertThatThrownBy(() -> transport.connect(to(new Endpoint("127.0.0.1", rude.getLocalPort()))))
                        .isInstanceOf(NodeUnreachableException.class)
                        .hasMessageContaining("ended the connection before the login");
                hangUp.join();
            }
        }

        @Test
        void anInterruptEndsTheConnectionAttempt() throws IOException {
            try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
                Thread.currentThread().interrupt();
                assertThatThrownBy(() -> transport.connect(to(new Endpoint("127.0.0.1", silent.getLocalPort()))))
                        .isInstanceOf(OperationInterruptedException.class);
                assertThat(Thread.interrupted()).isTrue();
            }
        }
    }

    @Test
    void anInterruptEndsTheWaitForAHostKey() throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Endpoint endpoint = new Endpoint("127.0.0.1", silent.getLocalPort());
            CompletableFuture<Throwable> thrown = new CompletableFuture<>();
            Thread asking = new Thread(
                    () -> thrown.complete(catchThrowable(() -> transport.shownKey(endpoint, Duration.ofMinutes(1)))));
            asking.start();
            try (Socket accepted = silent.accept()) {
                assertThat(accepted.isConnected()).isTrue();
                await().until(() -> asking.getState() == Thread.State.TIMED_WAITING
                        && Arrays.stream(asking.getStackTrace())
                                .noneMatch(frame -> frame.getMethodName().equals("connect")));
                asking.interrupt();

                assertThat(thrown.get(20, TimeUnit.SECONDS))
                        .isInstanceOf(OperationInterruptedException.class)
                        .hasMessageContaining("interrupted while");
            }
            asking.join();
        }
    }

    private static Target to(Endpoint endpoint) {
        return target(() -> endpoint, sshd.login(), sshd.hostKey().publicKey(), Duration.ofSeconds(10));
    }

    private static Target target(
            Supplier<Endpoint> endpoint, SshKeyPair identity, SshPublicKey hostKey, Duration timeout) {
        return new Target(RealSshd.NODE, endpoint, RealSshd.TESTER, identity, hostKey, timeout);
    }

    private static void acceptAndClose(ServerSocket server) {
        try {
            server.accept().close();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }
}
