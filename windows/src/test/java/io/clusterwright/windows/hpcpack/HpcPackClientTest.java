package io.clusterwright.windows.hpcpack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clusterwright.windows.emulator.HpcPackEmulator;
import io.clusterwright.windows.emulator.HpcPackEmulator.Generation;
import java.time.Duration;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Jobs, tasks and nodes, through every generation of the interface. */
class HpcPackClientTest {
    private static final Duration LIMIT = Duration.ofSeconds(20);

    @ParameterizedTest
    @EnumSource(Generation.class)
    void runsAJobAndReadsItsOutput(Generation generation) {
        try (HpcPackEmulator head = plain().generation(generation).start();
                HpcPackClient client = HeadNode.open(head)) {
            int job = client.jobs()
                    .create(HpcPackJob.named("a & b <c>").nodes(2, 2).property("Priority", "Lowest"));
            int task = client.jobs()
                    .addTask(
                            job,
                            HpcPackTask.of("mpiexec app.exe \"a b\" & more").nodes(2, 2));
            assertThat(client.jobs().get(job).state()).isEqualTo(JobState.CONFIGURING);
            client.jobs().submit(job);

            JobStatus ended = client.jobs().await(job, LIMIT).orElseThrow();

            assertThat(ended.state()).isEqualTo(JobState.FINISHED);
            assertThat(ended.errorMessage()).isEmpty();
            assertThat(client.jobs().properties(job)).containsEntry("Name", "a & b <c>");
            TaskStatus told = client.jobs().task(job, task);
            assertThat(told.exitCode()).hasValue(0);
            assertThat(told.output()).isEqualTo("emulated, not run: mpiexec app.exe \"a b\" & more\r\n");
            assertThat(client.jobs().tasks(job)).extracting(TaskStatus::id).containsExactly(task);
            assertThat(client.nodes().list()).extracting(HpcPackNode::name).containsExactly("CN001", "CN002");
            assertThat(client.nodes().get("CN002").takesJobs()).isTrue();
            assertThat(client.nodes().get("CN002").cores()).hasValue(8);
            assertThat(client.nodes().inGroup("ComputeNodes")).containsExactly("CN001", "CN002");
            assertThat(client.nodes().groups()).contains("AzureNodes");
        }
    }

    @ParameterizedTest
    @EnumSource(Generation.class)
    void detectsTheGeneration(Generation generation) {
        try (HpcPackEmulator head = plain().generation(generation).start();
                HpcPackClient client = HeadNode.open(head)) {
            assertThat(client).hasToString(generation.name().replace("HPC_", "HPC Pack ") + " at " + head.url());
            assertThat(client.version())
                    .isEqualTo(
                            generation == Generation.HPC_2012 ? Optional.empty() : Optional.of(generation.version()));
        }
    }

    @ParameterizedTest
    @EnumSource(Generation.class)
    void reportsTheReasonOfACancellation(Generation generation) {
        try (HpcPackEmulator head = plain().generation(generation).start();
                HpcPackClient client = HeadNode.open(head)) {
            int job = client.jobs().create(HpcPackJob.named("endless").property("RunUntilCanceled", "true"));
            client.jobs().addTask(job, HpcPackTask.of("hostname"));
            client.jobs().submit(job);
            assertThat(client.jobs().await(job, Duration.ofMillis(1))).isEmpty();

            client.jobs().cancelAtOnce(job, "enough of <it>");

            JobStatus ended = client.jobs().await(job, LIMIT).orElseThrow();
            assertThat(ended.state()).isEqualTo(JobState.CANCELED);
            assertThat(ended.errorMessage()).contains("enough of <it>");
            client.jobs().cancelAtOnce(job, "twice");
            assertThat(client.jobs().list(JobState.CANCELED))
                    .extracting(JobStatus::id)
                    .containsExactly(job);
            assertThatThrownBy(() -> client.jobs().get(job + 1000))
                    .isInstanceOf(HpcPackException.NotFound.class)
                    .hasMessageContaining("Job " + (job + 1000) + " does not exist");
        }
    }

    @ParameterizedTest
    @EnumSource(Generation.class)
    void refusesAJobWithoutAPassword(Generation generation) {
        try (HpcPackEmulator head = plain().generation(generation)
                        .withoutCachedCredentials()
                        .start();
                HpcPackClient client = HeadNode.open(head)) {
            int job = client.jobs().create(HpcPackJob.named("job"));
            client.jobs().addTask(job, HpcPackTask.of("hostname"));
            assertThatThrownBy(() -> client.jobs().submit(job))
                    .isInstanceOf(HpcPackException.LoginRefused.class)
                    .hasMessageContaining("runAs")
                    .hasMessageContaining("hpccred setcreds");

            client.jobs().submit(job, head.user(), head.password());

            assertThat(client.jobs().await(job, LIMIT).orElseThrow().state()).isEqualTo(JobState.FINISHED);
        }
    }

