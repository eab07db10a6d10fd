package io.clusterwright.windows.classic;

import static org.assertj.core.api.Assertions.assertThat;

import io.clusterwright.core.Planner;
import io.clusterwright.core.plan.Plan;
import io.clusterwright.core.plan.PlanStep;
import io.clusterwright.core.plan.PlannedResource;
import io.clusterwright.core.plan.RenderedFile;
import io.clusterwright.core.plan.RenderedFiles;
import io.clusterwright.core.plan.Severity;
import io.clusterwright.core.plan.Step;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.SpecReader;
import io.clusterwright.windows.classic.internal.script.Burst;
import io.clusterwright.windows.internal.powershell.PowerShellScript;
import io.clusterwright.windows.powershell.PowerShellCheck;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The specs that come with the program give the article's files and steps, byte by byte. */
class ClassicFilesTest {
    private static final Path SPECS = Path.of("..", "..", "examples", "specs");

    static ClusterSpec spec(String scenario) {
        return SpecReader.read(SPECS.resolve("windows-" + scenario + ".yaml"));
    }

    static String file(String scenario, String name) {
        return Planner.offline().render(spec(scenario)).find(name).orElseThrow().text();
    }

    @ParameterizedTest
    @CsvSource({
        "iaas, HPCIaaSClusterConfig.xml",
        "iaas, New-HPCIaaSCluster.ps1.txt",
        "iaas, node-lifecycle.ps1",
        "burst, burst.ps1",
        "burst-china, HPCIaaSClusterConfig.xml",
        "burst-china, New-HPCIaaSCluster.ps1.txt",
        "burst-china, burst.ps1",
    })
    void areAsTheGoldenFilesSay(String scenario, String name) throws IOException {
        String golden = "golden/" + scenario + "/" + name;
        if (Boolean.getBoolean("clusterwright.update")) {
            Path file = Path.of("src/test/resources/io/clusterwright/windows/classic")
                    .resolve(golden);
            Files.createDirectories(Objects.requireNonNull(file.getParent()));
            Files.writeString(file, file(scenario, name));
            return;
        }
        try (InputStream in = Objects.requireNonNull(getClass().getResourceAsStream(golden), golden)) {
            assertThat(file(scenario, name)).isEqualTo(new String(in.readAllBytes(), StandardCharsets.UTF_8));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "iaas, HPCIaaSClusterConfig.xml New-HPCIaaSCluster.ps1.txt node-lifecycle.ps1",
        "burst, burst.ps1",
        "burst-china, burst.ps1 HPCIaaSClusterConfig.xml New-HPCIaaSCluster.ps1.txt",
        "resource-manager, hpcpack.bicepparam azuredeploy.json azuredeploy.parameters.json",
    })
    void rendersExactlyTheFilesOfAScenario(String scenario, String names) {
        RenderedFiles files = Planner.offline().render(spec(scenario));

        assertThat(files.list()).extracting(RenderedFile::name).contains(names.split(" "));
        assertThat(files.notMade()).doesNotContainKeys(names.split(" "));
        List<String> others = new ArrayList<>(List.of(
                "burst.ps1",
                "HPCIaaSClusterConfig.xml",
                "node-lifecycle.ps1",
                "azuredeploy.json",
                "hpcpack.bicepparam"));
        others.removeAll(List.of(names.split(" ")));
        assertThat(files.list()).extracting(RenderedFile::name).doesNotContainAnyElementsOf(others);
    }

    @ParameterizedTest
    @CsvSource({"iaas", "burst", "burst-china", "resource-manager"})
    void noRuleRefusesTheirSpecs(String scenario) {
        assertThat(Planner.check(spec(scenario)))
                .filteredOn(finding -> finding.severity() == Severity.ERROR)
                .isEmpty();
    }

    @Test
    @Tag("breadth")
    void scriptsArePowerShellAndCallWhatExists() {
        Map<String, String> scripts = new LinkedHashMap<>();
        for (String resource : List.of("burst.ps1", "node-lifecycle.ps1")) {
            scripts.put(
                    "resource " + resource,
                    PowerShellScript.read(name -> Burst.class.getResourceAsStream(name), resource)
                            .text());
        }
        scripts.put("node-lifecycle.ps1", file("iaas", "node-lifecycle.ps1"));
        scripts.put("New-HPCIaaSCluster.ps1.txt", file("iaas", "New-HPCIaaSCluster.ps1.txt"));
        scripts.put("burst.ps1", file("burst", "burst.ps1"));
        scripts.put("burst.ps1 of China", file("burst-china", "burst.ps1"));
        scripts.put("node-group.ps1 of China", file("burst-china", "node-group.ps1"));
        ClusterSpec trial = spec("burst").toBuilder()
                .hpcPack(pack -> pack.existingHead(false)
                        .jobTemplate("RdmaOnly")
                        .burst(burst -> burst.managementCertificate("default")))
                .build();
        scripts.put("trial.ps1", Burst.of(trial).script().text());

        PowerShellCheck.check(scripts);
        assertThat(scripts.get("trial.ps1")).contains("Write-Warning", "hpccert.cer");
    }

