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
                        "a template of HPC Pack 2019 needs more than the description says, or other names",
                        "add what is missing",
                        needs(HpcPackSpec.Scenario.RESOURCE_MANAGER, HpcPackTemplate::problems)),
                Rule.info(
                        "CW-HPCPACK-009",
                        CLOUD,
                        "applications on Azure instances are subject to their licences",
                        "ask the vendor of each commercial application whether and how it may run in a cloud",
                        (spec, facts, report) -> pack(spec)
                                .ifPresent(pack -> report.add(
                                        "hpcPack.scenario", "not every vendor licenses its application for a cloud"))),
                Rule.info(
                        "CW-HPCPACK-010",
                        CLOUD,
                        "Azure instances reach no nodes, shares or licence servers on premises by themselves",
                        "set up a site-to-site virtual private network where jobs need them",
                        (spec, facts, report) -> pack(spec)
                                .ifPresent(pack -> report.add(
                                        "hpcPack.scenario", "what is on premises is out of reach of the nodes"))),
                Rule.info(
                        "CW-HPCPACK-011",
                        CLOUD,
                        "large MPI jobs that depend on the network want an RDMA size",
                        "use an RDMA size, or run jobs whose tasks take a few nodes only",
                        ScenarioRules::plainSize),
                Rule.info(
                        "CW-HPCPACK-012",
                        CLOUD,
                        "a burst node that serves files loses them when Azure reinstalls it",
                        "keep files on the head node or in a storage account, and not on one of the nodes",
                        (spec, facts, report) -> pack(spec)
                                .filter(pack -> pack.scenario() == HpcPackSpec.Scenario.BURST)
                                .ifPresent(pack -> report.add(
                                        "hpcPack.scenario", "no burst node is fit to be the file server of a job"))),
                Rule.warning(
                        "CW-HPCPACK-013",
                        CLOUD,
                        "the firewall of new nodes is opened for no MPI program",
                        "name each MPI program: firewall: [{name: solver, program: 'C:\\app\\solver.exe'}]",
                        (spec, facts, report) -> pack(spec)
                                .filter(pack -> pack.firewall().isEmpty())
                                .ifPresent(pack -> report.add(
                                        "hpcPack.firewall", "ranks on different nodes do not reach each other"))),
                Rule.error(
                        "CW-HPCPACK-014",
                        CLOUD,
                        "worker roles of a burst have no Linux",
                        "leave hpcPack.linuxNodes out, or write scenario: iaas or resource-manager",
                        (spec, facts, report) -> pack(spec)
                                .filter(pack -> pack.scenario() == HpcPackSpec.Scenario.BURST)
                                .flatMap(HpcPackSpec::linuxNodes)
                                .ifPresent(linux -> report.add(
                                        "hpcPack.linuxNodes",
                                        linux.count() + " Linux nodes have no place in a burst"))),
                Rule.warning(
                        "CW-WIN-012",
                        CLOUD,
                        "an extension has no place in the files of this scenario",
                        "leave it out of a burst; install one with settings by hand on classic machines",
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
                report.add("extensions[" + i + "]", "worker roles take no extensions");
            } else if (scenario == HpcPackSpec.Scenario.IAAS && settings) {
                report.add("extensions[" + i + "]", "the configuration file takes no settings of an extension");
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
                    spec.nodes().count() + " nodes of " + spec.nodes().requireSize() + " share no RDMA network");
        }
    }
}
