package io.clusterwright.windows.classic;

import static org.assertj.core.api.Assertions.assertThat;

import io.clusterwright.core.Planner;
import io.clusterwright.core.plan.Finding;
import io.clusterwright.core.spec.SpecReader;
import io.clusterwright.core.spi.RuleSet;
import io.clusterwright.windows.classic.internal.scenario.ClassicRules;
import io.clusterwright.windows.internal.rules.ScenarioRules;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClassicRulesTest {
    private static final Map<String, String> SHORT =
            Map.of("iaas", "windows-iaas.yaml", "burst", "windows-burst.yaml", "rm", "windows-resource-manager.yaml");

    private static List<Finding> findings(String scenario, String remove, String replacement) throws IOException {
        String text = Files.readString(
                Path.of("..", "..", "examples", "specs").resolve(SHORT.getOrDefault(scenario, scenario)));
        String changed = text.replaceFirst(remove, replacement);
        assertThat(changed).as("the spec with a change").isNotEqualTo(text);
        return Planner.check(SpecReader.read(changed, "spec.yaml"));
    }

    private static List<Finding> findings(String scenario) {
        return Planner.check(SpecReader.read(
                Path.of("..", "..", "examples", "specs").resolve(SHORT.getOrDefault(scenario, scenario))));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "iaas  | CW-IAAS-101    | hpcPack.subscription       | (?m)^  subscription: .*$      | ''",
                "iaas  | CW-IAAS-101    | headNode                   | (?m)^headNode: .*$            | ''",
                "iaas  | CW-IAAS-101    | region                     | westus                        | francecentral",
                "iaas  | CW-IAAS-101    | nodes.size                 | Standard_A8                   |"
                        + " Standard_HB120rs_v3",
                "iaas  | CW-IAAS-101    | image.base                 | 2012-R2-Datacenter            | 2019-Datacenter",
                "iaas  | CW-IAAS-101    | hpcPack.version            | scenario: iaas                | 'scenario:"
                        + " iaas\n"
                        + "  version: 2016'",
                "iaas  | CW-HPCPACK-015 | hpcPack.computeNodeService | 'headNodeService: hpc1-head\n  computeNodeService: hpc1-compute' | 'headNodeService: HPC1-compute'",
                "iaas  | CW-HPCPACK-013 | hpcPack.firewall           | (?m)^  firewall: .*$          | ''",
                "burst | CW-HPCPACK-013 | hpcPack.firewall           | (?m)^  firewall: .*$          | ''",
                "burst | CW-HPCPACK-014 | hpcPack.linuxNodes         | (?m)^  existingHead: true$    |"
                        + " '  existingHead: true\n  linuxNodes: {count: 1, size: Standard_A8, namePattern: LN%1%, image: a}'",
                "burst | CW-WIN-012     | extensions[0]              | (?m)^mpi:                     |"
                        + " 'extensions: [{name: HpcVmDrivers}]\nmpi:'",
                "iaas  | CW-WIN-012     | extensions[0]              | (?m)^mpi:                     |"
                        + " 'extensions: [{name: HpcVmDrivers, settings: {a: b}}]\nmpi:'",
                "iaas  | CW-WIN-002     | extensions                 | Standard_A8                   | Standard_H16r",
                "iaas  | CW-WIN-002     | extensions                 | 'Standard_A8\n  namePattern: HPCCN-%0001%' |"
                        + " 'Standard_H16r\nextensions: [{name: InfiniBandDriverWindows}]'",
                "iaas  | CW-IAAS-007    | nodes.namePattern          | HPCCN-%0001%                  |"
                        + " HPCCOMPUTE-%00001%",
                "burst | CW-BURST-001   | nodes.size                 | Standard_A8                   |"
                        + " Standard_HB120rs_v3",
                "burst | CW-BURST-001   | region                     | westus                        | francecentral",
                "rm    | CW-RM-001      | nodes.namePattern          | HPCCN-%000%                   |"
                        + " 'HPCCOMPUTENODE%0%'",
                "iaas  | CW-HPCPACK-011 | nodes.size                 | 'count: 4\n"
                        + "  size: Standard_A8' | 'count: 5\n"
                        + "  size: Standard_A7'",
            })
    void findsWhatAScenarioLacksOrShouldConsider(
            String scenario, String code, String path, String remove, String replacement) throws IOException {
        assertThat(findings(scenario, remove, replacement))
                .anySatisfy(finding ->
                        assertThat(finding.code() + " " + finding.path()).isEqualTo(code + " " + path));
        assertThat(findings(scenario)).noneMatch(finding -> finding.code().equals(code));
    }

    @ParameterizedTest
    @CsvSource({
        "iaas,  CW-HPCPACK-009 CW-HPCPACK-010",
        "burst, CW-HPCPACK-009 CW-HPCPACK-010 CW-HPCPACK-012 CW-HPCPACK-008",
        "rm,    CW-HPCPACK-009 CW-HPCPACK-010",
    })
    void reportsTheConsiderationsOfTheArticle(String scenario, String codes) {
        assertThat(findings(scenario)).extracting(Finding::code).contains(codes.split(" "));
    }

    @Test
    void warnsOfReinstalledNodesInALongBurst() throws IOException {
        assertThat(findings("burst", "timeToLive: 4h", "timeToLive: 24h"))
                .extracting(Finding::code)
                .contains("CW-HPCPACK-007");
    }

    @Test
    void reportsTheDefaultCertificate() throws IOException {
        assertThat(findings("burst", "(?m)managementCertificate: .*$", "managementCertificate: default"))
                .extracting(Finding::code)
                .contains("CW-HPCPACK-006");
        assertThat(findings("burst")).extracting(Finding::code).doesNotContain("CW-HPCPACK-006");
    }

    @Test
    void driversOfTheConfigurationFileSatisfyTheRule() throws IOException {
        assertThat(findings(
                        "iaas",
                        "Standard_A8\n  namePattern: HPCCN-%0001%",
                        "Standard_H16r\nextensions: [{name: HpcVmDrivers}]"))
                .extracting(Finding::code)
                .doesNotContain("CW-WIN-002", "CW-WIN-012", "CW-IAAS-011");
    }

    @ParameterizedTest
    @CsvSource({"Standard_A8, false", "Standard_H16r, true"})
    void windowsServer2012IsForA8AndA9Only(String size, boolean refused) throws IOException {
        String name = "windows-iaas.yaml";
        String text = Files.readString(Path.of("..", "..", "examples", "specs", name))
                .replace("2012-R2-Datacenter", "2012-Datacenter")
                .replace("size: Standard_A8", "size: " + size);

        assertThat(Planner.check(SpecReader.read(text, name)).stream().anyMatch(Finding::isError))
                .isEqualTo(refused);
    }

    @Test
    void codesAreUnique() {
        List<String> codes = new ArrayList<>();
        for (RuleSet rules : List.of(new ScenarioRules(), new ClassicRules())) {
            rules.rules().forEach(rule -> codes.add(rule.kind().code()));
            rules.otherKinds().forEach(kind -> codes.add(kind.code()));
        }

        assertThat(codes).doesNotHaveDuplicates();
    }
}
