package io.clusterwright.examples.javadoc;

import static org.assertj.core.api.Assertions.assertThat;

import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.SpecReader;
import io.clusterwright.core.spi.Facts;
import io.clusterwright.core.type.Secret;
import io.clusterwright.mpi.MpiJob;
import io.clusterwright.mpi.job.JobResult;
import io.clusterwright.windows.CustomScriptExtension;
import io.clusterwright.windows.WindowsImageScript;
import io.clusterwright.windows.classic.IaasConfiguration;
import io.clusterwright.windows.classic.InvalidIaasConfigurationException;
import io.clusterwright.windows.deploy.HpcPackTemplate;
import io.clusterwright.windows.emulator.HpcPackEmulator;
import io.clusterwright.windows.emulator.TaskRunner;
import io.clusterwright.windows.hpcpack.HpcPackClient;
import io.clusterwright.windows.hpcpack.HpcPackConnection;
import io.clusterwright.windows.hpcpack.HpcPackException;
import io.clusterwright.windows.hpcpack.HpcPackJob;
import io.clusterwright.windows.hpcpack.HpcPackJobs;
import io.clusterwright.windows.hpcpack.HpcPackLogin;
import io.clusterwright.windows.hpcpack.HpcPackNode;
import io.clusterwright.windows.hpcpack.HpcPackNodes;
import io.clusterwright.windows.hpcpack.HpcPackTarget;
import io.clusterwright.windows.hpcpack.HpcPackTask;
import io.clusterwright.windows.hpcpack.JobClient;
import io.clusterwright.windows.hpcpack.JobStatus;
import io.clusterwright.windows.hpcpack.MpiPingPong;
import io.clusterwright.windows.hpcpack.NodeHealth;
import io.clusterwright.windows.hpcpack.NodeState;
import io.clusterwright.windows.hpcpack.TaskStatus;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The examples in the Javadoc of the Windows modules, run on an emulated head node. */
class WindowsSnippetsTest extends Snippets {

    @Test
    void runsAJobOnAHeadNode() {
        // Javadoc of HpcPackEmulator
        try (HpcPackEmulator head = HpcPackEmulator.builder()
                .addNode("CN001", 8, "AzureNodes")
                .addNode("CN002", 8, "AzureNodes")
                .start()) {
            HpcPackConnection connection = HpcPackConnection.of(
                            head.url(), HpcPackLogin.basic(head.user(), head.password()))
                    .trust(List.of(head.certificate()));
            try (HpcPackClient client = HpcPackClient.open(connection)) {
                show(client.version());
            }
        }

        assertThat(shown()).contains("6.1.7531.0");
    }

    private static HpcPackConnection connection(HpcPackEmulator head) {
        return HpcPackConnection.of(head.url(), HpcPackLogin.basic(head.user(), head.password()))
                .trust(List.of(head.certificate()));
    }

    @Test
    void usesAHeadNode() {
        // Javadoc of TaskRunner
        TaskRunner runner = (task, output) -> {
            output.accept("ran " + task.commandLine() + " on " + task.nodes() + "\r\n");
            return 0; // the exit code of the task
        };
        HpcPackEmulator.Builder emulator = HpcPackEmulator.builder().tasksRunBy(runner);

        try (HpcPackEmulator head = emulator.addNode("CN001", 8, "AzureNodes")
                        .addNode("CN002", 8, "AzureNodes")
                        .start();
                HpcPackClient client = HpcPackClient.open(connection(head))) {
            connect(connection(head));
            jobs(client);
            target(client);
            errors(client);
            nodes(client);
        }
        assertThat(shown()).contains("ran hostname on ", "OFFLINE");
    }

    private void connect(HpcPackConnection connection) {
        // Javadoc of HpcPackClient
        try (HpcPackClient client = HpcPackClient.open(connection)) {
            show(client.version() + ", groups " + client.nodes().groups());
        }

        assertThat(shown()).contains("AzureNodes");
    }

    private void jobs(HpcPackClient client) {
        // Javadoc of HpcPackJobs
        HpcPackJobs jobs = client.jobs();
        HpcPackTask task = HpcPackTask.of("hostname").name("names");
        int id = jobs.create(HpcPackJob.of(task).nodes(1, 2).runtime(Duration.ofMinutes(10)));
        jobs.submit(id);
        Optional<JobStatus> end = jobs.await(id, Duration.ofMinutes(10));
        for (TaskStatus done : jobs.tasks(id)) {
            show(done.state() + " " + done.exitCode() + ": " + done.output());
        }

        assertThat(end).isPresent();
    }

