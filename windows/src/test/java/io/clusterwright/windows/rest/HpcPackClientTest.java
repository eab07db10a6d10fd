package io.clusterwright.windows.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clusterwright.windows.emulator.EmulatedNode;
import io.clusterwright.windows.emulator.HeadNodeFault;
import io.clusterwright.windows.emulator.HpcPackEmulator;
import io.clusterwright.windows.emulator.HpcPackGeneration;
import io.clusterwright.windows.emulator.SeenRequest;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Jobs, tasks and nodes, through every generation of the interface. */
class HpcPackClientTest {
    private static final Duration LIMIT = Duration.ofSeconds(20);

    @ParameterizedTest
    @EnumSource(HpcPackGeneration.class)
    void aJobRunsAndItsTasksTellWhatTheyWrote(HpcPackGeneration generation) {
        try (HpcPackEmulator head = plain().generation(generation).start();
                HpcPackClient client = HeadNode.open(head)) {
            int job = client.createJob(HpcPackJob.named("a & b <c>").nodes(2, 2).property("Priority", "Lowest"));
            int task = client.addTask(
                    job, HpcPackTask.of("mpiexec app.exe \"a b\" & more").nodes(2, 2));
            assertThat(client.job(job).state()).isEqualTo(JobState.CONFIGURING);
            client.submit(job);

            JobStatus ended = client.awaitJob(job, LIMIT).orElseThrow();

            assertThat(ended.state()).isEqualTo(JobState.FINISHED);
            assertThat(ended.errorMessage()).isEmpty();
            assertThat(client.allOfJob(job).text("Name")).isEqualTo("a & b <c>");
            TaskStatus told = client.task(job, task);
            assertThat(told.exitCode()).hasValue(0);
            assertThat(told.output()).isEqualTo("emulated, not run: mpiexec app.exe \"a b\" & more\r\n");
            assertThat(client.tasks(job)).extracting(TaskStatus::id).containsExactly(task);
            assertThat(client.nodes()).extracting(HpcPackNode::name).containsExactly("CN001", "CN002");
            assertThat(client.node("CN002").takesJobs()).isTrue();
            assertThat(client.node("CN002").cores()).isEqualTo(8);
            assertThat(client.nodesOf("ComputeNodes")).containsExactly("CN001", "CN002");
            assertThat(client.nodeGroups()).extracting(HpcPackNodeGroup::name).contains("AzureNodes");
        }
    }

    @ParameterizedTest
    @EnumSource(HpcPackGeneration.class)
    void whichGenerationItIsIsFoundOut(HpcPackGeneration generation) {
        try (HpcPackEmulator head = plain().generation(generation).start();
                HpcPackClient client = HeadNode.open(head)) {
            assertThat(client.generation().name().replace("WINDOWS_HPC", "HPC_2012"))
                    .isEqualTo(generation.name());
            assertThat(client.version())
                    .isEqualTo(
                            generation == HpcPackGeneration.HPC_2012
                                    ? Optional.empty()
                                    : Optional.of(generation.version()));
        }
    }

    @ParameterizedTest
    @EnumSource(HpcPackGeneration.class)
    void aCancelledJobSaysWhy(HpcPackGeneration generation) {
        try (HpcPackEmulator head = plain().generation(generation).start();
                HpcPackClient client = HeadNode.open(head)) {
            int job = client.createJob(HpcPackJob.named("endless").property("RunUntilCanceled", "true"));
            client.addTask(job, HpcPackTask.of("hostname"));
            client.submit(job);
            assertThat(client.awaitJob(job, Duration.ofMillis(1))).isEmpty();

            client.cancelJob(job, "enough of <it>", true);

            JobStatus ended = client.awaitJob(job, LIMIT).orElseThrow();
            assertThat(ended.state()).isEqualTo(JobState.CANCELED);
            assertThat(ended.errorMessage()).contains("enough of <it>");
            client.cancelJob(job, "twice", true);
            assertThat(client.jobs(JobState.CANCELED)).extracting(JobStatus::id).containsExactly(job);
            assertThatThrownBy(() -> client.job(job + 1000))
                    .isInstanceOf(HpcPackNotFoundException.class)
                    .hasMessageContaining("Job " + (job + 1000) + " does not exist");
        }
    }

    @ParameterizedTest
    @EnumSource(HpcPackGeneration.class)
    void aJobWithoutAPasswordIsRefusedAtOnceAndRunsWithOne(HpcPackGeneration generation) {
        try (HpcPackEmulator head = plain().generation(generation)
                        .withoutCachedCredentials()
                        .start();
                HpcPackClient client = HeadNode.open(head)) {
            int job = client.createJob(HpcPackJob.named("job"));
            client.addTask(job, HpcPackTask.of("hostname"));
            assertThatThrownBy(() -> client.submit(job))
                    .isInstanceOf(HpcPackCredentialsException.class)
                    .hasMessageContaining("RunAs")
                    .hasMessageContaining("hpccred setcreds");

            client.submit(job, new RunAs(head.user(), head.password()));

            assertThat(client.awaitJob(job, LIMIT).orElseThrow().state()).isEqualTo(JobState.FINISHED);
        }
    }

