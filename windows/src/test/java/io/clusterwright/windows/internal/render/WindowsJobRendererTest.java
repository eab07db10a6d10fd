package io.clusterwright.windows.internal.render;

import static org.assertj.core.api.Assertions.assertThat;

import io.clusterwright.core.Planner;
import io.clusterwright.core.plan.Finding;
import io.clusterwright.core.plan.RenderedFiles;
import io.clusterwright.core.spec.SpecReader;
import io.clusterwright.windows.powershell.PowerShellCheck;
import io.clusterwright.windows.wine.Recorder;
import io.clusterwright.windows.wine.Wine;
import io.clusterwright.windows.wine.WineExtension;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("breadth")
@ExtendWith(WineExtension.class)
@ResourceLock("wine")
class WindowsJobRendererTest {
    private static final List<String> NAMES = List.of(
            "job-latency.cmd",
            "job-throughput.cmd",
            "task-view.cmd",
            "job.xml",
            "firewall.cmd",
            "node-startup.cmd",
            "node-group.ps1");

    @ParameterizedTest
    @ValueSource(strings = {"iaas", "burst"})
    void filesMatchTheGoldenFiles(String scenario) throws IOException {
        RenderedFiles files = files(scenario);
        for (String name : NAMES) {
            String text = files.find(name).orElseThrow().text();
            if (Boolean.getBoolean("clusterwright.update")) {
                Path golden =
                        Path.of("src/test/resources/io/clusterwright/windows/internal/render/golden", scenario, name);
                Files.createDirectories(Objects.requireNonNull(golden.getParent()));
                Files.writeString(golden, text);
                continue;
            }
            assertThat(text).as(scenario + "/" + name).isEqualTo(resource("golden/" + scenario + "/" + name));
        }
    }

    @Test
    void theJobTemplateRequiresTheGroupOfTheAzureNodes() {
        String script = Planner.offline()
                .render(SpecReader.read("""
                        name: hpc1
                        region: westus
                        operatingSystem: windows
                        nodes: {count: 4, size: Standard_A8}
                        hpcPack:
                          scenario: burst
                          existingHead: true
                          nodeGroup: AzureNodes
                          jobTemplate: AzureOnly
                          burst: {cloudService: hpc1-burst, storageAccount: hpc1store, nodeTemplate: AzureRdma}
                        """, "burst.yaml"))
                .find("node-group.ps1")
                .orElseThrow()
                .text();

        assertThat(script)
                .contains(
                        "$Group = 'AzureNodes'",
                        "$JobTemplate = 'AzureOnly'",
                        "foreach ($attribute in @('Default', 'ValueRange', 'RequiredValues')) { $item.SetAttribute($attribute, $Group) }",
                        "Add-HpcGroup -Name $Name");
    }

    @Test
    void scriptsOfPowerShellCallWhatExists() {
        PowerShellCheck.check(Map.of(
                "iaas", files("iaas").find("node-group.ps1").orElseThrow().text(),
                "burst", files("burst").find("node-group.ps1").orElseThrow().text()));
    }

    @Test
    void theClustersNetmaskIsSetForNodesOfTheDomain() {
        String iaas = files("iaas").find("node-group.ps1").orElseThrow().text();
        assertThat(iaas)
                .contains("[string] $MpiNetmask = '172.16.0.0/255.255.0.0'")
                .contains("cluscfg setenvs \"CCP_MPI_NETMASK=$MpiNetmask\"")
                .contains("cluscfg listenvs");
        assertThat(files("burst").find("node-group.ps1").orElseThrow().text()).contains("[string] $MpiNetmask = ''");

        assertThat(netmask("Standard_A8", "{netmask: 10.1.0.0/255.255.0.0}")).isEqualTo("10.1.0.0/255.255.0.0");
        assertThat(netmask("Standard_A8", "{env: {CCP_MPI_NETMASK: 172.16.0.0/16}}"))
                .isEqualTo("172.16.0.0/16");
        assertThat(netmask("Standard_HB120rs_v3", "{}")).isEmpty();
    }