    @Test
    void distinguishesAnExpiredPasswordFromAWrongLogin() {
        try (HpcPackEmulator head = plain().start();
                HpcPackClient client = HeadNode.open(head)) {
            head.expireCredentials();
            int job = client.jobs().create(HpcPackJob.named("job"));
            client.jobs().addTask(job, HpcPackTask.of("hostname"));
            assertThatThrownBy(() -> client.jobs().submit(job))
                    .isInstanceOf(HpcPackException.LoginRefused.class)
                    .hasMessageContaining("expired");
        }
    }

    @Test
    void keepsTheOutputOfAFailedTask() {
        try (HpcPackEmulator head = plain().start();
                HpcPackClient client = HeadNode.open(head)) {
            head.failTasks(-1073741515, "msmpi.dll missing");
            int job = client.jobs().create(HpcPackJob.named("job"));
            int task = client.jobs().addTask(job, HpcPackTask.of("app.exe"));
            client.jobs().submit(job);
            assertThat(client.jobs().await(job, LIMIT).orElseThrow().state()).isEqualTo(JobState.FAILED);
            assertThat(client.jobs().task(job, task).exitCode()).hasValue(-1073741515);
            assertThat(client.jobs().task(job, task).output()).isEqualTo("msmpi.dll missing");
        }
    }

    @Test
    void queuesAJobWhileANodeIsLost() {
        try (HpcPackEmulator head = plain().start();
                HpcPackClient client = HeadNode.open(head)) {
            head.disconnectNode("CN002");
            assertThat(client.nodes().get("CN002").health()).isEqualTo(NodeHealth.ERROR);
            int job = client.jobs().create(HpcPackJob.named("job").nodes(2, 2));
            client.jobs().addTask(job, HpcPackTask.of("hostname").nodes(2, 2));
            client.jobs().submit(job);
            assertThat(client.jobs().await(job, Duration.ofMillis(300))).isEmpty();
            assertThat(client.jobs().get(job).state()).isEqualTo(JobState.QUEUED);
        }
    }

    @Test
    void reportsTheStateOfANodeThatIsLate() {
        try (HpcPackEmulator head = plain().transition(Duration.ofMinutes(1)).start();
                HpcPackClient client = HeadNode.open(head)) {
            client.nodes().takeOffline("CN001");
            client.nodes().bringOnline("CN002");
            assertThat(head.requests()).noneMatch(target -> target.contains("CN002/operations"));
            assertThatThrownBy(() -> client.nodes().await("CN001", NodeState.OFFLINE, Duration.ofMillis(50)))
                    .isInstanceOf(HpcPackException.Unavailable.class)
                    .hasMessageContaining("node CN001 is Draining");
        }
    }

    @ParameterizedTest
    @EnumSource(Generation.class)
    void readsAllPagesOfAList(Generation generation) {
        HpcPackEmulator.Builder many = plain().generation(generation);
        IntStream.rangeClosed(1, 130).forEach(i -> many.addNode("CN" + i, 4));
        try (HpcPackEmulator head = many.start();
                HpcPackClient client = HeadNode.open(head)) {
            for (int i = 0; i < 12; i++) {
                client.jobs().create(HpcPackJob.named("job " + i));
            }
            assertThat(client.nodes().list()).hasSize(130);
            assertThat(client.jobs().list()).hasSize(12);
        }
    }

    @Test
    void refusesOperationsOfOtherGenerations() {
        try (HpcPackEmulator head = plain().generation(Generation.HPC_2016).start();
                HpcPackClient client = HeadNode.open(head)) {
            assertThatThrownBy(() -> client.nodes().takeOffline("CN001"))
                    .isInstanceOf(HpcPackException.Unsupported.class)
                    .hasMessageContaining("HPC Pack 2016")
                    .hasMessageContaining("Set-HpcNodeState");
        }
        try (HpcPackEmulator head = plain().generation(Generation.HPC_2012).start();
                HpcPackClient client = HeadNode.open(head)) {
            assertThatThrownBy(
                            () -> client.jobs().create(HpcPackJob.named("job").environment("A", "1")))
                    .isInstanceOf(HpcPackException.Unsupported.class)
                    .hasMessageContaining("-env");
            assertThat(client.jobs().list()).isEmpty();
        }
    }

    private static HpcPackEmulator.Builder plain() {
        return HpcPackEmulator.builder().plainHttp().transition(Duration.ofMillis(20));
    }
}
