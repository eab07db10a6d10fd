package io.clusterwright.core.internal.rules;

import static io.clusterwright.core.spi.Rule.Where.CLOUD;
import static io.clusterwright.core.spi.Rule.Where.EVERYWHERE;

import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.HpcPackBurst;
import io.clusterwright.core.spec.HpcPackSpec;
import io.clusterwright.core.spi.Rule;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** HPC Pack's own sections, services and versions. */
final class HpcPackRules {
    private static final int SERVICE_MOST = 50;
    /** Four nodes for a working day. */
    private static final long MANY_NODE_HOURS = 32;

    private static final String DEFAULT_TOPOLOGY = "enterprise";

    private HpcPackRules() {}

    static List<Rule> rules() {
        return List.of(
                Rule.error(
                        "CW-HPCPACK-001",
                        EVERYWHERE,
                        "machines in a cloud have topology enterprise (5)",
                        "write hpcPack: {topology: enterprise}",
                        rule((spec, pack, report) -> {
                            if (!pack.topology().equalsIgnoreCase(DEFAULT_TOPOLOGY)
                                    && !pack.topology().equals("5")) {
                                report.add(
                                        "hpcPack.topology",
                                        "topology " + pack.topology()
                                                + " needs a second network, which machines in a cloud do not have");
                            }
                        })),
                Rule.error(
                        "CW-HPCPACK-002",
                        EVERYWHERE,
                        "the section of the scenario is missing",
                        "add hpcPack.burst for scenario burst, hpcPack.resourceManager for resource-manager",
                        rule(HpcPackRules::sectionMissing)),
                Rule.error(
                        "CW-HPCPACK-003",
                        EVERYWHERE,
                        "this version of HPC Pack does not have the scenario",
                        "write hpcPack: {version: 2019} with scenario resource-manager, and 2012-r2 or 2016 with burst and iaas",
                        rule(HpcPackRules::version)),
                Rule.error(
                        "CW-HPCPACK-004",
                        EVERYWHERE,
                        "nodes of two kinds would share a cloud service",
                        "write different names for hpcPack.headNodeService, computeNodeService and burst.cloudService",
                        rule(HpcPackRules::sharedService)),
                Rule.error(
                        "CW-HPCPACK-005",
                        CLOUD,
                        "a cloud service holds 50 machines, and an MPI job cannot span two cloud services",
                        "lower nodes.count, so that nodes and proxy nodes are 50 machines or fewer",
                        rule(HpcPackRules::serviceFull)),
                Rule.warning(
                        "CW-HPCPACK-006",
                        EVERYWHERE,
                        "every user of HPC Pack has the private key of the default management certificate",
                        "write the thumbprint of your certificate as managementCertificate; default is for tests",
                        rule(
                                (spec, pack, report) -> pack.burst()
                                        .filter(burst -> pack.scenario() == HpcPackSpec.Scenario.BURST)
                                        .filter(burst ->
                                                burst.managementCertificate().isEmpty())
                                        .ifPresent(
                                                burst -> report.add(
                                                        "hpcPack.burst.managementCertificate",
                                                        "the management certificate is HPC Pack's default, and every user of HPC Pack has its private key")))),
                Rule.warning(
                        "CW-HPCPACK-007",
                        EVERYWHERE,
                        "Azure reinstalls burst nodes from time to time, which ends the MPI jobs on them",
                        "use few nodes, short jobs and checkpoints; timeToLive states how long the nodes are used, and stops no burst node",
                        rule(HpcPackRules::reinstalled)),
                Rule.warning(
                        "CW-HPCPACK-016",
                        CLOUD,
                        "nothing stops the machines that the files of an HPC Pack scenario create: timeToLive has no effect on"
                                + " them",
                        "stop the machines yourself: az group delete --name GROUP, or on the head node .\\burst.ps1 -Step Offline,Stop"
                                + " (burst) or .\\node-lifecycle.ps1 -Action Stop (iaas)",
                        rule(HpcPackRules::neverStopped)),
                Rule.warning(
                        "CW-HPCPACK-008",
                        EVERYWHERE,
                        "jobs of any user can run on every online node, including Azure nodes",
                        "write hpcPack.jobTemplate and hpcPack.nodeGroup",
                        rule(HpcPackRules::anyJob)),
                Rule.warning(
                        "CW-HPCPACK-015",
                        EVERYWHERE,
                        "head node and compute nodes share a cloud service; Microsoft recommends a separate one for each",
                        "write different names for hpcPack.headNodeService and hpcPack.computeNodeService",
                        rule(HpcPackRules::oneService)));
    }

    /** A spec with {@code head} is for {@code create}, which keeps timeToLive; other machines are made by files that are rendered. */
    private static void neverStopped(ClusterSpec spec, HpcPackSpec pack, Rule.Report report) {
        boolean burst = pack.scenario() == HpcPackSpec.Scenario.BURST;
        if (pack.head().isPresent() || pack.existingHead() && !burst) {
            return;
        }
        boolean scheduled = burst
                && pack.existingHead()
                && pack.burst()
                        .filter(part -> part.availability() == HpcPackBurst.Availability.AUTOMATIC)
                        .isPresent();
        boolean life = spec.timeToLive().isPresent();
        if (scheduled && !life) {
            return;
        }
        report.add(
                life ? "timeToLive" : "hpcPack.scenario",
                (life
                                ? "timeToLive has no effect on the files of scenario "
                                : "nothing stops the machines of scenario ")
                        + pack.scenario() + ": "
                        + (scheduled
                                ? "the nodes stop at the end of hpcPack.burst.hours"
                                : SpecQueries.machines(spec) + " machines run, and cost money, until you stop them"),
                scheduled
                        ? "nothing to do if hpcPack.burst.hours are right; to stop the nodes now:"
                                + " .\\burst.ps1 -Step Offline,Stop"
                        : switch (pack.scenario()) {
                            case RESOURCE_MANAGER -> "at the end delete the machines: az group delete --name GROUP";
                            case BURST ->
                                "at the end stop the nodes, on the head node: .\\burst.ps1 -Step Offline,Stop";
                            case IAAS ->
                                "at the end stop the nodes, on the head node: .\\node-lifecycle.ps1 -Action Stop";
                        });
    }

