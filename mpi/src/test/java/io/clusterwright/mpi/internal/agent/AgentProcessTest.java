package io.clusterwright.mpi.internal.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.clusterwright.core.Command;
import io.clusterwright.core.NodeSession;
import io.clusterwright.core.NodeUnreachableException;
import io.clusterwright.core.RunningCommand;
import io.clusterwright.core.RunningCommand.OutputListener;
import io.clusterwright.core.RunningCommand.OutputListener.Stream;
import io.clusterwright.mpi.LocalSession;
import java.io.ByteArrayOutputStream;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.OptionalInt;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** With real processes of this machine. */
class AgentProcessTest {
    private static final Duration SOON = Duration.ofSeconds(30);

    /** The bytes of one million numbers, and more. */
    private static final int BURST = 8_000_000;

    private final LocalSession local = new LocalSession();
    private final NodeSession session = (NodeSession) Proxy.newProxyInstance(
            getClass().getClassLoader(),
            new Class<?>[] {NodeSession.class},
            (proxy, method, arguments) -> method.getName().equals("start")
                    ? start((Command) arguments[0], (OutputListener) arguments[1])
                    : method.invoke(local, arguments));
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private volatile Breakable connection = new Breakable(null);
    private AgentProcess agent = new AgentProcess(session, this::take);

    @AfterEach
    void end() {
        agent.dismiss();
        local.close();
    }

    @Test
    void outputContinuesWhereItWas() {
        agent.keep(() -> session);
        agent.send(
                "shell job 2\nfor i in 1 2 3; do seq -w 1000000; sleep 0.3; done\n\n".getBytes(StandardCharsets.UTF_8));
        for (int size = 1; size < 3; size++) {
            int least = size * BURST / 2;
            await().atMost(SOON).until(() -> agent.await(Duration.ZERO).isEmpty() && out.size() > least);
            breakConnection();
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
        await().atMost(SOON).until(() -> connection.begun);
        for (int i = 0; i < 40; i++) {
            agent.send(("shell job 1\necho line-" + i + "\n").getBytes(StandardCharsets.UTF_8));
            agent.await(Duration.ZERO);
            if (i % 10 == 5) {
                breakConnection();
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
        await().atMost(SOON).until(() -> connection.begun);
        breakConnection();

        assertThatThrownBy(() -> agent.await(SOON)).isInstanceOf(NodeUnreachableException.class);
        assertThat(agent.broken()).isPresent();
    }

    @Test
    void isLostWhenItIsNotThereAnyMore() {
        agent.keep(() -> session);
        await().atMost(SOON).until(() -> connection.begun);
        agent.send("shell job 1\nkill -KILL $PPID\n".getBytes(StandardCharsets.UTF_8));
        breakConnection();

        await().atMost(SOON)
                .untilAsserted(() -> assertThatThrownBy(() -> agent.await(Duration.ZERO))
                        .isInstanceOf(NodeUnreachableException.class)
                        .hasMessageContaining("its agent is not there any more"));
    }

    private void breakConnection() {
        connection.broken = true;
    }

    private static String text(ByteArrayOutputStream stream) {
        return stream.toString(StandardCharsets.UTF_8);
    }

    private synchronized void take(Stream stream, byte[] bytes, int length) {
        (stream == Stream.STDOUT ? out : err).write(bytes, 0, length);
    }

    private RunningCommand start(Command command, OutputListener output) {
        Breakable made = new Breakable(null);
        made.inner = local.start(command, (stream, bytes, length) -> {
            made.begun = true;
            output.onOutput(stream, bytes, length);
        });
        connection = made;
        return made;
    }

    /** A command whose connection breaks, and which ends on the node then. */
    private static final class Breakable implements RunningCommand {
        private RunningCommand inner;
        private volatile boolean broken;
        private volatile boolean begun;

        Breakable(RunningCommand inner) {
            this.inner = inner;
        }

        @Override
        public OptionalInt await(Duration limit) {
            if (broken) {
                inner.close();
                inner.await(SOON);
                throw new NodeUnreachableException(LocalSession.NODE, "the connection broke");
            }
            return inner.await(limit);
        }

        @Override
        public void send(byte[] bytes) {
            if (!broken) {
                inner.send(bytes);
            }
        }

        @Override
        public void endInput() {
            inner.endInput();
        }

        @Override
        public void cancel(Duration grace) {
            inner.cancel(grace);
        }

        @Override
        public void close() {
            inner.close();
        }
    }
}
