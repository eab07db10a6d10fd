package io.clusterwright.windows.classic.internal.scenario;

import static io.clusterwright.core.spi.Rule.Where.CLOUD;

import io.clusterwright.core.spec.HpcPackSpec;
import io.clusterwright.core.spi.FindingKind;
import io.clusterwright.core.spi.Rule;
import io.clusterwright.core.spi.RuleSet;
import io.clusterwright.windows.classic.IaasConfiguration;
import io.clusterwright.windows.classic.internal.iaas.IaasFindings;
import io.clusterwright.windows.classic.internal.script.Burst;
import io.clusterwright.windows.internal.rules.ScenarioRules;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The rules of the scenarios in Azure's classic model, and of the configuration file that a spec becomes. */
public final class ClassicRules implements RuleSet {
    private static final Map<String, String> FIELDS = Map.ofEntries(
            Map.entry("Subscription", "hpcPack.subscription"),
            Map.entry("Location", "region"),
            Map.entry("VNet", "network.name"),
            Map.entry("Domain", "hpcPack.domain"),
            Map.entry("HeadNode/ServiceName", "hpcPack.headNodeService"),
            Map.entry("HeadNode/VMName", "headNode.name"),
            Map.entry("HeadNode/VMSize", "headNode.size"),
            Map.entry("ComputeNodes/ServiceName", "hpcPack.computeNodeService"),
            Map.entry("ComputeNodes/VMNamePattern", "nodes.namePattern"),
            Map.entry("ComputeNodes/VMSize", "nodes.size"),
            Map.entry("LinuxComputeNodes/VMNamePattern", "hpcPack.linuxNodes.namePattern"),
            Map.entry("LinuxComputeNodes/VMSize", "hpcPack.linuxNodes.size"));

    /** Creates the rules; they have no state. */
    public ClassicRules() {}

    @Override
    public List<Rule> rules() {
        return Stream.concat(ofScenarios(), ofFiles()).toList();
    }

    private static Stream<Rule> ofScenarios() {
        return Stream.of(
                Rule.error(
                        "CW-IAAS-101",
                        CLOUD,
                        "a field that the deployment script needs is missing or has another form",
                        "write the field that the finding names, such as hpcPack.subscription",
                        ScenarioRules.needs(HpcPackSpec.Scenario.IAAS, IaasConfiguration::problems)),
                Rule.error(
                        "CW-BURST-001",
                        CLOUD,
                        "a field that a burst needs is missing or has another form",
                        "write the field that the finding names, such as hpcPack.burst.storageAccount",
                        ScenarioRules.needs(HpcPackSpec.Scenario.BURST, Burst::problems)));
    }

    /** The findings about the configuration file that a spec amounts to. */
    private static Stream<Rule> ofFiles() {
        return IaasFindings.ofSpecs().stream()
                .map(kind -> new Rule(
                        kind,
                        CLOUD,
                        (spec, facts, report) -> ScenarioRules.pack(spec)
                                .filter(pack -> pack.scenario() == HpcPackSpec.Scenario.IAAS && !pack.existingHead())
                                .filter(pack -> IaasConfiguration.problems(spec).isEmpty())
                                .ifPresent(pack -> IaasConfiguration.of(spec).lint().stream()
                                        .filter(finding -> finding.code().equals(kind.code()))
                                        .forEach(finding -> report.add(
                                                field(finding.path()), finding.message(), finding.remedy())))));
    }

    /** The field of a spec that an element of the file is written from. */
    private static String field(String element) {
        return FIELDS.entrySet().stream()
                .filter(entry -> element.startsWith(entry.getKey()))
                .map(Map.Entry::getValue)
                .findFirst()
                .orElse("hpcPack");
    }

    @Override
    public List<FindingKind> otherKinds() {
        return IaasFindings.kinds().stream()
                .filter(kind -> !IaasFindings.ofSpecs().contains(kind))
                .toList();
    }
}
