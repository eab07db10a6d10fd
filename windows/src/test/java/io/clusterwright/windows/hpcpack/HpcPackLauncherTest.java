package io.clusterwright.windows.hpcpack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clusterwright.core.plan.Finding;
import io.clusterwright.core.spec.Binding;
import io.clusterwright.core.spec.MpiFlavour;
import io.clusterwright.core.type.InvalidValueException;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.mpi.MpiJob;
import io.clusterwright.mpi.RunningJob;
import io.clusterwright.mpi.job.JobResult;
import io.clusterwright.mpi.job.MpiInstallation;
import io.clusterwright.mpi.job.QueuedJob;
import io.clusterwright.mpi.job.QueuedJobStatus;
import io.clusterwright.mpi.spi.Launcher;
import io.clusterwright.windows.emulator.HpcPackEmulator;
import io.clusterwright.windows.emulator.HpcPackEmulator.Generation;
import io.clusterwright.windows.emulator.TaskRunner;
import io.clusterwright.windows.internal.jobs.HpcPackLauncher;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.ServiceLoader;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** MPI jobs through a head node whose tasks are played by the test. */
@Timeout(60)
class HpcPackLauncherTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final MpiInstallation MS_MPI = new MpiInstallation(MpiFlavour.MS_MPI, "10", "mpiexec");

    @Test
    void launcherIsFoundForMsMpi() {
        assertThat(ServiceLoader.load(Launcher.class))
                .filteredOn(launcher -> launcher.supports(MS_MPI))
                .first()
                .isInstanceOf(HpcPackLauncher.class);
    }

    @ParameterizedTest
    @EnumSource(Generation.class)
    void runsThePingPongOfTheArticle(Generation generation) {
        try (HpcPackEmulator head =
                        emulator(TaskRunner.pretending()).generation(generation).start();
                HpcPackClient client = open(head)) {
            MpiPingPong.Report report = MpiPingPong.latency().run(HpcPackTarget.ofGroup(client, "AzureNodes"), MINUTE);

            JobResult result = report.result();
            assertThat(result.succeeded()).as(result.toString()).isTrue();
            assertThat(result.isClean()).isTrue();
            assertThat(String.join(" ", result.command()))
                    .isEqualTo("mpiexec -c 1 -affinity mpipingpong -p 1:100000 -op -s nul");
            assertThat(result.outputTail())
                    .extracting(line -> line.text())
                    .containsExactly("emulated, not run: mpiexec -c 1 -affinity mpipingpong -p 1:100000 -op -s nul");
            JobStatus job = client.jobs().list().get(0);
            assertThat(client.jobs().properties(job.id()))
                    .containsEntry("NodeGroups", "AzureNodes")
                    .containsEntry("MinNodes", "2")
                    .containsEntry("MaxNodes", "2")
                    .containsEntry("RuntimeSeconds", "61");
        }
    }

    @Test
    void writesVariablesBindingAndRanks() {
        try (HpcPackEmulator head = emulator(TaskRunner.pretending()).start();
                HpcPackClient client = open(head)) {
            JobResult result = MpiJob.of("app.exe", "a b", "100%")
                    .ranks(3)
                    .binding(Binding.NONE)
                    .environment("MPICH_NETMASK", "10.0.0.0/255.255.0.0")
                    .workingDirectory("C:\\work")
                    .on(HpcPackTarget.of(client).only(List.of(NodeName.of("CN002"))))
                    .run(MINUTE);

            assertThat(result.command())
                    .containsExactly(
                            "mpiexec",
                            "-n",
                            "3",
                            "-affinity_layout",
                            "0",
                            "-wdir",
                            "C:\\work",
                            "-env",
                            "MPICH_NETMASK",
                            "10.0.0.0/255.255.0.0",
                            "app.exe",
                            "a b",
                            "100%");
            assertThat(client.jobs().properties(1)).containsEntry("RequestedNodes", "CN002");
            assertThatThrownBy(() -> MpiJob.of("app.exe")
                            .binding(Binding.SOCKET)
                            .on(HpcPackTarget.of(client))
                            .start())
                    .isInstanceOf(InvalidValueException.class)
                    .hasMessageContaining("binding under mpiexec of MS-MPI")
                    .hasMessageContaining("core, none, default");
        }
    }

    @Test
    void givesRanksThreadsAndNoCores() {
        try (HpcPackEmulator head = emulator(TaskRunner.pretending()).start();
                HpcPackClient client = open(head)) {
            MpiJob job = MpiJob.of("app.exe").ranksPerNode(2).threadsPerRank(4);

            assertThat(String.join(
                            " ", job.on(HpcPackTarget.of(client)).run(MINUTE).command()))
                    .isEqualTo("mpiexec -c 2 -env OMP_NUM_THREADS 4 app.exe");
            assertThatThrownBy(() -> job.binding(Binding.CORE)
                            .on(HpcPackTarget.of(client))
                            .start())
                    .isInstanceOf(InvalidValueException.class)
                    .hasMessage("mpiexec of MS-MPI cannot give a rank 4 cores of its own: leave out the binding"
                            + " (example: --threads 4 without --bind)");
            assertThatThrownBy(() ->
                            job.ranksPerNuma(2).on(HpcPackTarget.of(client)).start())
                    .isInstanceOf(InvalidValueException.class)
                    .hasMessage(
                            "this scheduler does not show the sockets, NUMA domains and caches of its nodes: set the"
                                    + " ranks of each node (example: --ppn 4, or ranksPerNode(4))");
        }
    }

    @Test
    void streamsOutputWhileTheJobRuns() throws InterruptedException {
        CountDownLatch first = new CountDownLatch(1);
        TaskRunner runner = (task, output) -> {
            output.accept("one\r\nsec");
            first.await();
            output.accept("ond\r\n");
            return 0;
        };
        try (HpcPackEmulator head = emulator(runner).start();
                HpcPackClient client = open(head)) {
            List<String> lines = new CopyOnWriteArrayList<>();
            RunningJob running = MpiJob.of("app.exe")
                    .on(HpcPackTarget.of(client))
                    .onOutput(line -> {
                        lines.add(line.text());
                        first.countDown();
                    })
                    .start(MINUTE);
            assertThat(first.await(20, TimeUnit.SECONDS)).isTrue();
            assertThat(running.await(MINUTE).orElseThrow().succeeded()).isTrue();
            assertThat(lines).containsExactly("one", "second");
        }
    }

    @Test
    void returnsTheExitStatusOfTheProgram() {
        try (HpcPackEmulator head = emulator(TaskRunner.pretending()).start();
                HpcPackClient client = open(head)) {
            head.failTasks(7, "no licence\r\n");
            JobResult result = MpiJob.of("app.exe").on(HpcPackTarget.of(client)).run(MINUTE);
            assertThat(result.outcome()).isEqualTo(JobResult.Outcome.ENDED);
            assertThat(result.exitStatus()).hasValue(7);
            assertThat(result.succeeded()).isFalse();
            assertThat(result.outputTail()).extracting(line -> line.text()).containsExactly("no licence");
        }
    }

    @Test
    void cancelsAJobAtItsTimeout() {
        try (HpcPackEmulator head = emulator(HpcPackLauncherTest::forEver).start();
                HpcPackClient client = open(head)) {
            JobResult result = MpiJob.of("app.exe").on(HpcPackTarget.of(client)).run(Duration.ofMillis(500));
            assertThat(result.outcome()).isEqualTo(JobResult.Outcome.TIMED_OUT);
            assertThat(result.isClean()).isTrue();
            assertThat(client.jobs().get(1).state()).isEqualTo(JobState.CANCELED);
            assertThat(client.jobs().get(1).errorMessage()).contains("its time limit was reached");
        }
    }

    @Test
    void aJobThatIsCancelledAtTheHeadNodeIsCancelled() throws InterruptedException {
        CountDownLatch started = new CountDownLatch(1);
        TaskRunner runner = (task, output) -> {
            started.countDown();
            return forEver(task, output);
        };
        try (HpcPackEmulator head = emulator(runner).start();
                HpcPackClient client = open(head);
                RunningJob running =
                        MpiJob.of("app.exe").on(HpcPackTarget.of(client)).start(MINUTE)) {
            assertThat(started.await(20, TimeUnit.SECONDS)).isTrue();
            client.jobs().cancel(1, "the owner");
            JobResult result = running.await(MINUTE).orElseThrow();
            assertThat(result.outcome()).isEqualTo(JobResult.Outcome.CANCELLED);
            assertThat(result.exitStatus()).isEmpty();
        }
    }

    @Test
    void cancelsAJobThatStaysQueued() {
        try (HpcPackEmulator head = emulator(TaskRunner.pretending()).start();
                HpcPackClient client = open(head)) {
            head.holdQueue();
            try (RunningJob running =
                    MpiJob.of("app.exe").on(HpcPackTarget.of(client)).start(MINUTE)) {
                assertThat(running.await(Duration.ofMillis(300))).isEmpty();
                assertThat(client.jobs().get(1).state()).isEqualTo(JobState.QUEUED);
                running.cancel();
                assertThat(running.await(MINUTE).orElseThrow().outcome()).isEqualTo(JobResult.Outcome.CANCELLED);
            }
            assertThat(client.jobs().get(1).state()).isEqualTo(JobState.CANCELED);
        }
    }

    @Test
    void reportsALostNode() throws InterruptedException {
        CountDownLatch started = new CountDownLatch(1);
        TaskRunner runner = (task, output) -> {
            started.countDown();
            return forEver(task, output);
        };
        try (HpcPackEmulator head = emulator(runner).start();
                HpcPackClient client = open(head);
                RunningJob running =
                        MpiJob.of("app.exe").on(HpcPackTarget.of(client)).start(MINUTE)) {
            assertThat(started.await(20, TimeUnit.SECONDS)).isTrue();
            head.disconnectNode("CN002");
            JobResult result = running.await(MINUTE).orElseThrow();
            assertThat(result.succeeded()).isFalse();
            assertThat(result.exitStatus().orElse(-1)).isNotZero();
            assertThat(result.findings())
                    .filteredOn(finding -> finding.code().equals("CW-MPI-060"))
                    .extracting(Finding::message)
                    .containsExactly("job 1 of localhost failed: it failed: Node CN002 is unreachable.");
        }
    }

    @Test
    void missingPasswordLeavesNoJobBehind() {
        try (HpcPackEmulator head = emulator(TaskRunner.pretending())
                        .withoutCachedCredentials()
                        .start();
                HpcPackClient client = open(head)) {
            HpcPackTarget target = HpcPackTarget.of(client);
            assertThatThrownBy(() -> MpiJob.of("app.exe").on(target).run(MINUTE))
                    .isInstanceOf(HpcPackException.LoginRefused.class);
            assertThat(client.jobs().list()).extracting(JobStatus::state).containsExactly(JobState.CANCELED);

            assertThat(MpiJob.of("app.exe")
                            .on(target.runAs(head.user(), head.password()))
                            .run(MINUTE)
                            .succeeded())
                    .isTrue();
        }
    }

    @Test
    void submittedJobIsFoundAgainByItsId() {
        try (HpcPackEmulator head = emulator(TaskRunner.pretending()).start();
                HpcPackClient client = open(head)) {
            String id =
                    MpiJob.of("app.exe").on(HpcPackTarget.of(client)).submit().id();

            assertThat(QueuedJob.list(HpcPackTarget.of(client))).singleElement().satisfies(job -> {
                assertThat(job.id()).isEqualTo(id);
                assertThat(job.user()).isEqualTo(head.user());
                assertThat(job.name()).startsWith("cwjob-");
            });
            QueuedJob found = QueuedJob.find(HpcPackTarget.of(client), id);
            QueuedJobStatus end = found.await(MINUTE).orElseThrow();

            assertThat(end.state()).isEqualTo(QueuedJobStatus.State.SUCCEEDED);
            assertThat(found.output()).startsWith("emulated, not run: mpiexec").endsWith("app.exe\r\n");
            assertThat(found.cancel()).isEmpty();
            assertThatThrownBy(() -> QueuedJob.find(HpcPackTarget.of(client), "nineteen"))
                    .isInstanceOf(InvalidValueException.class)
                    .hasMessageContaining("a positive number");
        }
    }

    @Test
    void refusesStagingAndOtherMpis() {
        try (HpcPackEmulator head = emulator(TaskRunner.pretending()).start();
                HpcPackClient client = open(head)) {
            HpcPackTarget target = HpcPackTarget.of(client);
            assertThatThrownBy(() -> MpiJob.of("app.exe")
                            .stageIn(Path.of("case.xml"), "/case.xml")
                            .on(target)
                            .start())
                    .isInstanceOf(InvalidValueException.class)
                    .hasMessageContaining("share");
            assertThatThrownBy(() -> MpiJob.of("a.out")
                            .flavour(MpiFlavour.OPEN_MPI)
                            .on(target)
                            .start())
                    .hasMessageContaining("Open MPI");
            assertThat(client.jobs().list()).isEmpty();
        }
    }

    private static int forEver(TaskRunner.Run task, Consumer<String> output) throws InterruptedException {
        new CountDownLatch(1).await();
        return 0;
    }

    private static HpcPackEmulator.Builder emulator(TaskRunner runner) {
        return HpcPackEmulator.builder()
                .plainHttp()
                .tasksRunBy(runner)
                .addNode("CN001", 8, "AzureNodes")
                .addNode("CN002", 8, "AzureNodes");
    }

    private static HpcPackClient open(HpcPackEmulator head) {
        return HpcPackClient.open(HpcPackConnection.of(head.url(), HpcPackLogin.basic(head.user(), head.password())));
    }

    /** It was listed as waiting, and its own status said that it runs. */
    @Test
    void aJobHasOneStateInTheListAndByItself() {
        try (HpcPackEmulator head = HpcPackEmulator.builder().start();
                HpcPackClient client = HeadNode.open(head)) {
            HpcPackTarget target = HpcPackTarget.of(client);
            int job = client.jobs().create(HpcPackJob.named("half described"));

            assertThat(target.jobs())
                    .singleElement()
                    .satisfies(listed -> assertThat(listed.status().state())
                            .isEqualTo(
                                    target.find(Integer.toString(job)).status().state())
                            .isEqualTo(QueuedJobStatus.State.WAITING));
        }
    }
}
