package io.clusterwright.linux.internal.ssh;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.clusterwright.core.Command;
import io.clusterwright.core.CommandException;
import io.clusterwright.core.CommandResult;
import io.clusterwright.core.NodeOutcome;
import io.clusterwright.core.NodeResults;
import io.clusterwright.core.NodeUnreachableException;
import io.clusterwright.core.internal.session.RepeatedFanOut;
import io.clusterwright.core.type.InvalidValueException;
import io.clusterwright.core.type.OperationInterruptedException;
import io.clusterwright.core.type.UserName;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.sshd.common.channel.Channel;
import org.apache.sshd.common.channel.ChannelListener;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Repeated commands of a session: the results are those of single commands, at the cost of one process each. */
@Tag("breadth")
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class CommandAgentTest {
    private static final Duration SOON = Duration.ofSeconds(20);
    private static final Command PARENT = Command.of("sh", "-c", "ps -o args= -p $PPID");
    private static final Command PROCESS_ID = Command.of("sh", "-c", "echo $$");
    private static final Command SLEEPERS = Command.of("pgrep", "-x", "sleep");
    private static final Command FAMILY = Command.of("sh", "-c", "sleep 1000 & echo started; sleep 1000");

    private static RealSshd sshd;
    private static SshTransport transport;
    private static SshNodeSession session;

    @BeforeAll
    static void start() {
        sshd = RealSshd.start();
        transport = new SshTransport();
        session = withAgent(RealSshd.TESTER);
    }

    @AfterAll
    static void stop() throws IOException {
        session.close();
        transport.close();
        sshd.close();
    }

    static Stream<Command> commands() {
        String shell = "tr '\\0' '|' </proc/$$/cmdline; printf '%s,' \"$@\"";
        Command variables = Command.of("printenv", "CW_ONE", "CW_TWO")
                .environment("CW_ONE", "a b'c\"d$e\\f\ng=h ü")
                .environment("CW_TWO", "");
        return Stream.of(
                Command.of("sh", "-c", "echo out; echo err >&2; exit 42"),
                Command.of("sh", "-c", "exit 255"),
                Command.of("sh", "-c", "kill -9 $$"),
                Command.of("sh", "-c", "kill -7 $$"),
                Command.of("sh", "-c", "kill -34 $$"),
                Command.of("sh", "-c", "kill -PIPE $$; echo not ended"),
                Command.of("sh", "-c", "yes | head -1; grep -E 'Sig(Blk|Ign)' /proc/self/status"),
                Command.of("no-such-program"),
                Command.of("/etc/passwd"),
                Command.of("/no/such/program", "x"),
                Command.of("/"),
                Command.of("sh", "-c", shell, "sh", "", "a'b\"c", "two\nlines", "ü€", "\\", "$HOME", "*"),
                Command.of("printf", "a\\0b\\377"),
                Command.of("sh", "-c", "head -c 5000000 /dev/zero | tr '\\0' x; head -c 300000 /dev/zero >&2"),
                Command.of("sh", "-c", "pwd; umask; ulimit -a; ls -l /proc/self/fd | wc -l; readlink /proc/self/fd/0"),
                Command.of("env"),
                Command.of("cut", "-d", " ", "-f", "7", "/proc/self/stat"),
                Command.of("sh", "-c", "readlink /proc/self/fd/0 | cut -c1-5; cat")
                        .input("text\n"),
                Command.of("wc", "-c").input(new byte[64_000]),
                Command.of("sha256sum").input(new byte[3_000_000]),
                Command.of("true").input(new byte[60_000]),
                variables,
                variables.elevate(),
                Command.of("hidden").environment("PATH", "/no/such/folder"),
                Command.of("sh", "-c", "id -un; cat; echo \"$CW_ONE\"")
                        .input("x")
                        .environment("CW_ONE", "1"),
                Command.of("sh", "-c", "id -un; cat; echo \"$CW_ONE\"")
                        .input("x")
                        .environment("CW_ONE", "1")
                        .elevate(),
                Command.of("sh", "-c", "id -un; readlink /proc/self/fd/0").elevate(),
                Command.of("no-such-program").elevate(),
                Command.of("sh", "-c", "sleep 0.3 & echo held"),
                Command.of("sh", "-c", "sleep 1000 >/dev/null 2>&1 & kill $!; echo apart"),
                Command.of("sh", "-c", "exec >&- 2>&-; sleep 0.1; exit 4"),
                Command.of("echo", "x".repeat(100_000)),
                Command.of("sh", "-c", "echo " + "\u00fc".repeat(20_000) + " | wc -c"));
    }

    @ParameterizedTest
    @MethodSource("commands")
    void hasTheResultsOfASingleCommand(Command command) {
        CommandResult single = session.run(command);

        CommandResult repeated = session.runAgain(command);

        assertThat(repeated.exitStatus()).isEqualTo(single.exitStatus());
        assertThat(repeated.stdout()).isEqualTo(single.stdout());
        assertThat(repeated.stderr()).isEqualTo(single.stderr());
        assertThat(parent(session)).contains("clusterwright-commands");
    }

    @Test
    void refusesWhatASingleCommandRefuses() {
        assertThatThrownBy(() -> session.runAgain(Command.of("true").environment("CW_ONE", "\ud800")))
                .isInstanceOf(InvalidValueException.class);
        assertThatThrownBy(() -> session.runAgain(Command.of("echo", "\ud800")))
                .isInstanceOf(InvalidValueException.class)
                .hasMessageContaining("surrogate");
        assertThatThrownBy(() -> session.runAgain(Command.of("echo", "x".repeat(200_000))))
                .isInstanceOf(InvalidValueException.class)
                .hasMessageContaining("bytes long");
    }

    @Test
    void startsOneProcessForACommandAndOpensNoChannel() {
        AtomicInteger channels = new AtomicInteger();
        session.connection().addChannelListener(new ChannelListener() {
            @Override
            public void channelInitialized(Channel channel) {
                channels.incrementAndGet();
            }
        });
        int first = processId();

        List<Integer> next = IntStream.range(0, 20).mapToObj(i -> processId()).toList();

        assertThat(next)
                .isEqualTo(IntStream.rangeClosed(first + 1, first + 20).boxed().toList());
        assertThat(channels).hasValue(0);
    }

    @Test
    void runsManyCommandsAtOnce() {
        List<CompletableFuture<String>> all = IntStream.range(0, 60)
                .mapToObj(i -> CompletableFuture.supplyAsync(
                        () -> session.runAgain(Command.of("sh", "-c", "sleep 0.2; echo " + i)
                                        .timeout(SOON))
                                .stdout(),
                        task -> new Thread(task).start()))
                .toList();

        assertThat(all.stream().map(CompletableFuture::join))
                .containsExactlyElementsOf(
                        IntStream.range(0, 60).mapToObj(i -> i + "\n").toList());
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aTimeoutLeavesNoProcessOfTheCommand(boolean elevated) {
        Command command = FAMILY.timeout(Duration.ofMillis(300));

        assertThatThrownBy(() -> session.runAgain(elevated ? command.elevate() : command))
                .isInstanceOf(CommandException.TimedOut.class)
                .hasMessageContaining("on loop1, `sh -c sleep 1000 & echo started; sleep 1000` did not end")
                .hasMessageContaining("timeout of 300 ms and has been ended")
                .hasMessageContaining("last on standard output: started");
        assertThat(session.runAgain(SLEEPERS).stdout()).isEmpty();
    }

    @Test
    void anInterruptLeavesNoProcessOfTheCommand() throws Exception {
        AtomicReference<Throwable> thrown = new AtomicReference<>();
        Thread caller = new Thread(() -> {
            try {
                session.runAgain(FAMILY);
            } catch (RuntimeException e) {
                thrown.set(e);
            }
        });
        caller.start();
        await().until(() -> session.runAgain(SLEEPERS).stdout().lines().count() == 2);

        caller.interrupt();
        caller.join(SOON.toMillis());

        assertThat(thrown.get())
                .isInstanceOf(OperationInterruptedException.class)
                .hasMessageContaining("the command was stopped");
        assertThat(session.runAgain(SLEEPERS).stdout()).isEmpty();
    }

    @Test
    void aCommandWhoseAgentIsKilledIsReportedAsLostAndTheNextOneRuns() {
        try (SshNodeSession other = withAgent(RealSshd.TESTER)) {
            Command suicide = Command.of("sh", "-c", "kill -9 $PPID; sleep 0.2");

            assertThatThrownBy(() -> other.runAgain(suicide))
                    .isInstanceOf(NodeUnreachableException.class)
                    .hasMessageContaining("was running: its result is unknown, and it may still run");

            assertThat(other.isOpen()).isTrue();
            assertThat(other.runAgain(Command.of("echo", "on")).stdout()).isEqualTo("on\n");
            await().atMost(SOON).until(() -> parent(other).contains("clusterwright-commands"));
        }
    }

    @Test
    void closingEndsCommandsUnderWayAndTheAgent() {
        SshNodeSession other = withAgent(UserName.ROOT);
        CompletableFuture<Throwable> thrown = CompletableFuture.supplyAsync(
                () -> {
                    try {
                        other.runAgain(FAMILY);
                        return new AssertionError("not ended");
                    } catch (RuntimeException e) {
                        return e;
                    }
                },
                task -> new Thread(task).start());
        await().until(() -> session.runAgain(SLEEPERS).stdout().lines().count() == 2);

        other.close();

        thrown.join();
        assertThat(session.runAgain(SLEEPERS).stdout()).isEmpty();
        assertThat(session.runAgain(Command.of("pgrep", "-u", "root", "-f", "^[^ ]*python3.*clusterwright-commands"))
                        .stdout())
                .isEmpty();
    }

    @Test
    void aSingleCommandStartsNoAgent() {
        try (SshNodeSession other = (SshNodeSession) transport.connect(sshd.target(UserName.ROOT))) {
            assertThat(parent(other)).contains("sshd");
            assertThat(other.connection().isOpen()).isTrue();
            assertThat(session.runAgain(Command.of("pgrep", "-u", "root", "-f", "clusterwright-command[s]"))
                            .stdout())
                    .isEmpty();
        }
    }

    @Test
    void aBrokenConnectionEndsACommandAsLost() throws IOException {
        try (RealSshd brief = RealSshd.start();
                SshNodeSession other = ready((SshNodeSession) brief.connect(transport))) {
            CompletableFuture<CommandResult> running =
                    CompletableFuture.supplyAsync(() -> other.runAgain(FAMILY), task -> new Thread(task).start());
            await().until(() -> other.runAgain(SLEEPERS).stdout().lines().count() == 2);

            brief.cutPower();

            assertThatThrownBy(running::join)
                    .hasCauseInstanceOf(NodeUnreachableException.class)
                    .hasMessageContaining("the connection to loop1 broke while `sh -c sleep 1000");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "rm -f /usr/bin/python3 /usr/local/bin/python3",
                "printf '#!/bin/sh\\necho noise; exit 1\\n' >/tmp/p && chmod 755 /tmp/p && mv -f /tmp/p /usr/bin/python3",
                "printf '#!/bin/sh\\nexec sleep 1000\\n' >/tmp/p && chmod 755 /tmp/p && mv -f /tmp/p /usr/bin/python3"
            })
    void goesOnOverChannelsWithoutPython(String spoil) throws IOException {
        try (RealSshd without = RealSshd.start()) {
            try (SshNodeSession root = (SshNodeSession) transport.connect(without.target(UserName.ROOT))) {
                root.run(Command.of("sh", "-c", spoil)).orThrow();
            }
            try (SshNodeSession other = (SshNodeSession) without.connect(transport)) {
                for (int i = 0; i < 6; i++) {
                    assertThat(parent(other)).contains("sshd");
                }
            }
        }
    }

    @Test
    void ignoresWhatALoginScriptPrints() {
        session.run(Command.of("sh", "-c", "echo 'echo welcome; echo hello >&2' >.bashrc"))
                .orThrow();
        try (SshNodeSession other = withAgent(RealSshd.TESTER)) {
            assertThat(other.run(Command.of("echo", "x")).stdout()).isEqualTo("x\n");
            assertThat(other.runAgain(Command.of("echo", "x")).stdout()).isEqualTo("x\n");
        } finally {
            session.runAgain(Command.of("rm", ".bashrc")).orThrow();
        }
    }

    @Test
    void aFanOutBeginsOnAllNodesFromOneThread() {
        assertThat(fanOut(Command.of("sh", "-c", "echo $PPID")).outcomes())
                .hasSize(2)
                .allSatisfy(outcome -> assertThat(outcome).isInstanceOf(NodeOutcome.Completed.class));
        assertThat(fanOut(Command.of("no-such-program")).outcomes())
                .allSatisfy(outcome -> assertThat(
                                ((NodeOutcome.Completed) outcome).result().exitStatus())
                        .isEqualTo(127));
        assertThat(fanOut(Command.of("true").environment("CW_ONE", "\ud800")).outcomes())
                .allSatisfy(outcome -> assertThat(outcome.toString()).contains("CW_ONE"));
    }

    @Test
    void aFanOutEndsWhatDoesNotEndInTime() {
        assertThat(fanOut(FAMILY.timeout(Duration.ofMillis(300))).outcomes())
                .hasSize(2)
                .allSatisfy(outcome -> assertThat(outcome.toString()).contains("and has been ended"))
                .allSatisfy(outcome -> assertThat(outcome).isInstanceOf(NodeOutcome.TimedOut.class));
        assertThat(session.runAgain(SLEEPERS).stdout()).isEmpty();
    }

    @Test
    void anInterruptedFanOutEndsItsCommands() throws Exception {
        AtomicReference<NodeResults> results = new AtomicReference<>();
        CompletableFuture<Boolean> flagKept = new CompletableFuture<>();
        Thread caller = new Thread(() -> {
            results.set(fanOut(FAMILY));
            flagKept.complete(Thread.currentThread().isInterrupted());
        });
        caller.start();
        await().until(() -> session.runAgain(SLEEPERS).stdout().lines().count() == 4);

        caller.interrupt();

        assertThat(flagKept.get(20, TimeUnit.SECONDS)).isTrue();
        assertThat(results.get().outcomes())
                .hasSize(2)
                .allSatisfy(outcome -> assertThat(outcome).isInstanceOf(NodeOutcome.Cancelled.class))
                .allSatisfy(outcome -> assertThat(outcome.toString()).contains("the command was stopped"));
        assertThat(session.runAgain(SLEEPERS).stdout()).isEmpty();
    }

    private static NodeResults fanOut(Command command) {
        return RepeatedFanOut.run(
                List.of(RealSshd.NODE, RealSshd.NODE), node -> session, node -> Optional.of(session), command);
    }

    private static SshNodeSession withAgent(UserName user) {
        return ready((SshNodeSession) transport.connect(sshd.target(user)));
    }

    private static SshNodeSession ready(SshNodeSession session) {
        await().atMost(SOON).until(() -> parent(session).contains("clusterwright-commands"));
        return session;
    }

    private static String parent(SshNodeSession session) {
        return session.runAgain(PARENT).orThrow().stdout();
    }

    private static int processId() {
        return Integer.parseInt(session.runAgain(PROCESS_ID).orThrow().stdout().strip());
    }
}
