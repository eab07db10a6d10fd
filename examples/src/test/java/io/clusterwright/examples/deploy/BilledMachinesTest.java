package io.clusterwright.examples.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.clusterwright.core.Planner;
import io.clusterwright.core.catalog.QuotaUse;
import io.clusterwright.core.internal.json.Json;
import io.clusterwright.core.plan.Plan;
import io.clusterwright.core.plan.PlannedMachines;
import io.clusterwright.core.plan.PlannedResource;
import io.clusterwright.core.plan.PriceTable;
import io.clusterwright.core.plan.QuotaLine;
import io.clusterwright.core.plan.RenderedFiles;
import io.clusterwright.core.plan.Step;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.CostCap;
import io.clusterwright.core.spec.SpecReader;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.windows.classic.IaasConfiguration;
import io.clusterwright.windows.deploy.HpcPackTemplate;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A plan counts each machine that is billed: in its steps, quota, price and cost cap, and in the files that are rendered. */
class BilledMachinesTest {
    private static final Set<Step> OF_THE_CLUSTER = Set.of(Step.NODES, Step.HEAD, Step.SERVICES, Step.START);

    private static ClusterSpec spec(String file, int linux, String size, String image) {
        ClusterSpec spec = SpecReader.read(Path.of("specs", file));
        return linux == 0
                ? spec
                : spec.toBuilder()
                        .hpcPack(pack -> pack.linuxNodes(nodes -> nodes.count(linux)
                                .size(size)
                                .namePattern("LNX-%01%")
                                .image(image)))
                        .build();
    }

    private static ClusterSpec resourceManager() {
        return spec("windows-resource-manager.yaml", 2, "Standard_HB120rs_v3", "microsoft-dsvm:ubuntu-hpc:2204:latest");
    }

    private static ClusterSpec iaas() {
        return spec(
                "windows-iaas.yaml", 2, "Standard_A9", "b4590d9e3ed742e4a1d46e5424aa335e__suse-sles-12-hpc-v20150708");
    }

    private static int machines(ClusterSpec spec) {
        return PlannedMachines.of(spec).stream()
                .mapToInt(PlannedMachines::count)
                .sum();
    }

    private static PriceTable oneEach(ClusterSpec spec) {
        return new PriceTable(
                "EUR",
                PlannedMachines.of(spec).stream()
                        .map(PlannedMachines::size)
                        .distinct()
                        .collect(Collectors.toMap(size -> size, size -> BigDecimal.ONE)));
    }

    private static void agrees(ClusterSpec spec, int expected) {
        Plan plan = Planner.offline().prices(oneEach(spec)).plan(spec);
        assertThat(machines(spec)).isEqualTo(expected);
        assertThat(plan.steps().stream()
                        .filter(step -> OF_THE_CLUSTER.contains(step.step()))
                        .flatMap(step -> step.creates().stream())
                        .filter(PlannedResource::billed)
                        .filter(made -> made.kind().matches("Standard_\\S+ (proxy )?(machine|worker role)"))
                        .mapToInt(PlannedResource::count)
                        .sum())
                .as("steps")
                .isEqualTo(expected);
        assertThat(plan.quota().stream()
                        .filter(line -> line.family().equals(QuotaUse.REGION))
                        .mapToInt(QuotaLine::machines)
                        .sum())
                .as("quota")
                .isEqualTo(expected);
        assertThat(plan.price().orElseThrow().perHour()).as("price").isEqualByComparingTo(BigDecimal.valueOf(expected));
    }

    @ParameterizedTest
    @CsvSource({
        "linux-article.yaml, 8",
        "linux-today.yaml, 8",
        "azure-hbv4.yaml, 5",
        "windows-burst.yaml, 6",
        "windows-burst-china.yaml, 7",
        "windows-iaas.yaml, 5",
        "windows-resource-manager.yaml, 6"
    })
    void stepsQuotaAndPriceCountTheSameMachines(String file, int expected) {
        agrees(spec(file, 0, "", ""), expected);
    }

    @Test
    void nodesWithLinuxAreCounted() {
        agrees(iaas(), 7);
        agrees(resourceManager(), 8);
    }

    @Test
    void theCostCapRefusesNodesWithLinux() {
        ClusterSpec capped = resourceManager().toBuilder()
                .costCap(new CostCap("EUR", new BigDecimal("7")))
                .build();
        assertThat(Planner.offline().prices(oneEach(capped)).plan(capped).findings())
                .anySatisfy(finding -> assertThat(finding.code() + " " + finding.message())
                        .startsWith("CW-COST-002 the machines cost 8 EUR"));
    }

    @Test
    void theTemplateHasTheMachinesOfThePlan() throws IOException {
        RenderedFiles files = Planner.offline().render(resourceManager());
        JsonNode template = Json.MAPPER.readTree(
                files.find(HpcPackTemplate.TEMPLATE_FILE).orElseThrow().text());
        assertThat(StreamSupport.stream(template.path("resources").spliterator(), false)
                        .filter(resource -> resource.path("type").asText().equals("Microsoft.Compute/virtualMachines"))
                        .mapToInt(machine -> machine.at("/copy/count").asInt(1))
                        .sum())
                .isEqualTo(machines(resourceManager()));
        assertThat(files.find("node-group.ps1").orElseThrow().text()).contains("$LinuxNames = @('LNX-01','LNX-02')");
    }

    @Test
    void theConfigurationFileAndTheScriptsHaveTheMachinesOfThePlan() {
        IaasConfiguration file = IaasConfiguration.of(iaas());
        assertThat(1
                        + Integer.parseInt(file.value("ComputeNodes/NodeCount").orElseThrow())
                        + Integer.parseInt(
                                file.value("LinuxComputeNodes/NodeCount").orElseThrow()))
                .isEqualTo(machines(iaas()));
        RenderedFiles files = Planner.offline().render(iaas());
        List<String> names = PlannedMachines.of(iaas()).stream()
                .filter(machines -> machines.role() != PlannedMachines.MachineRole.HEAD)
                .flatMap(machines -> machines.names().stream())
                .map(NodeName::value)
                .toList();
        for (String script : Arrays.asList("node-lifecycle.ps1", "node-group.ps1")) {
            assertThat(files.find(script).orElseThrow().text()).as(script).contains(names);
        }
    }
}
