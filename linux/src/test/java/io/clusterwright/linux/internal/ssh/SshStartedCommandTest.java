package io.clusterwright.linux.internal.ssh;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clusterwright.core.Command;
import io.clusterwright.core.NodeSession;
import io.clusterwright.core.NodeUnreachableException;
import io.clusterwright.core.RunningCommand;
import io.clusterwright.core.RunningCommand.OutputListener.Stream;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Commands that run while others do. */
@Tag("breadth")
class SshStartedCommandTest extends WithSshd {
    private static final Duration SOON = Duration.ofSeconds(20);

    @Nested
    class OpenInput {
        private final ConcurrentLinkedQueue<String> seen = new ConcurrentLinkedQueue<>();

        private RunningCommand start(Command command) {
            return session.start(
                    command,
                    (stream, bytes, length) ->
                            seen.add(stream == Stream.STDOUT ? new String(bytes, 0, length, UTF_8) : ""));
        }

        @Test
        void inputIsOpenUntilItIsEnded() {
            try (RunningCommand running = start(Command.of("cat").input("one ").openInput())) {
                assertThat(running.await(Duration.ofMillis(200))).isEmpty();
                IntStream.range(0, 200).forEach(i -> running.send((i + " ").getBytes(UTF_8)));
                running.endInput();
                running.endInput();

                assertThat(running.await(SOON)).hasValue(0);
                assertThatThrownBy(() -> running.send(new byte[1]))
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("input has ended");
            }
            assertThat(String.join("", seen))
                    .isEqualTo("one "
                            + IntStream.range(0, 200).mapToObj(i -> i + " ").collect(Collectors.joining()));
        }

        @Test
        void aCommandMayEndBeforeItsInput() {
            try (RunningCommand running = start(Command.of("true").openInput())) {
                assertThat(running.await(SOON)).hasValue(0);
            }
        }

        @Test
        void inputEndsAtOnceForABlockingCommand() {
            assertThat(session.run(Command.of("cat").input("all").openInput()).stdout())
                    .isEqualTo("all");
        }

        @Test
        void hasNoInputByDefault() {
            try (RunningCommand running = start(Command.of("cat"))) {
                assertThat(running.await(SOON)).hasValue(0);
                assertThatThrownBy(() -> running.send(new byte[1])).isInstanceOf(IllegalStateException.class);
            }
        }
    }

    @Nested
    class AStartedCommand {

        @Test
        void streamsOutput() {
            ConcurrentLinkedQueue<String> seen = new ConcurrentLinkedQueue<>();
            try (RunningCommand running = session.start(
                    Command.of("sh", "-c", "echo first; read line; echo got"),
                    (stream, bytes, length) -> seen.add(stream + " " + new String(bytes, 0, length, UTF_8)))) {
                assertThat(running.await(SOON)).hasValue(0);
            }
            assertThat(String.join("", seen)).contains("STDOUT first\n");
        }

        @Test
        void awaitReturnsEmptyWhileItRuns() {
            try (RunningCommand running = session.start(Command.of("sleep", "1000"), (stream, bytes, length) -> {})) {
                assertThat(running.await(Duration.ofMillis(50))).isEmpty();
            }
        }

        @Test
        void aSlowListenerLosesNothing() throws InterruptedException {
            AtomicLong received = new AtomicLong();
            CountDownLatch gate = new CountDownLatch(1);
            try (RunningCommand running = session.start(
                    Command.of("sh", "-c", "head -c 30000000 /dev/zero; echo done >&2"), (stream, bytes, length) -> {
                        awaitQuietly(gate);
                        if (stream == Stream.STDOUT) {
                            received.addAndGet(length);
                        }
                    })) {
                assertThat(session.run(Command.of("echo", "others go on")).succeeded())
                        .isTrue();
                assertThat(running.await(Duration.ofMillis(200))).isEmpty();
                gate.countDown();
                assertThat(running.await(SOON)).hasValue(0);
            }
            assertThat(received).hasValue(30_000_000);
        }

