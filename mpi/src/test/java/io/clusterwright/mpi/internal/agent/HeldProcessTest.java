package io.clusterwright.mpi.internal.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.clusterwright.core.Command;
import io.clusterwright.core.MachineState;
import io.clusterwright.core.NodeSession;
import io.clusterwright.core.NodeUnreachableException;
import io.clusterwright.core.RunningCommand.OutputListener;
import io.clusterwright.core.RunningCommand.OutputListener.Stream;
import io.clusterwright.core.internal.session.HeldProcess;
import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.mpi.BreakableSession;
import io.clusterwright.mpi.LocalSession;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** With real processes of this machine. */
class HeldProcessTest {
    private static final Duration SOON = Duration.ofSeconds(30);

    /** The bytes of one million numbers, and more. */
    private static final int BURST = 8_000_000;

    private final BreakableSession node = new BreakableSession();
    private final NodeSession session = node.session();
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private HeldProcess agent = process();

    @AfterEach
    void end() {
        agent.dismiss();
        node.close();
    }

    @Test
    void outputContinuesWhereItWas() {
        agent.keep(() -> session);
        agent.send(
                "shell job 2\nfor i in 1 2 3; do seq -w 1000000; sleep 0.3; done\n\n".getBytes(StandardCharsets.UTF_8));
        for (int size = 1; size < 3; size++) {
            int least = size * BURST / 2;
            await().atMost(SOON).until(() -> agent.await(Duration.ZERO).isEmpty() && out.size() > least);
            node.breakConnection();
        }
        await().atMost(SOON)
                .until(() -> agent.await(Duration.ZERO).isEmpty() && text(out).contains("clusterwright-ended"));

        StringBuilder expected = new StringBuilder();
        for (int i = 1; i <= 1_000_000; i++) {
            expected.append("%07d\n".formatted(i));
        }
        String[] parts = text(out).split("(?<=1000000\n)", -1);
        assertThat(parts).hasSize(4);
        assertThat(parts[0].equals(expected.toString())).isTrue();
        assertThat(text(out).length()).isEqualTo(3 * expected.length() + "clusterwright-ended 0\n".length());
    }

    @Test
    void inputComesOnce() {
        agent.keep(() -> session);
        await().atMost(SOON).until(() -> node.hasBegun());
        for (int i = 0; i < 40; i++) {
            agent.send(("shell job 1\necho line-" + i + "\n").getBytes(StandardCharsets.UTF_8));
            agent.await(Duration.ZERO);
            if (i % 10 == 5) {
                node.breakConnection();
            }
        }

        await().atMost(SOON)
                .until(() -> agent.await(Duration.ZERO).isEmpty() && text(out).contains("line-39"));
        await().atMost(SOON).until(() -> text(out).split("clusterwright-ended 0", -1).length == 41);
        for (int i = 0; i < 40; i++) {
            assertThat(text(out)).containsOnlyOnce("line-" + i + "\n");
        }
    }

    @Test
    void isLostWithItsConnectionWhereNoJobUsesIt() {
        await().atMost(SOON).until(() -> node.hasBegun());
        node.breakConnection();

        assertThatThrownBy(() -> agent.await(SOON)).isInstanceOf(NodeUnreachableException.class);
        assertThat(agent.broken()).isPresent();
    }

    @Test
    void itsEndIsKnownAfterABreak() {
        agent.keep(() -> session);
        await().atMost(SOON).until(() -> node.hasBegun());
        agent.send("shell job 1\nsleep 0.5; kill -KILL $$\n".getBytes(StandardCharsets.UTF_8));
        node.breakConnection();

        await().atMost(SOON)
                .untilAsserted(() -> assertThat(agent.await(Duration.ZERO)).hasValue(128 + 9));
    }

    @Test
    void isLostWhenItIsNotThereAnyMore() {
        agent.keep(() -> session);
        await().atMost(SOON).until(() -> node.hasBegun());
        agent.send("shell job 1\nkill -KILL $PPID\n".getBytes(StandardCharsets.UTF_8));
        node.breakConnection();

        await().atMost(SOON)
                .untilAsserted(() -> assertThatThrownBy(() -> agent.await(Duration.ZERO))
                        .isInstanceOf(NodeUnreachableException.class)
                        .hasMessageContaining("its process is not there any more"));
    }

