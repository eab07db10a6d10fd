package io.clusterwright.mpi.internal.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.clusterwright.core.internal.text.PosixShell;
import io.clusterwright.mpi.Leftovers;
import io.clusterwright.mpi.LocalSession;
import io.clusterwright.mpi.spi.JobFolder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** With real processes of this machine. */
class NodeAgentTest {
    private static final Duration SOON = Duration.ofSeconds(20);

    private final JobFolder folder = folder(1);
    private final LocalSession session = new LocalSession();
    private final NodeAgent agent = NodeAgents.of(session).take();
    private final List<String> complaints = new CopyOnWriteArrayList<>();
    private final List<Process> strangers = new ArrayList<>();

    @AfterEach
    void endWhatATestLeft() {
        agent.dismiss();
        session.close();
        strangers.forEach(Process::destroyForcibly);
    }

    @Test
    void provesThatAProgramLeftNothing() {
        agent.prove(folder, List.of("true"), complaints::add);

        assertThat(agent.status(SOON)).hasValue(0);
        assertThat(agent.answer(SOON)).contains(new Leftovers(0, 0, ""));
        assertThat(complaints).isEmpty();
    }

    @Test
    void doesOneJobAfterAnotherAndKeepsThemApart() {
        agent.prove(folder, List.of("ls", "/no/such/place"), complaints::add);
        assertThat(agent.status(SOON)).hasValue(2);
        assertThat(agent.answer(SOON)).contains(new Leftovers(0, 0, ""));
        agent.prove(folder, List.of("setsid", "--fork", "sleep", "60"), complaints::add);
        assertThat(agent.answer(SOON)).contains(new Leftovers(1, 1, ""));
        await().atMost(SOON)
                .untilAsserted(
                        () -> assertThat(complaints).singleElement().asString().contains("/no/such/place"));
        assertThat(agent.ready()).isTrue();

        List<String> later = new CopyOnWriteArrayList<>();
        for (int job = 2; job < 12; job++) {
            agent.prove(folder(job), List.of("true"), later::add);
            assertThat(agent.answer(SOON)).contains(new Leftovers(0, 0, ""));
        }

        agent.count(folder);
        assertThat(agent.answer(SOON)).contains(new Leftovers(1, 1, ""));
        assertThat(complaints).hasSize(1);
        session.run(WatchdogScript.end(folder));
    }

    @Test
    void doesNotExpandTheWordsOfAProgram() {
        agent.prove(folder, List.of("test", "/*", "=", "/*"), complaints::add);

        assertThat(agent.status(SOON)).as("one word each: %s", complaints).hasValue(0);
    }

    @Test
    void reportsTheEndOfAProgramBeforeItCounts() {
        agent.run(folder, List.of("false"), complaints::add);

        assertThat(agent.status(SOON)).hasValue(1);
        assertThat(agent.ready()).as("its part has not been counted").isFalse();
        agent.count(folder);
        assertThat(agent.answer(SOON)).contains(new Leftovers(0, 0, ""));
        assertThat(agent.ready()).isTrue();
    }

    @Test
    void waitsUntilAskedToCount() throws Exception {
        Process stranger = stranger(folder);
        agent.standBeside(folder);
        assertThat(agent.stands(SOON)).isTrue();
        assertThat(agent.answer(Duration.ofMillis(300))).isEmpty();

        agent.countNow(false);

        assertThat(agent.answer(SOON)).contains(new Leftovers(1, 1, ""));
        assertThat(stranger.isAlive()).isTrue();
        assertThat(agent.ready()).isTrue();
    }

    @Test
    void countsProcessesStartedLater() throws Exception {
        agent.standBeside(folder);
        assertThat(agent.stands(SOON)).isTrue();
        Process stranger = stranger(folder);

        agent.countNow(true);

        assertThat(agent.answer(SOON)).contains(new Leftovers(1, 1, ""));
        stranger.destroyForcibly().waitFor();
        agent.standBeside(folder);
        assertThat(agent.stands(SOON)).isTrue();
        agent.countNow(true);
        assertThat(agent.answer(SOON)).contains(new Leftovers(0, 0, ""));
    }

    @Test
    void runsShellThatPreparesAJob(@TempDir Path dir) throws Exception {
        String content = "it's\n  \\n \"é\" $HOME\n\n";
        String quoted = PosixShell.quote(dir.resolve("a file").toString());

        agent.shell(folder, "printf %s " + PosixShell.quote(content) + " > " + quoted, complaints::add);

        assertThat(agent.status(SOON)).hasValue(0);
        assertThat(dir.resolve("a file")).hasContent(content);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(dir.resolve("a file"))))
                .isEqualTo("rw-------");
        assertThat(agent.ready()).isTrue();

        agent.shell(folder, "set -e; mkdir " + quoted + "; touch " + quoted + ".2", complaints::add);

        assertThat(agent.status(SOON)).hasValue(1);
        assertThat(complaints).singleElement().asString().contains("File exists");
        assertThat(dir.resolve("a file.2")).doesNotExist();
        assertThat(agent.ready()).isTrue();
    }

    @Test
    void endsItsJobWhenTheClientIsGone() throws Exception {
        Process stranger = stranger(folder);
        agent.standBeside(folder);

        agent.dismiss();

        assertThat(stranger.waitFor(5, TimeUnit.SECONDS)).isTrue();
        agent.awaitGone(SOON);
        assertThat(agent.ready()).isFalse();
    }

    @Test
    void endsTheProgramAndItsJobWhenDismissed() throws Exception {
        Process stranger = stranger(folder);
        agent.prove(folder, List.of("sleep", "60"), complaints::add);
        assertThat(agent.status(Duration.ofMillis(100))).isEmpty();

        agent.dismiss();

        assertThat(agent.status(SOON)).isPresent().isNotEqualTo(OptionalInt.of(0));
        assertThat(stranger.waitFor(5, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void isKeptByItsSessionUntilThatIsClosed() {
        NodeAgents attendants = NodeAgents.of(session);
        NodeAgent first = attendants.take();
        first.count(folder);
        assertThat(first.answer(SOON)).isPresent();
        attendants.giveBack(first);
        assertThat(NodeAgents.of(session).take()).isSameAs(first);
        first.count(folder);
        first.answer(SOON);
        attendants.giveBack(first);

        session.close();

        await().atMost(SOON).until(() -> !first.ready());
    }

    @Test
    void isNotKeptAfterAnIncompleteJob() {
        NodeAgents attendants = NodeAgents.of(session);
        NodeAgent busy = attendants.take();
        busy.prove(folder, List.of("sleep", "60"), complaints::add);
        attendants.giveBack(busy);

        NodeAgent other = attendants.take();

        assertThat(other).isNotSameAs(busy);
        assertThat(busy.status(SOON)).as("it has been let go and ended its job").isPresent();
        other.dismiss();
    }

    private static JobFolder folder(int number) {
        return new JobFolder(
                "cwjob-%08x%08x".formatted(number, ProcessHandle.current().pid()));
    }

    /** A process of the job that no agent started. */
    private Process stranger(JobFolder folder) throws Exception {
        ProcessBuilder builder = new ProcessBuilder("sleep", "60");
        builder.environment().putAll(Map.of(JobFolder.VARIABLE, folder.token()));
        Process process = builder.start();
        strangers.add(process);
        return process;
    }
}
