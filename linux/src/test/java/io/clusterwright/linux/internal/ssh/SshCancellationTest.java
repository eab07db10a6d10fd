package io.clusterwright.linux.internal.ssh;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.clusterwright.core.Command;
import io.clusterwright.core.CommandException;
import io.clusterwright.core.NodeSession;
import io.clusterwright.core.RunningCommand;
import io.clusterwright.core.type.OperationInterruptedException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The library ends processes, not only connections; each test looks for what is left on the node. */
@Tag("breadth")
class SshCancellationTest extends WithSshd {
    private static final Duration GRACE = Duration.ofSeconds(2);
    private static final Duration SOON = Duration.ofSeconds(20);
    private static final Command FAMILY = Command.of("sh", "-c", "sleep 1000 & echo started; sleep 1000");

    @AfterEach
    void requireNoProcessLeft() {
        assertThat(sleepers()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void cancelLeavesNoProcessOfTheCommand(boolean elevated) {
        RunningCommand running = startFamily(session, elevated ? FAMILY.elevate() : FAMILY);
        await().until(() -> sleepers().size() == 2);

        running.cancel(GRACE);

        assertThat(sleepers()).isEmpty();
        assertThat(running.await(SOON)).hasValue(143);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aTimeoutLeavesNoProcessOfTheCommand(boolean elevated) {
        Command command = FAMILY.timeout(Duration.ofMillis(300));

        assertThatThrownBy(() -> session.run(elevated ? command.elevate() : command))
                .isInstanceOf(CommandException.TimedOut.class)
                .hasMessageContaining("on loop1, `sh -c sleep 1000 & echo started; sleep 1000` did not end")
                .hasMessageContaining("timeout of 300 ms and has been ended")
                .hasMessageContaining("last on standard output: started")
                .hasMessageContaining("--timeout SECONDS (Command.timeout)");
    }

    @Test
    void aTimeoutShowsNothingOfASensitiveCommand() {
        Command secret = Command.of("sh", "-c", "echo hidden; sleep 1000")
                .timeout(Duration.ofMillis(200))
                .markSensitive();

        assertThatThrownBy(() -> session.run(secret))
                .isInstanceOf(CommandException.TimedOut.class)
                .hasMessageContaining("`sh ***`")
                .hasMessageNotContaining("hidden");
    }

    @Test
    void anInterruptLeavesNoProcessAndKeepsTheFlag() throws Exception {
        CompletableFuture<Boolean> flagKept = new CompletableFuture<>();
        AtomicReference<Throwable> thrown = new AtomicReference<>();
        Thread caller = new Thread(() -> {
            try {
                session.run(FAMILY);
            } catch (RuntimeException e) {
                thrown.set(e);
            }
            flagKept.complete(Thread.currentThread().isInterrupted());
        });
        caller.start();
        await().until(() -> sleepers().size() == 2);

        caller.interrupt();

        assertThat(flagKept.get(20, java.util.concurrent.TimeUnit.SECONDS)).isTrue();
        assertThat(thrown.get())
                .isInstanceOf(OperationInterruptedException.class)
                .hasMessageContaining("the command was stopped");
        caller.join();
    }

    @Test
    void anInterruptedWaitEndsAStartedCommandToo() {
        RunningCommand running = startFamily(session, FAMILY);
        Thread.currentThread().interrupt();

        assertThatThrownBy(() -> running.await(SOON)).isInstanceOf(OperationInterruptedException.class);

        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void anInterruptedThreadMayStillClose() {
        RunningCommand running = startFamily(session, FAMILY);
        Thread.currentThread().interrupt();

        running.close();

        assertThat(Thread.interrupted()).isTrue();
        assertThat(running.await(SOON)).hasValue(137);
    }

    @Test
    void cancellingTwiceIsHarmless() {
        RunningCommand running = startFamily(session, FAMILY);

        running.cancel(GRACE);
        running.cancel(GRACE);
        running.close();

        assertThat(running.await(SOON)).hasValue(143);
    }

    @Test
    void cancellingFromSeveralThreadsIsHarmless() {
        RunningCommand running = startFamily(session, FAMILY);

        CompletableFuture.allOf(
                        CompletableFuture.runAsync(() -> running.cancel(GRACE)),
                        CompletableFuture.runAsync(() -> running.cancel(GRACE)),
                        CompletableFuture.runAsync(running::close))
                .join();

        assertThat(running.await(SOON)).isPresent();
    }

    @Test
    void cancellingACommandThatEndedChangesNothing() {
        RunningCommand running = session.start(Command.of("sh", "-c", "exit 7"), (stream, bytes, length) -> {});
        assertThat(running.await(SOON)).hasValue(7);

        running.cancel(GRACE);

        assertThat(running.await(SOON)).hasValue(7);
    }

    @Test
    void killsAProcessThatIgnoresTheRequest() {
        RunningCommand stubborn = startFamily(
                session, Command.of("sh", "-c", "trap '' TERM; echo started; while :; do sleep 1000; done"));

        stubborn.cancel(Duration.ofMillis(200));

        assertThat(stubborn.await(SOON)).hasValue(137);
    }

    @Test
    void endsAStoppedProcess() {
        RunningCommand stopped =
                startFamily(session, Command.of("sh", "-c", "sleep 1000 & kill -STOP $!; echo started; kill -STOP $$"));

        stopped.cancel(Duration.ofMillis(500));

        assertThat(stopped.await(SOON)).isPresent();
    }

    @Test
    void endsSeparateProcessGroups() {
        RunningCommand running =
                startFamily(session, Command.of("bash", "-c", "set -m; sleep 1000 & sleep 1000 & echo started; wait"));

        running.cancel(GRACE);

        assertThat(sleepers()).isEmpty();
    }

    @Test
    void endsOrphansOfTheLeader() {
        RunningCommand running = startFamily(session, Command.of("sh", "-c", "sleep 1000 & echo started"));
        assertThat(running.await(Duration.ofMillis(200))).isEmpty();

        running.cancel(GRACE);

        assertThat(sleepers()).isEmpty();
    }

    @Test
    void rootsProcessesOfAnOrdinaryCommandAreEndedThroughSudo() {
        RunningCommand running =
                startFamily(session, Command.of("sh", "-c", "sudo -n sleep 1000 & echo started; sudo -n sleep 1000"));
        await().until(() -> sleepers().size() >= 2);

        running.cancel(GRACE);

        assertThat(sleepers()).isEmpty();
    }

    @Test
    void doesNotEndForeignProcesses() {
        RunningCommand stranger = startFamily(session, FAMILY);
        RunningCommand mine = startFamily(session, FAMILY);

        mine.cancel(GRACE);

        await().until(() -> sleepers().size() == 2);
        assertThat(stranger.await(Duration.ofMillis(1))).isEmpty();
        stranger.close();
    }

    @Test
    void aListenerMayCancelItsOwnCommand() {
        AtomicReference<RunningCommand> self = new AtomicReference<>();
        CountDownLatch known = new CountDownLatch(1);
        RunningCommand running = session.start(FAMILY, (stream, bytes, length) -> {
            awaitQuietly(known);
            self.get().cancel(GRACE);
        });
        self.set(running);
        known.countDown();

        assertThat(running.await(SOON)).hasValue(143);
    }

    @Test
    void closingTheSessionEndsWhatStillRunsOnIt() {
        NodeSession second = sshd.connect(transport);
        startFamily(second, FAMILY);
        startFamily(second, FAMILY.elevate());
        await().until(() -> sleepers().size() == 4);

        second.close();

        assertThat(sleepers()).isEmpty();
    }

    private static RunningCommand startFamily(NodeSession on, Command command) {
        CountDownLatch started = new CountDownLatch(1);
        RunningCommand running = on.start(command, (stream, bytes, length) -> started.countDown());
        awaitQuietly(started);
        return running;
    }

    /** All that are not yet dead; a dead one may still wait for its parent to notice. */
    private List<String> sleepers() {
        return session.run(Command.of("pgrep", "--runstates", "DRST", "-x", "sleep"))
                .stdout()
                .lines()
                .toList();
    }
}
