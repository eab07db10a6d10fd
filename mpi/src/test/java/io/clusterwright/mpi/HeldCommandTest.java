package io.clusterwright.mpi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.clusterwright.core.Command;
import io.clusterwright.core.CommandException;
import io.clusterwright.core.CommandResult;
import io.clusterwright.core.NodeSession;
import io.clusterwright.core.NodeUnreachableException;
import io.clusterwright.core.RunningCommand;
import io.clusterwright.core.RunningCommand.OutputListener.Stream;
import io.clusterwright.core.internal.session.HeldCommand;
import io.clusterwright.core.type.OperationInterruptedException;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** With real processes of this machine. */
class HeldCommandTest {
    private static final Duration SOON = Duration.ofSeconds(30);

    private final BreakableSession node = new BreakableSession();
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @AfterEach
    void close() {
        node.close();
    }

    @Test
    void outputContinuesWhereItWasAndTheStatusArrives() {
        RunningCommand command =
                start(shell("for i in 1 2 3; do seq -w 1000000; echo $i >&2; sleep 0.3; done; exit 7"), node::session);
        for (int size = 1; size < 3; size++) {
            int least = size * 5_000_000;
            await().atMost(SOON).until(() -> command.await(Duration.ZERO).isEmpty() && out.size() > least);
            node.breakConnection();
        }

        assertThat(command.await(SOON)).hasValue(7);
        assertThat(out.toString(StandardCharsets.US_ASCII).lines().filter("0999999"::equals))
                .hasSize(3);
        assertThat(out.size()).isEqualTo(3 * 8_000_000);
        assertThat(err.toString(StandardCharsets.US_ASCII)).isEqualTo("1\n2\n3\n");
    }

    @Test
    void theEndOfACommandWaitsForTheConnection() {
        RunningCommand command = start(shell("sleep 0.5; printf 'a\\000\\377'; exit 5"), () -> {
            pause(Duration.ofSeconds(2));
            return node.session();
        });
        await().atMost(SOON).until(node::hasBegun);
        node.breakConnection();

        await().atMost(SOON).until(() -> command.await(Duration.ZERO).isEmpty() && !command.isConnected());
        assertThat(command.await(SOON)).hasValue(5);
        assertThat(out.toByteArray()).containsExactly('a', 0, 0xff);
    }

    @Test
    void allOutputOfACommandThatHasEndedArrives() {
        CommandResult result = run(Command.of("head", "-c", "14000000", "/dev/zero"));

        assertThat(result.stdoutBytes()).hasSize(14_000_000);
        assertThat(result.exitStatus()).isZero();
    }

    @Test
    void inputVariablesAndWordsReachTheCommand() {
        CommandResult result = run(Command.of("sh", "-c", "cat; printf '%s|%s' \"$A\" \"$1\"", "sh", "b c'\n\"")
                .environment("A", "x $y")
                .input(new byte[] {0, (byte) 0xfe, '\n'}));

        assertThat(result.stdoutBytes()).startsWith(0, 0xfe, '\n');
        assertThat(result.stdout()).endsWith("x $y|b c'\n\"");
    }

    @Test
    void aCommandWithoutInputReadsTheEnd() {
        assertThat(run(Command.of("cat")).stdout()).isEmpty();
    }

    @Test
    void aProgramThatIsAbsentIsNamed() {
        CommandResult result = run(Command.of("absent-program"));

        assertThat(result.exitStatus()).isEqualTo(127);
        assertThat(result.stderr()).startsWith("/bin/sh: ").contains("absent-program", "not found");
    }

    @Test
    void whatIsLateIsEnded(@TempDir Path folder) {
        Path file = folder.resolve("late");

        assertThatThrownBy(
                        () -> run(shell("echo seen; sleep 3 && touch " + file).timeout(Duration.ofSeconds(1))))
                .isInstanceOf(CommandException.TimedOut.class)
                .hasMessageContaining("and has been ended; last on standard output: seen");
        pause(Duration.ofSeconds(3));
        assertThat(file).doesNotExist();
    }

    @Test
    void aTimeLimitDuringABreakSaysThatTheCommandMayStillRun(@TempDir Path folder) {
        Path file = folder.resolve("late");
        Command command = shell("echo begun; sleep 6 && touch " + file).timeout(Duration.ofSeconds(2));
        CompletableFuture<CommandResult> run = CompletableFuture.supplyAsync(() -> HeldCommand.run(
                node.session(),
                () -> {
                    pause(Duration.ofSeconds(3));
                    return node.session();
                },
                command));
        await().atMost(SOON).until(node::hasBegun);
        node.breakConnection();

        assertThat(run)
                .failsWithin(SOON)
                .withThrowableOfType(ExecutionException.class)
                .withCauseInstanceOf(CommandException.TimedOut.class)
                .withMessageContaining("and may still run (there is no connection to here now)");
        pause(Duration.ofSeconds(6));
        assertThat(file).as("it was ended when the connection came back").doesNotExist();
    }

    @Test
    void anInterruptedCommandIsEnded(@TempDir Path folder) {
        Path file = folder.resolve("late");
        RunningCommand command = start(shell("sleep 3 && touch " + file), node::session);
        await().atMost(SOON).until(node::hasBegun);

        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> command.await(SOON))
                .isInstanceOf(OperationInterruptedException.class)
                .hasMessageContaining("sleep 3 && touch")
                .hasMessageEndingWith("the command was stopped");
        assertThat(Thread.interrupted()).isTrue();
        pause(Duration.ofSeconds(3));
        assertThat(file).doesNotExist();
    }

    @Test
    void aCommandThatIsClosedAtOnceDoesNotRunOn(@TempDir Path folder) {
        Path file = folder.resolve("late");
        start(shell("sleep 2 && touch " + file), node::session).close();

        pause(Duration.ofSeconds(3));
        assertThat(file).doesNotExist();
    }

    @Test
    void bothStreamsComeWhileOneIsFast() {
        RunningCommand command = start(shell("yes & sleep 1; echo problem >&2; sleep 1; kill $!"), node::session);

        await().atMost(SOON).until(() -> {
            command.await(Duration.ZERO);
            return err.size() > 0;
        });
        assertThat(command.await(SOON)).isPresent();
    }

    @Test
    void aLostCommandIsNamed() {
        RunningCommand command = start(shell("sleep 1; kill -KILL $(ps -o ppid= -p $$); sleep 1"), node::session);

        assertThatThrownBy(() -> command.await(SOON))
                .isInstanceOf(NodeUnreachableException.class)
                .hasMessage(
                        "the connection to here broke while `sh -c sleep 1; kill -KILL $(ps -o ppid= -p $$); sleep 1`"
                                + " was running; its process is not there any more: the node was started again, or the process"
                                + " was ended: its result is unknown, and it may still run");
    }

    private static Command shell(String script) {
        return Command.of("sh", "-c", script);
    }

    private CommandResult run(Command command) {
        return HeldCommand.run(node.session(), node::session, command);
    }

    private RunningCommand start(Command command, Supplier<NodeSession> sessions) {
        return HeldCommand.start(node.session(), sessions, command, this::take);
    }

    private synchronized void take(Stream stream, byte[] bytes, int length) {
        (stream == Stream.STDOUT ? out : err).write(bytes, 0, length);
    }

    private static void pause(Duration time) {
        try {
            Thread.sleep(time.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
