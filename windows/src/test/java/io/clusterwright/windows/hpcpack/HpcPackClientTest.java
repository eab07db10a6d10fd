package io.clusterwright.windows.hpcpack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clusterwright.windows.emulator.HpcPackEmulator;
import io.clusterwright.windows.emulator.HpcPackEmulator.Generation;
import io.clusterwright.windows.powershell.PowerShellCheck;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Jobs, tasks and nodes, through every generation of the interface. */
class HpcPackClientTest {
    private static final Duration LIMIT = Duration.ofSeconds(20);
    private static final String SNAP_IN = "Add-PSSnapin Microsoft.HPC -ErrorAction SilentlyContinue; ";

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
            assertThat(client)
                    .hasToString((generation == Generation.HPC_2012
                                    ? "HPC Pack 2012 or 2012 R2"
                                    : generation.name().replace("HPC_", "HPC Pack "))
                            + " at " + head.url());
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

    /** Each call that a generation refuses, and the lines that do it on the head node. */
    private static Map<String, Consumer<HpcPackClient>> changesOfNodes() {
        Map<String, Consumer<HpcPackClient>> calls = new LinkedHashMap<>();
        calls.put(
                SNAP_IN + "Set-HpcNodeState -Name @('CN002') -State Offline -Confirm:$false",
                client -> client.nodes().takeOffline("CN002"));
        calls.put(
                SNAP_IN + "Set-HpcNodeState -Name @('AzureCN-0001','AzureCN-0002') -State Online -Confirm:$false",
                client -> client.nodes().bringOnline("CN001", "AzureCN-0001", "AzureCN-0002"));
        calls.put(
                SNAP_IN + "Start-HpcAzureNode -Name @('azurecn-0001','AzureCN-0002')",
                client -> client.nodes().start("azurecn-0001", "AzureCN-0002"));
        calls.put(
                SNAP_IN + "Stop-HpcAzureNode -Name @('AzureCN-0001')",
                client -> client.nodes().stop("AzureCN-0001"));
        calls.put(
                SNAP_IN + "Restart-HpcNode -Name @('CN001') -Confirm:$false",
                client -> client.nodes().reboot("CN001"));
        calls.put(
                SNAP_IN + "Shutdown-HpcNode -Name @('CN001','CN002') -Confirm:$false",
                client -> client.nodes().shutdown("CN001", "CN002"));
        calls.put(
                SNAP_IN + "New-HpcGroup -Name 'Racks' -Description 'Bob''s rack'",
                client -> client.nodes().createGroup("Racks", "Bob's rack"));
        calls.put(
                SNAP_IN + "New-HpcGroup -Name 'Racks'; Add-HpcGroup -Name 'Racks' -NodeName @('CN001','CN002')",
                client -> client.nodes().addToGroup("Racks", List.of("CN001", "CN002")));
        calls.put(
                SNAP_IN + "Add-HpcGroup -Name 'computenodes' -NodeName @('CN001')",
                client -> client.nodes().addToGroup("computenodes", List.of("CN001")));
        calls.put(
                SNAP_IN + "Remove-HpcGroup -Name 'Racks' -NodeName @('CN001') -Confirm:$false",
                client -> client.nodes().removeFromGroup("Racks", List.of("CN001")));
        calls.put(
                SNAP_IN + "Remove-HpcGroup -Name 'Racks' -Confirm:$false",
                client -> client.nodes().deleteGroup("Racks"));
        return calls;
    }

    private static Map<String, Consumer<HpcPackClient>> callsSince2016() {
        Map<String, Consumer<HpcPackClient>> calls = new LinkedHashMap<>();
        calls.put("job finish 7", client -> client.jobs().finish(7, "done"));
        calls.put(
                SNAP_IN + "Stop-HpcAzureNode -Name @('AzureCN-0001')\n"
                        + "& \"$env:CCP_HOME\\bin\\Stop-HPCIaaSNode.ps1\" -Name @('CN001','CN002')",
                client -> client.nodes().stop("CN001", "AzureCN-0001", "CN002"));
        return calls;
    }

    @ParameterizedTest
    @EnumSource(names = {"HPC_2012", "HPC_2016"})
    void aRefusalHasTheCommandsForTheHeadNode(Generation generation) {
        Map<String, Consumer<HpcPackClient>> calls = changesOfNodes();
        if (generation == Generation.HPC_2012) {
            calls.putAll(callsSince2016());
        }
        try (HpcPackEmulator head = withBurstNodes().generation(generation).start();
                HpcPackClient client = HeadNode.open(head)) {
            calls.forEach((commands, call) -> assertThatThrownBy(() -> call.accept(client))
                    .isInstanceOfSatisfying(
                            HpcPackException.Unsupported.class,
                            e -> assertThat(e.commands()).containsExactly(commands.split("\n")))
                    .hasMessageStartingWith(
                            "the REST interface of " + client.toString().replaceFirst(" at .*", "") + " cannot ")
                    .hasMessageEndingWith(
                            "; run this in PowerShell on the head node, as an administrator of the cluster:\n"
                                    + commands));
            assertThat(head.requests()).allMatch(request -> request.startsWith("GET "));
        }
    }

