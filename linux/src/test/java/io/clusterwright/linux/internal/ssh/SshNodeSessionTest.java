package io.clusterwright.linux.internal.ssh;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.clusterwright.core.cluster.Command;
import io.clusterwright.core.cluster.CommandResult;
import io.clusterwright.core.cluster.NodeSession;
import io.clusterwright.core.cluster.NodeUnreachableException;
import io.clusterwright.core.cluster.OutputListener.Stream;
import io.clusterwright.core.cluster.RunningCommand;
import io.clusterwright.core.spi.KeyPairText;
import io.clusterwright.core.type.UserName;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SshNodeSessionTest {
    private static final Duration SOON = Duration.ofSeconds(20);

    private static RealSshd sshd;
    private static SshTransport transport;
    private static NodeSession session;

    @BeforeAll
    static void start() {
        sshd = RealSshd.start();
        transport = new SshTransport();
        session = sshd.connect(transport);
    }

    @AfterAll
    static void stop() throws IOException {
        session.close();
        transport.close();
        sshd.close();
    }

    @Nested
    class ACommand {

        @Test
        void keepsItsTwoStreamsApart() {
            CommandResult result = session.run(Command.of("sh", "-c", "echo out; echo err >&2"));

            assertThat(result.stdout()).isEqualTo("out\n");
            assertThat(result.stderr()).isEqualTo("err\n");
            assertThat(result.duration()).isPositive();
        }

        @ParameterizedTest
        @ValueSource(ints = {0, 1, 42, 255})
        void reportsItsExitStatus(int status) {
            assertThat(session.run(Command.of("sh", "-c", "exit " + status)).exitStatus())
                    .isEqualTo(status);
        }

        @ParameterizedTest
        @ValueSource(ints = {1, 2, 6, 9, 11, 15})
        void reportsTheSignalThatEndedItAs128AndItsNumber(int signal) {
            assertThat(session.run(Command.of("sh", "-c", "kill -" + signal + " $$"))
                            .exitStatus())
                    .isEqualTo(128 + signal);
        }

        @Test
        void thatDoesNotExistEndsWith127() {
            CommandResult result = session.run(Command.of("no-such-program"));

            assertThat(result.exitStatus()).isEqualTo(127);
            assertThat(result.stderr()).contains("no-such-program");
        }

        @Test
        void readsItsInputToTheEnd() {
            byte[] bytes = new byte[5_000_000];
            new java.util.Random(5).nextBytes(bytes);
            CommandResult result = session.run(Command.of("sh", "-c", "sha256sum | cut -c1-64; wc -c </dev/null")
                    .input(bytes));

            assertThat(result.stdout()).startsWith(sha256(bytes));
        }

        @Test
        void findsItsInputAtAnEndWhenNoneIsGiven() {
            assertThat(session.run(Command.of("wc", "-c")).stdout().strip()).isEqualTo("0");
        }

        @Test
        void mayIgnoreAllOfALargeInput() {
            assertThat(session.run(Command.of("true").input(new byte[8_000_000]).timeout(SOON))
                            .exitStatus())
                    .isZero();
        }

        @Test
        void seesItsEnvironmentUnchanged() {
            String value = "a b'c\"d$e\\f\ng=h ü";
            CommandResult result = session.run(Command.of("printenv", "CW_ONE", "CW_TWO")
                    .environment("CW_ONE", value)
                    .environment("CW_TWO", ""));

            assertThat(result.stdout()).isEqualTo(value + "\n\n");
        }

        @Test
        void runsAsRootWhenElevatedAndKeepsItsEnvironmentAndInput() {
            CommandResult result = session.run(Command.of("sh", "-c", "id -un; echo \"$CW_ONE\"; cat")
                    .environment("CW_ONE", "x y")
                    .input("input")
                    .elevate());

            assertThat(result.stdout()).isEqualTo("root\nx y\ninput");
            assertThat(result.stderr()).isEmpty();
        }

        @Test
        void needsNoSudoWhenTheAccountIsRoot() {
            try (NodeSession root = transport.connect(sshd.target(UserName.ROOT))) {
                CommandResult result =
                        root.run(Command.of("sh", "-c", "ps -o args= -p $PPID").elevate());
                assertThat(result.orThrow().stdout()).contains("sshd");
            }
        }

        @Test
        void leavesNothingOfItsWrapperInTheEnvironment() {
            assertThat(session.run(Command.of("env")).stdout()).doesNotContain("cw_");
        }

        @Test
        void mayBeAScriptThatStopsAtTheFirstFailure() {
            CommandResult result = session.run(Command.shell("echo one\nfalse\necho two\n"));

            assertThat(result.exitStatus()).isEqualTo(1);
            assertThat(result.stdout()).isEqualTo("one\n");
        }

        @Test
        void keepsTheLast16MebibytesOfEachStream() {
            CommandResult result =
                    session.run(Command.of("sh", "-c", "head -c 20000000 /dev/zero | tr '\\0' x; echo; echo the end"));

            assertThat(result.stdout()).hasSize(16 * 1024 * 1024).endsWith("x\nthe end\n");
        }
    }

    @Nested
    class AStartedCommand {

        @Test
        void handsItsOutputOnAsItComes() {
            ConcurrentLinkedQueue<String> seen = new ConcurrentLinkedQueue<>();
            try (RunningCommand running = session.start(
                    Command.of("sh", "-c", "echo first; read line; echo got"),
                    (stream, bytes, length) -> seen.add(stream + " " + new String(bytes, 0, length, UTF_8)))) {
                assertThat(running.await(SOON)).hasValue(0);
            }
            assertThat(String.join("", seen)).contains("STDOUT first\n");
        }

        @Test
        void isStillRunningWhenTheWaitIsShorter() {
            try (RunningCommand running = session.start(Command.of("sleep", "1000"), (stream, bytes, length) -> {})) {
                assertThat(running.await(Duration.ofMillis(50))).isEmpty();
            }
        }

        @Test
        void isHeldBackByASlowListenerAndLosesNothing() throws InterruptedException {
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
        void goesOnWhenItsListenerFails() {
            try (RunningCommand running =
                    session.start(Command.of("sh", "-c", "echo one; echo two; exit 3"), (stream, bytes, length) -> {
                        throw new IllegalStateException("listener");
                    })) {
                assertThat(running.await(SOON)).hasValue(3);
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
        void runOnOneSessionEvenBeyondWhatOneConnectionTakes() {
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
        void runOnANodeThatTakesOneChannelPerConnection() throws IOException {
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
        void isSaidByWhateverWasRunning() throws IOException {
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
        void isWhatAClosedSessionSays() {
            NodeSession closed = sshd.connect(transport);
            closed.close();
            closed.close();

            assertThatThrownBy(() -> closed.run(Command.of("true")))
                    .isInstanceOf(NodeUnreachableException.class)
                    .hasMessageContaining("open a new one");
        }
    }

    @Test
    void aNewKeyPairIsWhatSshKeygenReads() {
        KeyPairText pair = Ed25519Keys.generate("clusterwright:wing-flow");
        session.write(pair.privateKey().reveal().getBytes(UTF_8), "key", 0600);

        CommandResult read =
                session.run(Command.of("ssh-keygen", "-y", "-f", "key")).orThrow();

        assertThat(read.stdout().strip()).isEqualTo(pair.publicKey().toString());
        assertThat(pair.publicKey().comment()).isEqualTo("clusterwright:wing-flow");
        assertThat(pair.privateKey().reveal()).startsWith("-----BEGIN OPENSSH PRIVATE KEY-----\n");
    }

    @Test
    void allThreadsAreNamedDaemons() {
        await().until(() -> session.run(Command.of("true")).succeeded());
        List<Thread> ours = Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().contains("ssh"))
                .toList();

        assertThat(ours).isNotEmpty().allMatch(Thread::isDaemon);
        assertThat(ours)
                .filteredOn(thread -> thread.getName().startsWith("clusterwright-ssh-io-"))
                .hasSizeLessThanOrEqualTo(16);
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static String sha256(byte[] bytes) {
        try {
            return java.util.HexFormat.of()
                    .formatHex(
                            java.security.MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (java.security.NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