    @Test
    void anExpiredPasswordIsToldFromAWrongLogin() {
        try (HpcPackEmulator head = plain().start();
                HpcPackClient client = HeadNode.open(head)) {
            head.inject(new HeadNodeFault.ExpiredCredentials());
            int job = client.createJob(HpcPackJob.named("job"));
            client.addTask(job, HpcPackTask.of("hostname"));
            assertThatThrownBy(() -> client.submit(job))
                    .isInstanceOf(HpcPackCredentialsException.class)
                    .hasMessageContaining("expired");
        }
    }

    @Test
    void aFailedTaskFailsItsJobAndKeepsItsOutput() {
        try (HpcPackEmulator head = plain().start();
                HpcPackClient client = HeadNode.open(head)) {
            head.inject(new HeadNodeFault.TaskFails(-1073741515, "msmpi.dll missing"));
            int job = client.createJob(HpcPackJob.named("job"));
            int task = client.addTask(job, HpcPackTask.of("app.exe"));
            client.submit(job);
            assertThat(client.awaitJob(job, LIMIT).orElseThrow().state()).isEqualTo(JobState.FAILED);
            assertThat(client.task(job, task).exitCode()).hasValue(-1073741515);
            assertThat(client.task(job, task).output()).isEqualTo("msmpi.dll missing");
        }
    }

    @Test
    void aNodeThatIsLostTakesNoJobs() {
        try (HpcPackEmulator head = plain().start();
                HpcPackClient client = HeadNode.open(head)) {
            head.inject(new HeadNodeFault.NodeUnreachable("CN002"));
            assertThat(client.node("CN002").health()).isEqualTo(NodeHealth.ERROR);
            int job = client.createJob(HpcPackJob.named("job").nodes(2, 2));
            client.addTask(job, HpcPackTask.of("hostname").nodes(2, 2));
            client.submit(job);
            assertThat(client.awaitJob(job, Duration.ofMillis(300))).isEmpty();
            assertThat(client.job(job).state()).isEqualTo(JobState.QUEUED);
        }
    }

    @Test
    void aNodeThatDoesNotGetThereIsToldWithItsState() {
        try (HpcPackEmulator head = plain().transition(Duration.ofMinutes(1)).start();
                HpcPackClient client = HeadNode.open(head)) {
            client.operate("CN001", NodeOperation.TAKE_OFFLINE);
            client.operate("CN002", NodeOperation.BRING_ONLINE);
            assertThat(head.requests())
                    .extracting(SeenRequest::target)
                    .noneMatch(target -> target.contains("CN002/operations"));
            assertThatThrownBy(() -> client.awaitNode("CN001", NodeState.OFFLINE, Duration.ofMillis(50)))
                    .isInstanceOf(HpcPackTimeoutException.class)
                    .hasMessageContaining("node CN001 is Draining");
        }
    }

    @ParameterizedTest
    @EnumSource(HpcPackGeneration.class)
    void longListsAreReadToTheirEnd(HpcPackGeneration generation) {
        List<EmulatedNode> many = IntStream.rangeClosed(1, 130)
                .mapToObj(i -> new EmulatedNode("CN" + i, 4))
                .toList();
        try (HpcPackEmulator head = plain().generation(generation).nodes(many).start();
                HpcPackClient client = HeadNode.open(head)) {
            for (int i = 0; i < 12; i++) {
                client.createJob(HpcPackJob.named("job " + i));
            }
            assertThat(client.nodes()).hasSize(130);
            assertThat(client.jobs()).hasSize(12);
        }
    }

    @Test
    void whatAGenerationCannotDoIsRefusedWithWhatCan() {
        try (HpcPackEmulator head =
                        plain().generation(HpcPackGeneration.HPC_2016).start();
                HpcPackClient client = HeadNode.open(head)) {
            assertThatThrownBy(() -> client.operate("CN001", NodeOperation.TAKE_OFFLINE))
                    .isInstanceOf(HpcPackUnsupportedException.class)
                    .hasMessageContaining("HPC Pack 2016")
                    .hasMessageContaining("Set-HpcNodeState");
        }
        try (HpcPackEmulator head =
                        plain().generation(HpcPackGeneration.HPC_2012).start();
                HpcPackClient client = HeadNode.open(head)) {
            assertThatThrownBy(() -> client.createJob(HpcPackJob.named("job").environment("A", "1")))
                    .isInstanceOf(HpcPackUnsupportedException.class)
                    .hasMessageContaining("-env");
            assertThat(client.jobs()).isEmpty();
        }
    }

    private static HpcPackEmulator.Builder plain() {
        return HpcPackEmulator.builder().plainHttp().transition(Duration.ofMillis(20));
    }
}
