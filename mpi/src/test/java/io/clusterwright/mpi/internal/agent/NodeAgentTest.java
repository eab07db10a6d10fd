package io.clusterwright.mpi.internal.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.clusterwright.core.internal.text.PosixShell;
import io.clusterwright.core.spec.MpiFlavour;
import io.clusterwright.core.type.Ipv4Address;
import io.clusterwright.mpi.LocalSession;
import io.clusterwright.mpi.internal.agent.NodeAgent.RankListener;
import io.clusterwright.mpi.job.Leftovers;
import io.clusterwright.mpi.job.MpiInstallation;
import io.clusterwright.mpi.spi.JobFolder;
import io.clusterwright.mpi.spi.LaunchCommand;
import io.clusterwright.mpi.spi.LaunchNode;
import io.clusterwright.mpi.spi.LaunchRequest;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
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
    private final List<String> ended = new CopyOnWriteArrayList<>();
    private final RankListener places = new RankListener() {
        @Override
        public void ended(int rank, int status) {}

        @Override
        public void placed(int rank, String cpus, String domains) {
            ended.add(rank + " " + cpus + " " + domains);
        }
    };
    private final RankListener ends = (rank, status) -> ended.add(rank + " " + status);
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final List<Process> strangers = new ArrayList<>();

    @AfterEach
    void endWhatATestLeft() {
        agent.dismiss();
        session.close();
        strangers.forEach(Process::destroyForcibly);
    }

    @Test
    void provesThatAProgramLeftNothing() {
        agent.runAndCount(folder, List.of("true"), complaints::add, ends);

        assertThat(agent.status(SOON)).hasValue(0);
        assertThat(agent.leftovers(SOON)).contains(new Leftovers(0, 0, ""));
        assertThat(complaints).isEmpty();
    }

    @Test
    void doesOneJobAfterAnotherAndKeepsThemApart() {
        agent.runAndCount(folder, List.of("ls", "/no/such/place"), complaints::add, ends);
        assertThat(agent.status(SOON)).hasValue(2);
        assertThat(agent.leftovers(SOON)).contains(new Leftovers(0, 0, ""));
        agent.runAndCount(folder, List.of("setsid", "--fork", "sleep", "60"), complaints::add, ends);
        assertThat(agent.leftovers(SOON)).contains(new Leftovers(1, 1, ""));
        await().atMost(SOON)
                .untilAsserted(
                        () -> assertThat(complaints).singleElement().asString().contains("/no/such/place"));
        assertThat(agent.ready()).isTrue();

        List<String> later = new CopyOnWriteArrayList<>();
        for (int job = 2; job < 12; job++) {
            agent.runAndCount(folder(job), List.of("true"), later::add, ends);
            assertThat(agent.leftovers(SOON)).contains(new Leftovers(0, 0, ""));
        }

        agent.count(folder);
        assertThat(agent.leftovers(SOON)).contains(new Leftovers(1, 1, ""));
        assertThat(complaints).hasSize(1);
        session.run(WatchdogScript.end(folder));
    }

    @Test
    void reportsHowRanksEnd() throws Exception {
        agent.watch(folder, ends);
        assertThat(agent.isWatching(SOON)).isTrue();

        assertThat(rank(0, "true")).isZero();
        assertThat(rank(1, "exit 3")).isEqualTo(3);
        assertThat(rank(2, "kill -SEGV $$")).isEqualTo(128 + 11);
        assertThat(rank(3, "trap 'exit 7' TERM; kill -TERM 0; sleep 5")).isEqualTo(7);
        agent.countWatched(true);

        assertThat(agent.leftovers(SOON)).contains(new Leftovers(0, 0, ""));
        assertThat(ended).containsExactly("0 0", "1 3", "2 139", "3 7");
        assertThat(Path.of(folder.path())).doesNotExist();
    }

    @Test
    void reportsWhereRanksMayRun() throws Exception {
        agent.watch(folder, places);
        assertThat(agent.isWatching(SOON)).isTrue();

        assertThat(rank(4, "export clusterwright_place=1", Map.of(), "true")).isZero();
        assertThat(rank(5, "true")).isZero();
        agent.countWatched(true);

        assertThat(agent.leftovers(SOON)).contains(new Leftovers(0, 0, ""));
        assertThat(ended).singleElement().asString().matches("4 [0-9,-]+ (\\d+=[0-9,-]* ?)*");
    }

    @Test
    void ranksRunWhereNoAgentListens() throws Exception {
        assertThat(rank(1, "exit 3")).isEqualTo(3);
        assertThat(ended).isEmpty();
    }

    @Test
    void ranksOfHydraAbortByASignalUnlessThatWritesACore() throws Exception {
        String set = "[ \"$MPIR_CVAR_COREDUMP_ON_ABORT\" = 1 ]";
        Map<String, String> hydra = Map.of("PMI_FD", "7", "MPI_LOCALRANKID", "0");
        agent.watch(folder, ends);
        assertThat(agent.isWatching(SOON)).isTrue();

        assertThat(rank(0, "ulimit -c 0", hydra, set)).isZero();
        assertThat(rank(1, "ulimit -c unlimited", hydra, set)).isEqualTo(1);
        assertThat(rank(2, "ulimit -c 0", Map.of("PMI_FD", "7"), set))
                .as("Slurm")
                .isEqualTo(1);
        agent.countWatched(true);
        assertThat(agent.leftovers(SOON)).contains(new Leftovers(0, 0, ""));
    }

    @Test
    void reportsHowTheRanksOfItsProgramEnd(@TempDir Path dir) throws Exception {
        Path program = Files.writeString(dir.resolve("helper"), """
                for status in 0 3; do
                    PMI_RANK=$status /bin/sh -c '%s' /no/such/file env | grep CLUSTERWRIGHT
                    PMI_RANK=$status /bin/sh -c '%1$s' /no/such/file sh -c "exit $status"
                done
                """.formatted(reporting()));

        agent.runAndCount(folder, List.of("sh", program.toString()), complaints::add, ends);

        assertThat(agent.leftovers(SOON)).contains(new Leftovers(0, 0, ""));
        assertThat(ended).containsExactly("0 0", "0 0", "3 0", "3 3");
        assertThat(complaints).containsOnly(JobFolder.VARIABLE + "=" + folder.token());
    }

    @Test
    void runsALauncherWithItsArgumentsAndItsStatus() {
        launch(List.of(
                "/bin/sh", "-c", "printf '%s|' \"$@\" \"$CLUSTERWRIGHT_JOB\"; exit 3", "x", "a b", "", "'", "é\n$"));

        assertThat(agent.status(SOON)).hasValue(3);
        assertThat(text()).isEqualTo("a b||'|é\n$|" + folder.token() + "|");
        agent.countAfterLaunch(folder);
        assertThat(agent.leftovers(SOON)).contains(new Leftovers(0, 0, ""));
        assertThat(agent.ready()).isTrue();
    }

    @Test
    void givesALauncherNoInput() {
        launch(List.of("readlink", "/proc/self/fd/0"));

        assertThat(agent.status(SOON)).hasValue(0);
        assertThat(text()).isEqualTo("/dev/null\n");
    }

    @Test
    void aLauncherCannotSayThatItEnded() {
        launch(List.of(
                "/bin/sh",
                "-c",
                "echo clusterwright-ended 0; echo clusterwright-sweep 0 0; printf '\\001x 0\\n'; exit 4"));

        assertThat(agent.status(SOON)).hasValue(4);
        assertThat(text()).isEqualTo("clusterwright-ended 0\nclusterwright-sweep 0 0\n\u0001x 0\n");
    }

    @Test
    void endsALauncherAndAllOfItsJobWhenTheInputEnds() throws Exception {
        Process stranger = stranger(folder);
        launch(List.of("/bin/sh", "-c", "trap '' TERM HUP INT; setsid sleep 60 & echo up; while :; do sleep 60; done"));
        await().atMost(SOON).until(() -> text().equals("up\n"));

        agent.dismiss();

        agent.awaitGone(SOON);
        assertThat(stranger.waitFor(5, TimeUnit.SECONDS)).isTrue();
        assertThat(new LocalSession().run(WatchdogScript.end(folder)).stdout()).isEqualTo("clusterwright-sweep 0 0\n");
    }

    @Test
    void leavesWhatASuccessfulJobLeftWhenItIsDismissed() throws Exception {
        agent.runAndCount(folder, List.of("setsid", "--fork", "sleep", "60"), complaints::add, ends);
        assertThat(agent.leftovers(SOON)).contains(new Leftovers(1, 1, ""));

        agent.dismiss();

        agent.awaitGone(SOON);
        assertThat(new LocalSession().run(WatchdogScript.end(folder)).stdout()).isEqualTo("clusterwright-sweep 1 0\n");
    }

    private void launch(List<String> words) {
        agent.launch(folder, new LaunchCommand(words), (stream, bytes, length) -> {
            synchronized (out) {
                out.write(bytes, 0, length);
            }
        });
    }

    private String text() {
        synchronized (out) {
            return out.toString(StandardCharsets.UTF_8);
        }
    }

    private String reporting() {
        return LaunchRequest.of(
                        new MpiInstallation(MpiFlavour.MPICH, "4.0.2", "mpirun"),
                        List.of(new LaunchNode(LocalSession.NODE, Ipv4Address.of("127.0.0.1"), 4)),
                        folder,
                        List.of("true"))
                .option(LaunchRequest.LaunchOption.REPORT_ENDS)
                .rankProgram()
                .get(2);
    }

    private int rank(int number, String script) throws Exception {
        return rank(number, ":", Map.of(), script);
    }

    /** A process group, as launchers make one for each rank. */
    private int rank(int number, String before, Map<String, String> variables, String script) throws Exception {
        List<String> words = LaunchRequest.of(
                        new MpiInstallation(MpiFlavour.MPICH, "4.0.2", "mpirun"),
                        List.of(new LaunchNode(LocalSession.NODE, Ipv4Address.of("127.0.0.1"), 4)),
                        folder,
                        List.of("/bin/sh", "-c", script))
                .option(LaunchRequest.LaunchOption.REPORT_ENDS)
                .rankProgram();
        List<String> grouped =
                new ArrayList<>(List.of("setsid", "--wait", "/bin/sh", "-c", before + "; exec \"$@\"", "before"));
        grouped.addAll(words);
        ProcessBuilder builder = new ProcessBuilder(grouped).redirectErrorStream(true);
        builder.environment().put("PMI_RANK", Integer.toString(number));
        builder.environment().putAll(variables);
        Process process = builder.start();
        strangers.add(process);
        assertThat(process.waitFor(20, TimeUnit.SECONDS)).isTrue();
        return process.exitValue();
    }

    @Test
    void doesNotExpandTheWordsOfAProgram() {
        agent.runAndCount(folder, List.of("test", "/*", "=", "/*"), complaints::add, ends);

        assertThat(agent.status(SOON)).as("one word each: %s", complaints).hasValue(0);
    }

    @Test
    void countsAfterTheEndOfAProgramWhenAsked() {
        agent.run(folder, List.of("false"), complaints::add, ends);

        assertThat(agent.status(SOON)).hasValue(1);
        assertThat(agent.leftovers(SOON)).isEmpty();
        agent.count(folder);
        assertThat(agent.leftovers(SOON)).contains(new Leftovers(0, 0, ""));
        assertThat(agent.ready()).isTrue();
    }

    @Test
    void waitsUntilAskedToCount() throws Exception {
        Process stranger = stranger(folder);
        agent.watch(folder, ends);
        assertThat(agent.isWatching(SOON)).isTrue();
        assertThat(agent.leftovers(Duration.ofMillis(300))).isEmpty();

        agent.countWatched(false);

        assertThat(agent.leftovers(SOON)).contains(new Leftovers(1, 1, ""));
        assertThat(stranger.isAlive()).isTrue();
        assertThat(agent.ready()).isTrue();
    }

    @Test
    void countsProcessesStartedLater() throws Exception {
        agent.watch(folder, ends);
        assertThat(agent.isWatching(SOON)).isTrue();
        Process stranger = stranger(folder);

        agent.countWatched(true);

        assertThat(agent.leftovers(SOON)).contains(new Leftovers(1, 1, ""));
        stranger.destroyForcibly().waitFor();
        agent.watch(folder, ends);
        assertThat(agent.isWatching(SOON)).isTrue();
        agent.countWatched(true);
        assertThat(agent.leftovers(SOON)).contains(new Leftovers(0, 0, ""));
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
        agent.watch(folder, ends);

        agent.dismiss();

        assertThat(stranger.waitFor(5, TimeUnit.SECONDS)).isTrue();
        agent.awaitGone(SOON);
        assertThat(agent.ready()).isFalse();
    }

    @Test
    void endsTheProgramAndItsJobWhenDismissed() throws Exception {
        Process stranger = stranger(folder);
        agent.runAndCount(folder, List.of("sleep", "60"), complaints::add, ends);
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
        assertThat(first.leftovers(SOON)).isPresent();
        attendants.giveBack(first);
        assertThat(NodeAgents.of(session).take()).isSameAs(first);
        first.count(folder);
        first.leftovers(SOON);
        attendants.giveBack(first);

        session.close();

        await().atMost(SOON).until(() -> !first.ready());
    }

    @Test
    void isNotKeptAfterAnIncompleteJob() {
        NodeAgents attendants = NodeAgents.of(session);
        NodeAgent busy = attendants.take();
        busy.runAndCount(folder, List.of("sleep", "60"), complaints::add, ends);
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