    @Test
    @Tag("breadth")
    void theCommandsOfRefusalsExist() {
        Map<String, String> scripts = new LinkedHashMap<>();
        changesOfNodes().keySet().forEach(command -> scripts.put(command, command));
        callsSince2016().keySet().forEach(command -> scripts.put(command, command));
        PowerShellCheck.check(scripts);
    }

    @Test
    void nothingIsRefusedWhereNothingIsLeftToChange() {
        try (HpcPackEmulator head = plain().generation(Generation.HPC_2012).start();
                HpcPackClient client = HeadNode.open(head)) {
            client.nodes().bringOnline("CN001", "CN002");
            assertThat(client.nodes().removeFromGroup("ComputeNodes", List.of()))
                    .containsExactly("CN001", "CN002");
        }
    }

    @Test
    void virtualMachinesOf2016AreStartedInAzure() {
        try (HpcPackEmulator head =
                        withBurstNodes().generation(Generation.HPC_2016).start();
                HpcPackClient client = HeadNode.open(head)) {
            assertThatThrownBy(() -> client.nodes().start("CN001", "AzureCN-0001"))
                    .isInstanceOfSatisfying(
                            HpcPackException.Unsupported.class,
                            e -> assertThat(e.commands()).isEmpty())
                    .hasMessage(
                            "the REST interface of HPC Pack 2016 cannot start virtual machines: start CN001 in Azure,"
                                    + " where their resource group is (az vm start)");
        }
    }

    @Test
    void pathsOf2012HaveTheNameOfTheCluster() {
        try (HpcPackEmulator head = plain().generation(Generation.HPC_2012).start();
                HpcPackClient client = HeadNode.open(head)) {
            client.jobs().list();
            assertThat(head.requests())
                    .containsExactly(
                            "GET /hpc/cluster/version 404",
                            "GET /WindowsHPC/Clusters 200",
                            "GET /WindowsHPC/HEADNODE/Jobs?Properties=Id,Name,State,PreviousState,Owner,ErrorMessage 200");
        }
    }

    @Test
    void no2012ActsForAnotherUser() {
        try (HpcPackEmulator head = plain().generation(Generation.HPC_2012).start()) {
            HpcPackConnection connection = HeadNode.connection(head).asUser("HPC\\alice");
            assertThatThrownBy(() -> HpcPackClient.open(connection))
                    .isInstanceOf(HpcPackException.Unsupported.class)
                    .hasMessage("the REST interface of HPC Pack 2012 or 2012 R2 cannot act for another user: log in as"
                            + " HPC\\alice instead");
        }
    }

    @ParameterizedTest
    @EnumSource(Generation.class)
    void tasksHaveTheVariablesOfTheirJob(Generation generation) {
        Map<String, String> seen = new ConcurrentHashMap<>();
        try (HpcPackEmulator head = plain().generation(generation)
                        .tasksRunBy((task, output) -> {
                            seen.putAll(task.environment());
                            return 0;
                        })
                        .start();
                HpcPackClient client = HeadNode.open(head)) {
            int job = client.jobs()
                    .create(HpcPackJob.named("job")
                            .environment("A", "1 & 2")
                            .addTask(HpcPackTask.of("app.exe").environment("B", "<3>")));
            client.jobs().submit(job);

            assertThat(client.jobs().await(job, LIMIT).orElseThrow().state()).isEqualTo(JobState.FINISHED);
            assertThat(client.jobs().properties(job)).containsEntry("Name", "job");
            assertThat(seen).containsEntry("A", "1 & 2").containsEntry("B", "<3>");
        }
    }

    @ParameterizedTest
    @EnumSource(Generation.class)
    void cancelsATaskAndQueuesItsJobAgain(Generation generation) {
        try (HpcPackEmulator head = plain().generation(generation).start();
                HpcPackClient client = HeadNode.open(head)) {
            int job = client.jobs().create(HpcPackJob.named("job"));
            int task = client.jobs().addTask(job, HpcPackTask.of("app.exe").environment("A", "1"));
            client.jobs().cancelTask(job, task, "not <now>");
            assertThat(client.jobs().task(job, task).state().ended()).isTrue();
            client.jobs().cancelAtOnce(job, "enough");
            client.jobs().requeue(job);
            assertThat(client.jobs().await(job, LIMIT).orElseThrow().state()).isEqualTo(JobState.FINISHED);
            assertThat(client.jobs().templates()).containsExactly("Default");
        }
    }

    private static HpcPackEmulator.Builder withBurstNodes() {
        return plain().addNode("CN001", 8)
                .addNode("CN002", 8)
                .addUndeployedNode("AzureCN-0001", 8, "AzureNodes")
                .addUndeployedNode("AzureCN-0002", 8, "AzureNodes");
    }

    private static HpcPackEmulator.Builder plain() {
        return HpcPackEmulator.builder().plainHttp().transition(Duration.ofMillis(20));
    }
}
