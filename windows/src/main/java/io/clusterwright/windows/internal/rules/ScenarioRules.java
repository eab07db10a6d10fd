package io.clusterwright.windows.internal.rules;

import static io.clusterwright.core.spi.Rule.Where.CLOUD;

import io.clusterwright.core.catalog.VmSizeFacts;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.ExtensionSpec;
import io.clusterwright.core.spec.HpcPackSpec;
import io.clusterwright.core.spec.OperatingSystem;
import io.clusterwright.core.spec.SpecProblem;
import io.clusterwright.core.spi.Facts;
import io.clusterwright.core.spi.Rule;
import io.clusterwright.core.spi.RuleSet;
import io.clusterwright.core.type.Interconnect;
import io.clusterwright.windows.deploy.HpcPackTemplate;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Rules about the spec that each scenario needs, and about applications in the cloud. */
public final class ScenarioRules implements RuleSet {
    private static final int FEW_NODES = 4;
    /** Creates the rules; they have no state. */
    public ScenarioRules() {}

    @Override
    public List<Rule> rules() {
        return List.of(
                Rule.error(
                        "CW-RM-001",
                        CLOUD,
                        "a field that the templates of HPC Pack 2019 need is missing or has another form",
                        "write the field that the finding names, such as hpcPack.resourceManager.certificate",
                        needs(HpcPackSpec.Scenario.RESOURCE_MANAGER, HpcPackTemplate::problems)),
                Rule.info(
                        "CW-HPCPACK-009",
                        CLOUD,
                        "the licence of an application may not allow runs in a cloud",
                        "nothing to do for free software; ask the vendor of a commercial application",
                        (spec, facts, report) -> pack(spec)
                                .ifPresent(
                                        pack -> report.add(
                                                "hpcPack.scenario",
                                                "scenario " + pack.scenario()
                                                        + " runs applications on Azure, and the licence of an application may not allow that"))),
                Rule.info(
                        "CW-HPCPACK-010",
                        CLOUD,
                        "nodes on Azure cannot reach nodes, shares or licence servers on premises without a VPN",
                        "set up a site-to-site VPN if jobs need them",
                        (spec, facts, report) -> pack(spec)
                                .ifPresent(
                                        pack -> report.add(
                                                "hpcPack.scenario",
                                                "nodes on Azure cannot reach nodes, shares or licence servers on premises without a VPN"))),
                Rule.info(
                        "CW-HPCPACK-011",
                        CLOUD,
                        "the nodes have no RDMA network, which large MPI jobs need",
                        "choose a size with RDMA, or run jobs on a few nodes only",
                        ScenarioRules::plainSize),
                Rule.info(
                        "CW-HPCPACK-012",
                        CLOUD,
                        "a burst node loses its files when Azure reinstalls it",
                        "keep the files of jobs on the head node or in a storage account",
                        (spec, facts, report) -> pack(spec)
                                .filter(pack -> pack.scenario() == HpcPackSpec.Scenario.BURST)
                                .ifPresent(
                                        pack -> report.add(
                                                "hpcPack.scenario",
                                                "a burst node loses its files when Azure reinstalls it, so it cannot be the file server of a job"))),
                Rule.warning(
                        "CW-HPCPACK-013",
                        CLOUD,
                        "the firewall of the nodes blocks MPI programs: hpcPack.firewall is empty",
                        "write hpcPack: {firewall: [{name: solver, program: 'C:\\app\\solver.exe'}]}",
                        (spec, facts, report) -> pack(spec)
                                .filter(pack -> pack.firewall().isEmpty())
                                .ifPresent(
                                        pack -> report.add(
                                                "hpcPack.firewall",
                                                "hpcPack.firewall is empty, so the firewall blocks connections between ranks on different nodes"))),
                Rule.error(
                        "CW-HPCPACK-014",
                        CLOUD,
                        "burst nodes cannot run Linux",
                        "remove hpcPack.linuxNodes, or write scenario: iaas or resource-manager",
                        (spec, facts, report) -> pack(spec)
                                .filter(pack -> pack.scenario() == HpcPackSpec.Scenario.BURST)
                                .flatMap(HpcPackSpec::linuxNodes)
                                .ifPresent(linux -> report.add(
                                        "hpcPack.linuxNodes",
                                        "linuxNodes has " + linux.count()
                                                + " nodes, and burst nodes cannot run Linux"))),
                Rule.warning(
                        "CW-WIN-012",
                        CLOUD,
                        "the files of this scenario cannot have this extension",
                        "remove the extension; on classic machines, install an extension with settings by hand",
                        ScenarioRules::extensions));
    }

    private static void extensions(ClusterSpec spec, Facts facts, Rule.Report report) {
        HpcPackSpec.Scenario scenario =
                pack(spec).map(HpcPackSpec::scenario).orElse(HpcPackSpec.Scenario.RESOURCE_MANAGER);
        for (int i = 0; i < spec.extensions().size(); i++) {
            ExtensionSpec extension = spec.extensions().get(i);
            boolean settings = !extension.settings().isEmpty()
                    || extension.protectedSettings().isPresent();
            if (scenario == HpcPackSpec.Scenario.BURST) {
                report.add("extensions[" + i + "]", "burst nodes (worker roles) cannot have extensions");
            } else if (scenario == HpcPackSpec.Scenario.IAAS && settings) {
                report.add(
                        "extensions[" + i + "]",
                        "the configuration file of scenario iaas cannot have settings of an extension");
            }
        }
    }

    /** The part about HPC Pack, where the nodes have Windows. */
    public static Optional<HpcPackSpec> pack(ClusterSpec spec) {
        return spec.operatingSystem() == OperatingSystem.WINDOWS ? spec.hpcPack() : Optional.empty();
    }

    /** Reports the problems that keep a spec from its scenario; another rule reports a section that is missing as a whole. */
    public static Rule.Check needs(HpcPackSpec.Scenario scenario, Function<ClusterSpec, List<SpecProblem>> problems) {
        return (spec, facts, report) -> pack(spec)
                .filter(pack -> pack.scenario() == scenario)
                .filter(pack -> scenario == HpcPackSpec.Scenario.BURST || !pack.existingHead())
                .ifPresent(pack -> problems.apply(spec).stream()
                        .filter(problem -> !problem.path().matches("hpcPack\\.(burst|resourceManager)"))
                        .forEach(problem -> report.add(problem.path(), problem.message(), problem.remedy())));
    }

    private static void plainSize(ClusterSpec spec, Facts facts, Rule.Report report) {
        boolean plain = facts.size(spec)
                .map(VmSizeFacts::interconnect)
                .filter(interconnect -> interconnect == Interconnect.NONE)
                .isPresent();
        if (pack(spec).isPresent() && plain && spec.nodes().count() > FEW_NODES) {
            report.add(
                    "nodes.size",
                    spec.nodes().count() + " nodes of " + spec.nodes().requireSize()
                            + " have no RDMA network, which large MPI jobs need");
        }
    }
}
