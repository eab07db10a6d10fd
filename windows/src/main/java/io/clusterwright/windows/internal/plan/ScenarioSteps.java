package io.clusterwright.windows.internal.plan;

import io.clusterwright.core.plan.PlanStep;
import io.clusterwright.core.plan.PlannedResource;
import io.clusterwright.core.plan.Step;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.HeadNode;
import io.clusterwright.core.spec.HpcPackSpec;
import io.clusterwright.core.spec.OperatingSystem;
import io.clusterwright.core.spi.Facts;
import io.clusterwright.core.spi.StepSource;
import io.clusterwright.core.type.NodeSet;
import io.clusterwright.windows.deploy.HpcPackTemplate;
import io.clusterwright.windows.deploy.IaasConfiguration;
import io.clusterwright.windows.internal.burst.Burst;
import io.clusterwright.windows.internal.iaas.NodeLifecycle;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The steps of a cluster of HPC Pack, in each of its scenarios; none where its description lacks what the scenario needs. */
public final class ScenarioSteps implements StepSource {

    /** Creates the source; it has no state. */
    public ScenarioSteps() {}

    @Override
    public List<PlanStep> steps(ClusterSpec spec, Facts facts) {
        Optional<HpcPackSpec> pack = spec.hpcPack();
        if (spec.operatingSystem() != OperatingSystem.WINDOWS || facts.local() || pack.isEmpty()) {
            return List.of();
        }
        return switch (pack.get().scenario()) {
            case IAAS -> IaasConfiguration.problems(spec).isEmpty() ? iaas(spec, pack.get()) : List.of();
            case BURST -> Burst.problems(spec).isEmpty() ? Burst.of(spec).planSteps() : List.of();
            case RESOURCE_MANAGER ->
                HpcPackTemplate.problems(spec).isEmpty()
                        ? resourceManager(HpcPackTemplate.of(spec, facts), spec)
                        : List.of();
        };
    }

    private static List<PlanStep> iaas(ClusterSpec spec, HpcPackSpec pack) {
        IaasConfiguration file = IaasConfiguration.of(spec);
        NodeLifecycle nodes = NodeLifecycle.of(spec);
        String size = spec.nodes().requireSize().name();
        boolean automatic = size.matches("(?i)standard_a[89]");
        List<PlanStep> steps = new ArrayList<>();
        steps.add(new PlanStep(
                Step.CONFIGURATION,
                IaasConfiguration.FILE_NAME + " for New-HPCIaaSCluster.ps1, which does the next four"));
        steps.add(new PlanStep(
                Step.NETWORK,
                spec.network().name() + " with " + spec.network().subnet().name() + ", made when it is missing",
                List.of(PlannedResource.free("virtual network", spec.network().name()))));
        HeadNode head = spec.headNode().orElseThrow();
        steps.add(new PlanStep(
                Step.HEAD,
                head.name() + ", one " + head.requireSize() + " in cloud service "
                        + file.value("HeadNode/ServiceName").orElse("") + ", domain "
                        + pack.domain().option() + " "
                        + pack.domain().fqdn() + ", topology 5 (all nodes on the enterprise network)",
                machines(head.requireSize().name(), head.name().value(), 1)));
        steps.add(new PlanStep(
                Step.NODES,
                NodeSet.fold(spec.nodes().names()) + ", " + spec.nodes().count() + " of " + size + " in cloud service "
                        + file.value("ComputeNodes/ServiceName").orElse(""),
                machines(size, NodeSet.fold(spec.nodes().names()), spec.nodes().count())));
        steps.add(new PlanStep(
                Step.EXTENSIONS,
                automatic
                        ? "the script installs the VM Agent and HpcVmDrivers on " + size
                        : spec.extensions().isEmpty()
                                ? "install HpcVmDrivers by hand where " + size
                                        + " has RDMA; the script does so on A8 and A9 only"
                                : "the script installs the VM Agent and the extensions of the configuration file"));
        steps.add(new PlanStep(Step.ONLINE, nodes.describe(Step.ONLINE)));
        steps.add(new PlanStep(
                Step.JOBS,
                "mpipingpong for latency and throughput on group "
                        + pack.nodeGroup().orElse("ComputeNodes")));
        steps.add(new PlanStep(Step.OFFLINE, nodes.describe(Step.OFFLINE)));
        steps.add(new PlanStep(Step.STOP, nodes.describe(Step.STOP)));
        return steps;
    }

    private static List<PlanStep> resourceManager(HpcPackTemplate template, ClusterSpec spec) {
        List<PlanStep> steps = new ArrayList<>(template.steps());
        steps.add(new PlanStep(
                Step.ONLINE,
                "Set-HpcNodeState -State Online for "
                        + NodeSet.fold(spec.nodes().names())));
        steps.add(new PlanStep(Step.JOBS, "mpipingpong for latency and throughput"));
        steps.add(new PlanStep(
                Step.OFFLINE,
                "Set-HpcNodeState -State Offline for "
                        + NodeSet.fold(spec.nodes().names())));
        steps.add(new PlanStep(Step.STOP, "deallocate the machines, so that they are no longer billed"));
        return steps;
    }

    private static List<PlannedResource> machines(String size, String names, int count) {
        return List.of(
                PlannedResource.billed("disk", names, count), PlannedResource.billed(size + " machine", names, count));
    }
}
