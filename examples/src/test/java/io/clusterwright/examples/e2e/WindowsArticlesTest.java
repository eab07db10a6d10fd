package io.clusterwright.examples.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.clusterwright.windows.emulator.HpcPackEmulator;
import io.clusterwright.windows.hpcpack.HpcPackClient;
import io.clusterwright.windows.hpcpack.HpcPackConnection;
import io.clusterwright.windows.hpcpack.HpcPackLogin;
import io.clusterwright.windows.hpcpack.JobState;
import io.clusterwright.windows.hpcpack.TaskStatus;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The scripts of the four editions of the article about Windows clusters: the files hold each command as the article prints it. */
@Tag("breadth")
class WindowsArticlesTest {
    private static final Path ARTICLES = Path.of("articles").toAbsolutePath();
    private static final String BURST =
            "job submit /nodegroup:azurenodes /numnodes:4 mpiexec -c 1 -affinity mpipingpong";
    private static final String MACHINES = "job submit /nodegroup:vmcomputenodes /numnodes:4 mpiexec -c 1 -affinity"
            + " -env MSMPI_DISABLE_SOCK 1 -env MSMPI_PRECONNECT all -env MPICH_NETMASK 172.16.0.0/255.255.0.0 mpipingpong";
    private static final String LATENCY = " -p 1:100000 -op -s nul";
    private static final String THROUGHPUT = " -p 4000000:1000 -op -s nul";

    @TempDir
    private Path folder = Path.of("");

    private Program.Ended edition(String name) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(
                "bash",
                ARTICLES.resolve("windows-" + name + ".sh").toString(),
                folder.resolve("files").toString());
        builder.environment()
                .put("CLUSTERWRIGHT", Machine.clusterwrightIn(folder).toString());
        try (Program script = new Program(builder, "")) {
            return script.end();
        }
    }

    private List<String> lines(String file) throws IOException {
        return Files.readAllLines(folder.resolve("files").resolve(file));
    }

    @ParameterizedTest
    @CsvSource({
        "en-us, West US, WindowsServer2012R2, A8",
        "pt-br, Brazil South, WindowsServer2012, A9",
        "fr-fr, West Europe, WindowsServer2012, A8",
        "zh-cn, China North, WindowsServer2012, A8",
    })
    void filesHoldTheCommandsOfTheEdition(String edition, String location, String system, String size)
            throws IOException {
        Program.Ended ended = edition(edition);

        assertThat(ended.status()).as(ended.toString()).isZero();
        assertThat(lines("burst/job-latency.cmd")).contains(BURST + LATENCY);
        assertThat(lines("burst/job-throughput.cmd")).contains(BURST + THROUGHPUT);
        assertThat(lines("iaas/job-latency.cmd")).contains(MACHINES + LATENCY);
        assertThat(lines("iaas/job-throughput.cmd")).contains(MACHINES + THROUGHPUT);
        assertThat(ended.stdout().lines())
                .contains(BURST + LATENCY, BURST + THROUGHPUT, MACHINES + LATENCY, MACHINES + THROUGHPUT);
        for (String scenario : List.of("burst", "iaas")) {
            assertThat(lines(scenario + "/task-view.cmd"))
                    .as("of the job in %1")
                    .contains("task view %~1.1");
            assertThat(lines(scenario + "/node-startup.cmd"))
                    .contains(
                            "hpcfwutil register mpipingpong \"C:\\Program Files\\Microsoft MPI\\Bin\\mpipingpong.exe\"");
            assertThat(String.join("\n", lines(scenario + "/firewall.cmd"))).contains("clusrun /nodegroup:");
        }
        assertThat(lines("iaas/New-HPCIaaSCluster.ps1.txt"))
                .contains(".\\New-HPCIaaSCluster.ps1 -ConfigFile .\\HPCIaaSClusterConfig.xml -AdminUserName hpcadmin");
        String text = Files.readString(folder.resolve("files/iaas/HPCIaaSClusterConfig.xml"));
        assertThat(text)
                .contains(
                        "<OSVersion>" + system + "</OSVersion>",
                        "<VMSize>ExtraLarge</VMSize>",
                        "<VMSize>" + size + "</VMSize>");
        assertThat(Files.readString(folder.resolve("files/burst/burst.ps1")))
                .contains("$Location = '" + location + "'");
        assertThat(Files.exists(folder.resolve("files/resource-manager/azuredeploy.json")))
                .as("the script of 2018 renders a cluster in Resource Manager as well")
                .isEqualTo(edition.equals("en-us"));
    }

    @Test
    void jobFilesRunOnAHeadNode() throws IOException {
        assertThat(edition("zh-cn").status()).isZero();
        for (String scenario : List.of("burst", "iaas")) {
            runs(scenario);
        }
    }

    private void runs(String scenario) throws IOException {
        HpcPackEmulator.Builder nodes = HpcPackEmulator.builder();
        for (int i = 1; i <= 4; i++) {
            nodes.addNode("HPCCN-000" + i, 8, scenario.equals("burst") ? "azurenodes" : "vmcomputenodes");
        }

        try (HpcPackEmulator head = nodes.start();
                HpcPackClient client = HpcPackClient.open(
                        HpcPackConnection.of(head.url(), HpcPackLogin.basic(head.user(), head.password()))
                                .trust(List.of(head.certificate())))) {
            int job = client.jobs()
                    .createFromXml(Files.readString(folder.resolve("files").resolve(scenario + "/job.xml")));
            client.jobs().submit(job);

            assertThat(client.jobs()
                            .await(job, Duration.ofMinutes(1))
                            .orElseThrow()
                            .state())
                    .isEqualTo(JobState.FINISHED);
            assertThat(client.jobs().tasks(job))
                    .hasSize(2)
                    .allSatisfy(task -> assertThat(task.exitCode()).hasValue(0));
            assertThat(client.jobs().tasks(job)).extracting(TaskStatus::id).containsExactly(1, 2);
        }
    }
}