    private void target(HpcPackClient client) {
        // Javadoc of HpcPackTarget
        HpcPackTarget target = HpcPackTarget.ofGroup(client, "AzureNodes");
        JobResult result =
                MpiJob.of("solver.exe", "case.xml").ranksPerNode(1).on(target).run(Duration.ofHours(2));
        show(result.summary());

        // Javadoc of MpiPingPong
        MpiPingPong.Report report = MpiPingPong.latency().run(target, Duration.ofMinutes(30));
        report.table().ifPresent(table -> show(table.toTable()));

        assertThat(result.succeeded()).as(result.summary()).isTrue();
        assertThat(report.result().command().toString()).contains("mpipingpong");
    }

    private void errors(HpcPackClient client) {
        // Javadoc of HpcPackException
        try {
            client.jobs().submit(4711);
        } catch (HpcPackException.NotFound absent) {
            show(absent.getMessage());
        } catch (HpcPackException.LoginRefused refused) {
            show("the password is wrong or not cached: " + refused.getMessage());
        } catch (HpcPackException.Unavailable busy) {
            show("try again later: " + busy.getMessage());
        }

        assertThat(shown()).contains("4711");
    }

    private void nodes(HpcPackClient client) {
        // Javadoc of HpcPackNodes
        HpcPackNodes nodes = client.nodes();
        for (HpcPackNode node : nodes.list()) {
            if (node.health() != NodeHealth.OK) {
                nodes.takeOffline(node.name()); // it takes no more jobs
            }
        }
        nodes.takeOffline("CN002");
        HpcPackNode offline = nodes.await("CN002", NodeState.OFFLINE, Duration.ofMinutes(5));
        show(offline.state() + ", groups " + offline.groups());

        assertThat(offline.takesJobs()).isFalse();
    }

    @Test
    void writesCommandsOfJobs() {
        // Javadoc of JobClient
        HpcPackTask task = HpcPackTask.of("mpiexec -c 1 -affinity solver.exe case.xml");
        HpcPackJob job = HpcPackJob.of(task).nodeGroups(List.of("ComputeNodes")).nodes(2, 4);
        String command = JobClient.submitCommand(job); // job submit /nodegroup:ComputeNodes /numnodes:2-4 …
        String file = JobClient.jobFile(job); // XML for: job submit /jobfile:

        assertThat(command).startsWith("job submit ").contains("/numnodes:2-4", "ComputeNodes");
        assertThat(file).contains("<Job");
    }

    @Test
    void writesTheTemplate() {
        ClusterSpec spec = SpecReader.read(Path.of("specs", "windows-resource-manager.yaml"));
        // Javadoc of HpcPackTemplate
        HpcPackTemplate template = HpcPackTemplate.of(spec, Facts.offline());
        String json = template.template(); // az deployment group create --template-file …
        String parameters = template.parameters();

        assertThat(json).contains("Microsoft.Compute/virtualMachines");
        assertThat(parameters).contains("parameters");
    }

    @Test
    void writesTheScriptOfAnImage() {
        URI installer = URI.create("https://download.microsoft.com/msmpisetup.exe");
        String sha256 = "0".repeat(64);
        // Javadoc of WindowsImageScript
        String script = WindowsImageScript.create()
                .msMpi(installer, sha256)
                .firewall("solver", "C:\\solver\\solver.exe")
                .requireNetworkDirect()
                .textWithSysprep();

        // Javadoc of CustomScriptExtension
        CustomScriptExtension extension = CustomScriptExtension.inline(script, 1); // another timestamp runs it again
        String settings = extension.settings();
        Secret secret = extension.protectedSettings(); // Azure encrypts these and never shows them

        assertThat(script).contains("sysprep", WindowsImageScript.MARKER);
        assertThat(settings).contains("timestamp");
        assertThat(secret.reveal()).contains("commandToExecute");
    }

    @Test
    void readsAConfiguration() {
        String text = IaasConfiguration.of(SpecReader.read(Path.of("specs", "windows-iaas.yaml")))
                .toXml();
        // Javadoc of IaasConfiguration
        try {
            IaasConfiguration file = IaasConfiguration.of(text);
            file.lint().forEach(this::show); // findings with line and column
            ClusterSpec spec = file.toSpec();
            show(spec.name() + ", not in the spec: " + file.notInSpec());
        } catch (InvalidIaasConfigurationException refused) {
            show(refused.line() + ":" + refused.column() + ": " + refused.getMessage());
        }

        assertThat(shown()).isNotEmpty();
    }
}