        @Test
        void callsItsListenerNeverTwiceAtOnce() {
            AtomicReference<Thread> inside = new AtomicReference<>();
            ConcurrentLinkedQueue<Thread> clashes = new ConcurrentLinkedQueue<>();
            try (RunningCommand running = session.start(
                    Command.of("sh", "-c", "(seq 1 200000 >&2) & seq 1 200000; wait"), (stream, bytes, length) -> {
                        if (!inside.compareAndSet(null, Thread.currentThread())) {
                            clashes.add(Thread.currentThread());
                        }
                        inside.set(null);
                    })) {
                assertThat(running.await(SOON)).hasValue(0);
            }
            assertThat(clashes).isEmpty();
        }

        @Test
        void continuesAfterAFailureOfTheListener() {
            try (RunningCommand running =
                    session.start(Command.of("sh", "-c", "echo one; echo two; exit 3"), (stream, bytes, length) -> {
                        throw new IllegalStateException("listener");
                    })) {
                assertThat(running.await(SOON)).hasValue(3);
            }
        }

        @Test
        void endsAfterAnErrorOfTheListener() {
            try (RunningCommand running =
                    session.start(Command.of("sh", "-c", "echo one; exit 3"), (stream, bytes, length) -> {
                        throw new AssertionError("listener");
                    })) {
                assertThat(running.await(Duration.ofSeconds(5))).hasValue(3);
            }
        }

        @Test
        void mayUseTheSessionFromItsListener() {
            AtomicReference<String> answer = new AtomicReference<>("");
            try (RunningCommand running = session.start(
                    Command.of("echo", "hello"),
                    (stream, bytes, length) -> answer.set(
                            session.run(Command.of("echo", "from inside")).stdout()))) {
                assertThat(running.await(SOON)).hasValue(0);
            }
            assertThat(answer).hasValue("from inside\n");
        }
    }

    @Nested
    class ManyCommandsAtOnce {

        @Test
        void manyCommandsShareOneSession() {
            List<RunningCommand> running = new ArrayList<>();
            try {
                IntStream.range(0, 30)
                        .forEach(i ->
                                running.add(session.start(Command.of("sleep", "1000"), (stream, bytes, length) -> {})));
                assertThat(session.run(Command.of("echo", "and one more")).succeeded())
                        .isTrue();
            } finally {
                running.forEach(RunningCommand::close);
            }
            assertThat(running).allMatch(command -> command.await(SOON).equals(OptionalInt.of(137)));
        }

        @Test
        void commandsRunWithOneChannelPerConnection() throws IOException {
            try (RealSshd narrow = RealSshd.start("MaxSessions 1");
                    NodeSession one = narrow.connect(transport);
                    RunningCommand first = one.start(Command.of("sleep", "1000"), (stream, bytes, length) -> {});
                    RunningCommand second = one.start(Command.of("sleep", "1000"), (stream, bytes, length) -> {})) {
                one.write("text".getBytes(UTF_8), "file", 0600);
                assertThat(one.run(Command.of("cat", "file")).stdout()).isEqualTo("text");
                first.cancel(Duration.ofSeconds(1));
                assertThat(first.await(SOON)).hasValue(143);
                assertThat(second.await(Duration.ofMillis(1))).isEmpty();
            }
        }
    }

    @Nested
    class ALostConnection {

        @Test
        void runningCommandsReportALostConnection() throws IOException {
            try (RealSshd doomed = RealSshd.start();
                    NodeSession cut = doomed.connect(transport);
                    RunningCommand running = cut.start(Command.of("sleep", "1000"), (stream, bytes, length) -> {})) {
                doomed.cutPower();

                assertThatThrownBy(() -> running.await(SOON))
                        .isInstanceOf(NodeUnreachableException.class)
                        .hasMessageContaining("the connection to loop1 broke while `sleep 1000` was running");
                assertThatThrownBy(() -> cut.run(Command.of("true"))).isInstanceOf(NodeUnreachableException.class);
                assertThatThrownBy(() -> cut.write(new byte[1], "x", 0600))
                        .isInstanceOf(NodeUnreachableException.class);
            }
        }

        @Test
        void aClosedSessionIsReported() {
            NodeSession closed = sshd.connect(transport);
            closed.close();
            closed.close();

            assertThatThrownBy(() -> closed.run(Command.of("true")))
                    .isInstanceOf(NodeUnreachableException.class)
                    .hasMessageContaining("open a new one");
        }
    }
}