    /** A node without memory starts no Python, and a provider may fail for a moment. */
    @Test
    void attemptsThatFailAreRepeated() {
        Deque<Supplier<NodeSession>> attempts = new ArrayDeque<>();
        attempts.add(() -> {
            throw new ClusterwrightException("the bridge is missing");
        });
        attempts.add(this::without);
        agent.keep(() -> attempts.isEmpty() ? session : attempts.remove().get());
        await().atMost(SOON).until(() -> node.hasBegun());
        agent.send("shell job 1\nsleep 0.5; kill -KILL $$\n".getBytes(StandardCharsets.UTF_8));
        node.breakConnection();

        await().atMost(SOON)
                .untilAsserted(() -> assertThat(agent.await(Duration.ZERO)).hasValue(128 + 9));
        assertThat(attempts).isEmpty();
    }

    @Test
    void isLostAtOnceWithItsMachine() {
        NodeUnreachableException stopped = new NodeUnreachableException(
                LocalSession.NODE, MachineState.STOPPED, "the machine of here is stopped", new IOException());
        agent.keep(() -> {
            throw stopped;
        });
        await().atMost(SOON).until(() -> node.hasBegun());
        node.breakConnection();

        await().atMost(SOON)
                .untilAsserted(() -> assertThatThrownBy(() -> agent.await(Duration.ZERO))
                        .hasMessage("the machine of here is stopped; it ended with the machine, which is stopped")
                        .isInstanceOfSatisfying(
                                NodeUnreachableException.class,
                                e -> assertThat(e.machineState()).contains(MachineState.STOPPED)));
    }

    @Test
    void anAnswerWithInputThatWasNeverSentIsAFailedAttempt() {
        Deque<String> lies = new ArrayDeque<>(List.of("999999999999999999", "-999999999999999999"));
        agent.keep(() -> lies.isEmpty() ? session : lying(lies.remove()));
        await().atMost(SOON).until(() -> node.hasBegun());
        agent.send("shell job 1\nsleep 0.5; kill -KILL $$\n".getBytes(StandardCharsets.UTF_8));
        node.breakConnection();

        await().atMost(SOON)
                .untilAsserted(() -> assertThat(agent.await(Duration.ZERO)).hasValue(128 + 9));
        assertThat(lies).isEmpty();
    }

    /** A session whose commands answer that this much of the input has come. */
    private NodeSession lying(String accepted) {
        return (NodeSession) Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {NodeSession.class},
                (proxy, method, arguments) -> method.getName().equals("start")
                        ? session.start((Command) arguments[0], (stream, bytes, length) -> {
                            byte[] changed = new String(bytes, 0, length, StandardCharsets.ISO_8859_1)
                                    .replaceFirst("(clusterwright-held \\S+ )\\d+\n", "$1" + accepted + "\n")
                                    .getBytes(StandardCharsets.ISO_8859_1);
                            ((OutputListener) arguments[1]).onOutput(stream, changed, changed.length);
                        })
                        : method.invoke(session, arguments));
    }

    /** A session whose commands end with the status of a program that was not started. */
    private NodeSession without() {
        return (NodeSession) Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {NodeSession.class},
                (proxy, method, arguments) -> method.getName().equals("start")
                        ? session.start(Command.of("/bin/sh", "-c", "exit 127"), (OutputListener) arguments[1])
                        : method.invoke(session, arguments));
    }

    private HeldProcess process() {
        return new HeldProcess(session, UnaryOperator.identity(), false, WatchdogScript.AGENT, this::take);
    }

    private static String text(ByteArrayOutputStream stream) {
        return stream.toString(StandardCharsets.UTF_8);
    }

    private synchronized void take(Stream stream, byte[] bytes, int length) {
        (stream == Stream.STDOUT ? out : err).write(bytes, 0, length);
    }
}
