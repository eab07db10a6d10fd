package io.clusterwright.windows.deploy;

import io.clusterwright.core.plan.PlanStep;
import io.clusterwright.core.plan.PlannedMachines;
import io.clusterwright.core.plan.PlannedMachines.MachineRole;
import io.clusterwright.core.plan.PlannedResource;
import io.clusterwright.core.plan.Step;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.type.NodeSet;
import java.util.ArrayList;
import java.util.List;

/** The steps of a deployment by a template. */
final class TemplateSteps {
    private final List<PlanStep> steps = new ArrayList<>();

    private TemplateSteps() {}

    static List<PlanStep> of(HpcPackTemplate parts) {
        return new TemplateSteps().all(parts);
    }

    private List<PlanStep> all(HpcPackTemplate parts) {
        ClusterSpec spec = parts.spec();
        add(
                Step.RESOURCE_GROUP,
                spec.resourceGroup() + " in " + spec.requireRegion(),
                PlannedResource.free("resource group", spec.resourceGroup()));
        add(
                Step.CERTIFICATE,
                parts.manager().certificate().secretName() + " of key vault "
                        + parts.manager().certificate().keyVault() + ", installed on every machine");
        add(
                Step.NETWORK,
                spec.network().name() + ", " + spec.network().addressSpace() + " with "
                        + spec.network().subnet().name() + " "
                        + spec.network().subnet().range(),
                PlannedResource.free("virtual network", spec.network().name()));
        if (parts.newDomain()) {
            add(
                    Step.SERVICES,
                    "domain controller of " + parts.domain().fqdn(),
                    machines(spec, MachineRole.DOMAIN_CONTROLLER));
        }
        add(
                Step.HEAD,
                parts.headName() + ", one " + parts.headSize() + ", with HPC Pack 2019 and its certificate",
                machines(spec, MachineRole.HEAD));
        if (parts.availabilitySet()) {
            add(
                    Step.PLACEMENT,
                    "one availability set for " + spec.nodes().count() + " RDMA nodes",
                    PlannedResource.free("availability set", TemplateWriter.availabilitySet(parts)));
        }
        String names = NodeSet.fold(spec.nodes().names());
        add(
                Step.NODES,
                "boot " + names + ", " + spec.nodes().count() + " of " + parts.nodeSize(),
                machines(spec, MachineRole.NODES));
        add(
                Step.EXTENSIONS,
                (parts.rdma(parts.nodeSize()) ? "InfiniBandDriverWindows, then " : "") + "HPCComputeNode"
                        + (parts.programs().isEmpty() ? "" : ", then the firewall opened for MPI programs") + " on "
                        + names);
        parts.linux()
                .ifPresent(linux -> add(
                        Step.NODES,
                        NodeSet.fold(linux.nodes().names()) + " with Linux and LinuxNodeAgent2016U1",
                        machines(spec, MachineRole.LINUX_NODES)));
        return steps;
    }

    private static PlannedResource machines(ClusterSpec spec, MachineRole role) {
        return PlannedMachines.of(spec, role).orElseThrow().resource();
    }

    private void add(Step step, String description, PlannedResource... made) {
        steps.add(new PlanStep(step, description, List.of(made)));
    }
}
