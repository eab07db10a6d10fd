package io.clusterwright.linux.internal.ssh;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.clusterwright.core.Command;
import io.clusterwright.core.NodeSession;
import io.clusterwright.core.NodeUnreachableException;
import io.clusterwright.core.internal.concurrent.Tasks;
import io.clusterwright.core.spi.Endpoint;
import io.clusterwright.core.spi.NodeTransport.Target;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.core.type.SshPublicKey;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Sessions to a node that is dialled from another one. */
@Tag("breadth")
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class TunnelTest {
    private static final NodeName INNER = new NodeName("loop2");
    private static RealSshd head;
    private static RealSshd node;
    private static SshTransport transport;

    @TempDir
    private Path folder;

    @BeforeAll
    static void start() {
        head = RealSshd.start("MaxSessions 1");
        node = RealSshd.start("MaxStartups 200");
        transport = new SshTransport();
    }

    @AfterAll
    static void stop() throws IOException {
        transport.close();
        node.close();
        head.close();
    }

    @Test
    void runsCommandsAndCopiesFilesBothWays() throws IOException {
        byte[] content = new byte[9_000_001];
        new Random(14).nextBytes(content);
        Path sent = Files.write(folder.resolve("sent"), content);
        try (NodeSession gateway = head.connect(transport);
                NodeSession session = transport.connect(through(gateway))) {
            session.upload(sent, "tunnelled", 0600);
            session.download("tunnelled", folder.resolve("returned"));

            assertThat(session.node()).isEqualTo(INNER);
            assertThat(folder.resolve("returned")).hasBinaryContent(content);
            assertThat(session.run(Command.of("wc", "-c", "tunnelled"))
                            .orThrow()
                            .stdout())
                    .isEqualTo("9000001 tunnelled\n");
            assertThat(session.run(Command.shell("head -c 3000000 /dev/zero | tr '\\0' x"))
                            .orThrow()
                            .stdout())
                    .hasSize(3_000_000);
        }
    }

    @Test
    void carriesAHundredNodesOverOneConnection() throws InterruptedException {
        try (NodeSession gateway = head.connect(transport)) {
            List<NodeSession> sessions = Tasks.each(
                    "dial",
                    8,
                    IntStream.range(0, 100).boxed().toList(),
                    i -> transport.connect(through(gateway)),
                    (i, failure) -> {
                        throw new AssertionError(failure);
                    });
            List<String> answers = Tasks.each(
                    "ask",
                    32,
                    sessions,
                    session -> session.run(Command.of("echo", "here")).orThrow().stdout(),
                    (session, failure) -> failure.toString());
            Tasks.forEach("close", 32, sessions, NodeSession::close);

            assertThat(answers).hasSize(100).containsOnly("here\n");
            assertThat(gateway.isOpen()).isTrue();
        }
    }

    @Test
    void acceptsOnlyTheNodesOwnHostKey() {
        SshPublicKey other = head.hostKey().publicKey();
        try (NodeSession gateway = head.connect(transport)) {
            assertThatThrownBy(() ->
                            transport.connect(target(node.endpoint(), other).through(() -> gateway)))
                    .isInstanceOf(NodeUnreachableException.class)
                    .hasMessageContaining(
                            "cannot reach loop2 at " + node.endpoint() + " through loop1: it shows another host key")
                    .hasMessageContaining(node.hostKey().publicKey().fingerprint());
        }
    }

    @Test
    void saysThroughWhichNodeAnotherOneIsNotReached() {
        try (NodeSession gateway = head.connect(transport)) {
            Endpoint closed = new Endpoint("127.0.0.1", 9);
            assertThatThrownBy(() -> transport.connect(
                            target(closed, node.hostKey().publicKey()).through(() -> gateway)))
                    .isInstanceOf(NodeUnreachableException.class)
                    .hasMessageContaining("cannot reach loop2 at 127.0.0.1:9 through loop1: connection refused");
            assertThat(gateway.run(Command.of("true")).succeeded()).isTrue();
        }
    }

    @Test
    void saysThatTheHeadForwardsNothing() throws IOException {
        try (RealSshd closed = RealSshd.start("AllowTcpForwarding no");
                NodeSession gateway = closed.connect(transport)) {
            assertThatThrownBy(() -> transport.connect(through(gateway)))
                    .isInstanceOf(NodeUnreachableException.class)
                    .hasMessageContaining("loop1 forwards no connections; write AllowTcpForwarding yes");
        }
    }

    @Test
    void endsWithTheConnectionToTheHeadAndNamesIt() throws IOException {
        try (RealSshd lost = RealSshd.start();
                NodeSession gateway = lost.connect(transport);
                NodeSession session = transport.connect(through(gateway))) {
            lost.close();

            await().atMost(Duration.ofSeconds(20)).until(() -> !session.isOpen());
            assertThatThrownBy(() -> session.run(Command.of("true")))
                    .isInstanceOf(NodeUnreachableException.class)
                    .hasMessageContaining(
                            "the connection to loop2 is closed: that to loop1, through which it went, was lost");
            assertThatThrownBy(() -> transport.connect(through(gateway)))
                    .isInstanceOf(NodeUnreachableException.class)
                    .hasMessageContaining("the connection to loop1 is closed");
        }
    }

    private Target through(NodeSession gateway) {
        return target(node.endpoint(), node.hostKey().publicKey()).through(() -> gateway);
    }

    private static Target target(Endpoint endpoint, SshPublicKey hostKey) {
        return new Target(INNER, () -> endpoint, RealSshd.TESTER, node.login(), hostKey, Duration.ofSeconds(20));
    }
}