    @Test
    void theFileOfANewHeadNodeBringsTheNodeTemplate() {
        assertThat(file("burst-china", "HPCIaaSClusterConfig.xml"))
                .contains(
                        "<Location>China North</Location>",
                        "<TemplateName>AzureRdma</TemplateName>",
                        "<RoleSize>A8</RoleSize>");
    }

    @Test
    void hoursBecomeScheduledTasksAndManualNodesHaveNone() {
        assertThat(file("burst-china", "burst.ps1"))
                .contains(
                        "$Step = @('Certificate','Services','NodeTemplate','AddNodes','Schedule'),",
                        "$Days = @('Monday','Tuesday','Wednesday','Thursday','Friday'),",
                        "$StartAt = '08:00',",
                        "$StopAt = '18:00',",
                        "-Step Start,Wait,Online`",
                        "-Step Offline,Stop`");
        assertThat(file("burst", "burst.ps1"))
                .contains(
                        "$Days = @(),",
                        "$Step = @('Certificate','Services','NodeTemplate','AddNodes','Start','Wait','Online'),",
                        "if (-not $Days) { throw 'there are no hours: write hpcPack.burst.hours")
                .doesNotContain("'Schedule' = ", "'Unschedule' = ");
    }

    @Test
    void nodesOfChinaAreMadeInItsCloud() {
        assertThat(file("burst-china", "burst.ps1"))
                .contains("$Environment = 'AzureChinaCloud',", " -Certificate $own -Environment $Environment");
        assertThat(file("burst", "burst.ps1")).contains("$Environment = '',");
    }

    @ParameterizedTest
    @CsvSource({"iaas, node-lifecycle.ps1, $windows, $nodes", "burst, burst.ps1, $ready, $ready"})
    void programsAreRegisteredWithTheFirewallBeforeNodesComeOnline(
            String scenario, String name, String opened, String nodes) {
        String script = file(scenario, name);

        assertThat(script)
                .contains(
                        "$ProgramNames = @('mpipingpong')",
                        "$ProgramPaths = @('C:\\Program Files\\Microsoft MPI\\Bin\\mpipingpong.exe')",
                        "hpcfwutil register $ProgramNames[$i] $ProgramPaths[$i]");
        assertThat(script.indexOf("{ Open-NodeFirewall -Nodes " + opened))
                .isPositive()
                .isLessThan(script.indexOf("Set-HpcNodeState -Node " + nodes + " -State Online"));
    }

    @Test
    void burstJobsAreTheCommandsOfTheArticle() {
        String submit = "$LatencyJob = submit /nodegroup:azurenodes /numnodes:4 mpiexec -c 1 -affinity mpipingpong";
        assertThat(file("burst", "burst.ps1").replaceAll("@\\(|\\)|'", "").replace(",", " "))
                .contains(
                        submit + " -p 1:100000 -op -s nul",
                        submit.replace("Latency", "Throughput") + " -p 4000000:1000 -op -s nul");
        assertThat(file("burst", "burst.ps1")).contains("$null | job $LatencyJob", "$null | job $ThroughputJob");
    }

    @Nested
    class Plans {
        @Test
        void stepsOfTheDeploymentScriptNameBilledResources() {
            Plan plan = Planner.offline().plan(spec("iaas"));

            assertThat(steps(plan))
                    .containsExactly(
                            Step.CONFIGURATION,
                            Step.NETWORK,
                            Step.HEAD,
                            Step.NODES,
                            Step.EXTENSIONS,
                            Step.ONLINE,
                            Step.JOBS,
                            Step.OFFLINE,
                            Step.STOP);
            assertThat(billed(plan))
                    .contains("Standard_A4 machine HPC1HN, billed", "4 Standard_A8 machines HPCCN-[0001-0004], billed");
        }

        @Test
        void stepsOfABurstAreThoseOfTheArticle() {
            Plan plan = Planner.offline().plan(spec("burst"));

            assertThat(plan.steps())
                    .extracting(step -> step.description().replaceFirst(":.*", ""))
                    .containsExactly(
                            "use the existing head node, on premises or in a machine of Azure",
                            "Certificate",
                            "Services",
                            "NodeTemplate",
                            "AddNodes",
                            "Start",
                            "Wait",
                            "Online",
                            "Submit",
                            "Offline",
                            "Stop");
            assertThat(billed(plan)).contains("2 Standard_A8 proxy machines of HPC Pack, billed");
            assertThat(plan.quota())
                    .anySatisfy(line -> assertThat(line.billedCores()).isEqualTo((4 + 2) * 8));
        }

        private static List<Step> steps(Plan plan) {
            return plan.steps().stream().map(PlanStep::step).toList();
        }

        private static List<String> billed(Plan plan) {
            return plan.steps().stream()
                    .flatMap(step -> step.creates().stream())
                    .filter(PlannedResource::billed)
                    .map(PlannedResource::toString)
                    .toList();
        }
    }
}