    /** The risk is for all nodes of a job together: it grows with their number as with the hours. */
    private static void reinstalled(ClusterSpec spec, HpcPackSpec pack, Rule.Report report) {
        if (pack.scenario() != HpcPackSpec.Scenario.BURST) {
            return;
        }
        long nodes = spec.nodes().count();
        Optional<Duration> life = spec.timeToLive();
        if (life.isEmpty()) {
            report.add(
                    "hpcPack.scenario",
                    nodes + " burst nodes without timeToLive run jobs of any length, and Azure reinstalls burst nodes"
                            + " from time to time, which ends the jobs on them");
        } else if (nodes * life.get().toHours() >= MANY_NODE_HOURS) {
            report.add(
                    "hpcPack.scenario",
                    nodes + " burst nodes for " + life.get().toHours() + " h are "
                            + nodes * life.get().toHours() + " node hours: from " + MANY_NODE_HOURS
                            + " node hours on, Azure is likely to reinstall a node during a job");
        }
    }

    private static Rule.Check rule(PackCheck check) {
        return (spec, facts, report) -> spec.hpcPack().ifPresent(pack -> check.apply(spec, pack, report));
    }

    /** A burst has a group always, and a separate cluster has no jobs that are not meant for it. */
    private static void anyJob(ClusterSpec spec, HpcPackSpec pack, Rule.Report report) {
        boolean burst = pack.scenario() == HpcPackSpec.Scenario.BURST;
        if (burst && pack.jobTemplate().isEmpty()) {
            report.add(
                    "hpcPack.jobTemplate",
                    "jobs of any user can run on the burst nodes as soon as the nodes are online",
                    "write hpcPack.jobTemplate, and restrict that template to hpcPack.burst.nodeGroup");
        }
        if (!burst && pack.jobTemplate().isPresent() && pack.nodeGroup().isEmpty()) {
            report.add(
                    "hpcPack.nodeGroup",
                    "hpcPack.jobTemplate restricts jobs to hpcPack.nodeGroup, and nodeGroup is missing");
        }
    }

    private static void sectionMissing(ClusterSpec spec, HpcPackSpec pack, Rule.Report report) {
        if (pack.scenario() == HpcPackSpec.Scenario.BURST && pack.burst().isEmpty()) {
            report.add("hpcPack.burst", "scenario is burst, and hpcPack.burst is missing");
        }
        if (pack.scenario() == HpcPackSpec.Scenario.RESOURCE_MANAGER
                && pack.resourceManager().isEmpty()
                && !pack.existingHead()) {
            report.add(
                    "hpcPack.resourceManager", "scenario is resource-manager, and hpcPack.resourceManager is missing");
        }
    }

    private static void version(ClusterSpec spec, HpcPackSpec pack, Rule.Report report) {
        boolean manager = pack.scenario() == HpcPackSpec.Scenario.RESOURCE_MANAGER;
        boolean nothingDeployed = pack.existingHead() && pack.scenario() != HpcPackSpec.Scenario.BURST;
        if (!nothingDeployed && manager != (pack.version() == HpcPackSpec.Version.V2019)) {
            report.add(
                    "hpcPack.version", "HPC Pack " + pack.version() + " does not have the scenario " + pack.scenario());
        }
    }

    private static void sharedService(ClusterSpec spec, HpcPackSpec pack, Rule.Report report) {
        pack.burst().map(HpcPackBurst::cloudService).ifPresent(service -> {
            boolean ofHead =
                    pack.headNodeService().filter(service::equalsIgnoreCase).isPresent();
            boolean ofNodes =
                    pack.computeNodeService().filter(service::equalsIgnoreCase).isPresent();
            if (ofHead || ofNodes) {
                report.add(
                        "hpcPack.burst.cloudService",
                        "the burst nodes would share the cloud service " + service + " with the "
                                + (ofHead ? "head node (headNodeService)" : "compute nodes (computeNodeService)"));
            }
        });
    }

    private static void oneService(ClusterSpec spec, HpcPackSpec pack, Rule.Report report) {
        String head = pack.headNodeService().orElse(spec.name() + "-head");
        String compute = pack.computeNodeService().orElse(spec.name() + "-compute");
        if (pack.scenario() == HpcPackSpec.Scenario.IAAS && !pack.existingHead() && head.equalsIgnoreCase(compute)) {
            report.add(
                    "hpcPack.computeNodeService",
                    "the compute nodes share the cloud service " + compute
                            + " with the head node; Microsoft recommends a separate cloud service for each");
        }
    }

    private static void serviceFull(ClusterSpec spec, HpcPackSpec pack, Rule.Report report) {
        int proxies = QuotaDemand.burst(spec).map(HpcPackBurst::proxyNodes).orElse(0);
        int machines = spec.nodes().count() + proxies;
        if (pack.scenario() != HpcPackSpec.Scenario.RESOURCE_MANAGER && machines > SERVICE_MOST) {
            report.add("nodes.count", machines + " machines do not fit one cloud service, which holds " + SERVICE_MOST);
        }
    }

    @FunctionalInterface
    private interface PackCheck {
        void apply(ClusterSpec spec, HpcPackSpec pack, Rule.Report report);
    }
}
