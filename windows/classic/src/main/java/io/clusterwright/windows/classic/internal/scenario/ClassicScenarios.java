package io.clusterwright.windows.classic.internal.scenario;

import io.clusterwright.core.plan.PlanStep;
import io.clusterwright.core.plan.PlannedMachines;
import io.clusterwright.core.plan.PlannedMachines.MachineRole;
import io.clusterwright.core.plan.PlannedResource;
import io.clusterwright.core.plan.RenderedFile;
import io.clusterwright.core.plan.Step;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.HeadNode;
import io.clusterwright.core.spec.HpcPackSpec;
import io.clusterwright.core.spec.OperatingSystem;
import io.clusterwright.core.spi.Facts;
import io.clusterwright.core.spi.RenderInput;
import io.clusterwright.core.spi.Renderer;
import io.clusterwright.core.spi.StepSource;
import io.clusterwright.core.type.NodeSet;
import io.clusterwright.windows.classic.IaasConfiguration;
import io.clusterwright.windows.classic.internal.script.Burst;
import io.clusterwright.windows.classic.internal.script.NodeLifecycle;
import io.clusterwright.windows.internal.quoting.PowerShellQuoting;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The files and the steps of the scenarios in Azure's classic model; no steps where the spec lacks what the scenario needs. */
public final class ClassicScenarios implements Renderer, StepSource {

    /** Creates the scenarios; they have no state. */
    public ClassicScenarios() {}

    @Override
    public String name() {
        return "windows-classic";
    }

    private static Optional<HpcPackSpec.Scenario> scenario(ClusterSpec spec, Facts facts) {
        return spec.operatingSystem() == OperatingSystem.WINDOWS && !facts.local()
                ? spec.hpcPack()
                        .filter(pack -> pack.scenario() == HpcPackSpec.Scenario.BURST || !pack.existingHead())
                        .map(HpcPackSpec::scenario)
                : Optional.empty();
    }

    @Override
    public List<RenderedFile> render(RenderInput input) {
        ClusterSpec spec = input.spec();
        return scenario(spec, input.facts())
                .map(scenario -> switch (scenario) {
                    case IAAS -> iaas(spec);
                    case BURST -> burst(spec);
                    case RESOURCE_MANAGER -> List.<RenderedFile>of();
                })
                .orElse(List.of());
    }

    @Override
    public List<PlanStep> steps(ClusterSpec spec, Facts facts) {
        return scenario(spec, facts)
                .map(scenario -> switch (scenario) {
                    case IAAS -> IaasConfiguration.problems(spec).isEmpty() ? iaasSteps(spec) : List.<PlanStep>of();
                    case BURST ->
                        Burst.problems(spec).isEmpty() ? Burst.of(spec).planSteps() : List.<PlanStep>of();
                    case RESOURCE_MANAGER -> List.<PlanStep>of();
                })
                .orElse(List.of());
    }

    private static List<RenderedFile> iaas(ClusterSpec spec) {
        List<RenderedFile> files = new ArrayList<>(deployment(spec));
        files.add(RenderedFile.of(
                NodeLifecycle.FILE_NAME, NodeLifecycle.of(spec).script().bytes()));
        return files;
    }

    /** The configuration of the deployment script, and the command that runs it. */
    private static List<RenderedFile> deployment(ClusterSpec spec) {
        String command =
                "# In the folder of the deployment script, in PowerShell as administrator. It asks for the password of "
                        + spec.login().user() + ".\r\n"
                        + ".\\New-HPCIaaSCluster.ps1 -ConfigFile .\\" + IaasConfiguration.FILE_NAME + " -AdminUserName "
                        + word(spec.login().user().value()) + "\r\n";
        return List.of(
                RenderedFile.text(
                                IaasConfiguration.FILE_NAME,
                                IaasConfiguration.of(spec).toXml())
                        .withNote(
                                "the script and classic machines are retired; scenario resource-manager is live today"),
                RenderedFile.text("New-HPCIaaSCluster.ps1.txt", command));
    }

    private static String word(String text) {
        return text.matches("[A-Za-z0-9._:\\\\-]+") ? text : PowerShellQuoting.literal(text);
    }

    /** The file of a new head node brings the node template; the template of an existing head node has to be made in the wizard. */
    private static List<RenderedFile> burst(ClusterSpec spec) {
        boolean newHead = spec.hpcPack().filter(pack -> !pack.existingHead()).isPresent()
                && IaasConfiguration.problems(spec).isEmpty();
        List<RenderedFile> files = new ArrayList<>(newHead ? deployment(spec) : List.of());
        RenderedFile script =
                RenderedFile.of(Burst.FILE_NAME, Burst.of(spec).script().bytes());
        files.add(
                newHead
                        ? script.withNote("worker roles are retired")
                        : script.withNote("needs a node template of Azure nodes, which the wizard makes and "
                                + "Export-HpcNodeTemplate saves; worker roles are retired"));
        return files;
    }

    private static List<PlanStep> iaasSteps(ClusterSpec spec) {
        HpcPackSpec pack = spec.hpcPack().orElseThrow();
        IaasConfiguration file = IaasConfiguration.of(spec);
        NodeLifecycle nodes = NodeLifecycle.of(spec);
        String size = spec.nodes().requireSize().name();
        boolean automatic = size.matches("(?i)standard_a[89]");
        List<PlanStep> steps = new ArrayList<>();
        steps.add(new PlanStep(
                Step.CONFIGURATION,
                IaasConfiguration.FILE_NAME + " for New-HPCIaaSCluster.ps1, which does the next steps"));
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
                machines(spec, MachineRole.HEAD)));
        steps.add(new PlanStep(
                Step.NODES,
                NodeSet.fold(spec.nodes().names()) + ", " + spec.nodes().count() + " of " + size + " in cloud service "
                        + file.value("ComputeNodes/ServiceName").orElse(""),
                machines(spec, MachineRole.NODES)));
        PlannedMachines.of(spec, MachineRole.LINUX_NODES)
                .ifPresent(linux -> steps.add(new PlanStep(
                        Step.NODES,
                        linux.folded() + ", " + linux.count() + " of " + linux.size() + " with Linux in cloud service "
                                + file.value("LinuxComputeNodes/ServiceName").orElse(""),
                        machines(spec, MachineRole.LINUX_NODES))));
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

    private static List<PlannedResource> machines(ClusterSpec spec, MachineRole role) {
        PlannedMachines machines = PlannedMachines.of(spec, role).orElseThrow();
        return List.of(PlannedResource.billed("disk", machines.folded(), machines.count()), machines.resource());
    }
}