    private static String netmask(String size, String mpi) {
        String spec =
                "name: a\nregion: westus\noperatingSystem: windows\nlogin: {user: hpcadmin}\nnodes: {count: 2, size: "
                        + size + "}\n"
                        + "mpi: " + mpi + "\n";
        String script = Planner.offline()
                .render(SpecReader.read(spec, "spec.yaml"))
                .find("node-group.ps1")
                .orElseThrow()
                .text();
        return script.replaceFirst("(?s).*\\$MpiNetmask = '([^']*)'.*", "$1");
    }

    @Test
    void theJobScriptsSubmitTheArticlesCommands(Wine wine) throws IOException {
        Recorder job = new Recorder(wine).alias("job");
        String script = files("iaas").find("job-latency.cmd").orElseThrow().text();

        assertThat(job.script("job-latency.cmd", script, Map.of())).isZero();
        assertThat(job.recorded())
                .containsExactly(List.of(("submit /nodegroup:vmcomputenodes /numnodes:4 mpiexec -c 1 -affinity"
                                + " -env MSMPI_DISABLE_SOCK 1 -env MSMPI_PRECONNECT all"
                                + " -env MPICH_NETMASK 172.16.0.0/255.255.0.0 mpipingpong -p 1:100000 -op -s nul")
                        .split(" ")));
    }

    @Test
    void theJobScriptsFailWhereAPasswordWouldBeAskedFor(Wine wine) throws IOException {
        Recorder job = new Recorder(wine).alias("job");
        String script = files("burst").find("job-throughput.cmd").orElseThrow().text();

        assertThat(job.script("job-throughput.cmd", script, Map.of("RECORDER_MODE", "ask")))
                .isEqualTo(1);
    }

    @Test
    void theTaskScriptTakesTheNumberOfAJobAndNothingElse(Wine wine) throws IOException {
        Recorder task = new Recorder(wine).alias("task");
        String script = files("iaas").find("task-view.cmd").orElseThrow().text();

        assertThat(task.script("task-view.cmd", script, Map.of(), "42")).isZero();
        assertThat(task.recorded()).containsExactly(List.of("view", "42.1"));
        assertThat(task.script("task-view.cmd", script, Map.of(), "42x")).isEqualTo(2);
        assertThat(task.script("task-view.cmd", script, Map.of())).isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"firewall.cmd", "node-startup.cmd"})
    void firewallScriptsRegisterEveryProgramAndTellOfFailures(String name, Wine wine) throws IOException {
        Recorder tool = new Recorder(wine).alias("hpcfwutil");
        String script = files("iaas").find(name).orElseThrow().text();

        assertThat(tool.script(name, script, Map.of())).isZero();
        assertThat(tool.recorded())
                .containsExactly(
                        List.of("register", "mpipingpong", "C:\\Program Files\\Microsoft MPI\\Bin\\mpipingpong.exe"),
                        List.of("register", "solver", "C:\\app 100%\\solver.exe"));
        assertThat(tool.script(name, script, Map.of("RECORDER_MODE", "fail"))).isEqualTo(1);
    }

    @Test
    void aMaskThatMsMpiWouldIgnoreIsAFinding() {
        String spec = "name: a\nregion: westus\noperatingSystem: windows\nnodes: {count: 2, size: Standard_A8}\n";
        assertThat(codes(spec + "mpi: {env: {MPICH_NETMASK: 172.16.0.0}}\n")).contains("CW-HPCJOB-001");
        assertThat(codes(spec + "mpi: {env: {MPICH_NETMASK: 172.16.0.0/16}}\n")).doesNotContain("CW-HPCJOB-001");
        assertThat(codes(spec
                        + "hpcPack: {scenario: burst, burst: {cloudService: s, storageAccount: store}}\n"
                        + "mpi: {env: {CCP_MPI_NETMASK: 172.16.0.0/16}}\n"))
                .contains("CW-HPCJOB-002")
                .doesNotContain("CW-HPCJOB-001");
    }

    private static List<String> codes(String spec) {
        return Planner.check(SpecReader.read(spec, "spec.yaml")).stream()
                .map(Finding::code)
                .toList();
    }

    private static RenderedFiles files(String scenario) {
        try {
            return Planner.offline().render(SpecReader.read(resource(scenario + ".yaml"), scenario + ".yaml"));
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private static String resource(String name) throws IOException {
        try (InputStream in = WindowsJobRendererTest.class.getResourceAsStream(name)) {
            return new String(Objects.requireNonNull(in, name).readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
