package io.clusterwright.windows.internal.burst;

import io.clusterwright.core.plan.PlanStep;
import io.clusterwright.core.plan.PlannedResource;
import io.clusterwright.core.plan.Step;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.HpcPackBurst;
import io.clusterwright.core.spec.HpcPackSpec;
import io.clusterwright.core.spec.HpcPackSpec.HpcPackSubscription;
import io.clusterwright.core.spec.InvalidSpecException;
import io.clusterwright.core.spec.SpecProblem;
import io.clusterwright.windows.internal.iaas.ClassicNames;
import io.clusterwright.windows.internal.powershell.PowerShellScript;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The facts of a burst: its spec with the classic names of size and region. */
public final class Burst {
    /** The name of the script's file. */
    public static final String FILE_NAME = "burst.ps1";

    private final ClusterSpec spec;
    private final HpcPackBurst burst;
    private final boolean existingHead;
    private final String size;
    private final String location;

    private Burst(ClusterSpec spec, HpcPackSpec pack, HpcPackBurst burst, String size, String location) {
        this.spec = spec;
        this.burst = burst;
        this.existingHead = pack.existingHead();
        this.size = size;
        this.location = location;
    }

    /**
     * The burst of a spec of scenario {@code burst}.
     *
     * @throws InvalidSpecException with everything a burst needs and the spec lacks
     */
    public static Burst of(ClusterSpec spec) {
        List<SpecProblem> problems = problems(spec);
        if (!problems.isEmpty()) {
            throw new InvalidSpecException(problems);
        }
        HpcPackSpec pack = spec.hpcPack().orElseThrow();
        return new Burst(
                spec,
                pack,
                pack.burst().orElseThrow(),
                ClassicNames.of(spec.nodes().requireSize()).orElseThrow(),
                ClassicNames.location(spec.requireRegion()).orElseThrow());
    }

    /** The reasons why a spec cannot be carried out by bursting; empty when it can. */
    public static List<SpecProblem> problems(ClusterSpec spec) {
        List<SpecProblem> problems = new ArrayList<>();
        if (spec.hpcPack().flatMap(HpcPackSpec::burst).isEmpty()) {
            problems.add(SpecProblem.of(
                    "hpcPack.burst",
                    "a burst needs the names of its cloud service and storage account",
                    "write burst: {cloudService: hpc1-burst, storageAccount: hpc1burststore}"));
        }
        if (ClassicNames.of(spec.nodes().requireSize()).isEmpty()) {
            problems.add(SpecProblem.of(
                    "nodes.size",
                    spec.nodes().requireSize() + " is no size of worker roles",
                    "use a size such as Standard_A8, or scenario: resource-manager"));
        }
        if (ClassicNames.location(spec.requireRegion()).isEmpty()) {
            problems.add(SpecProblem.of(
                    "region",
                    spec.requireRegion() + " is no region of the classic model",
                    "write the region as westus"));
        }
        return problems;
    }

    /** The steps, in their order. */
    List<BurstStep> steps() {
        int count = spec.nodes().count();
        String template = burst.nodeTemplate();
        String nodes = count + " nodes of template " + template;
        return List.of(
                step(BurstStep.Action.CERTIFICATE, certificateText()),
                step(
                        BurstStep.Action.SERVICES,
                        "cloud service " + burst.cloudService() + " and storage account " + burst.storageAccount()
                                + ", both in " + location),
                step(
                        BurstStep.Action.NODE_TEMPLATE,
                        existingHead
                                ? "import " + template + " from " + template + ".xml, unless it exists; availability "
                                        + burst.availability()
                                : template + " comes with the configuration file of the new head node, or is imported"),
                step(BurstStep.Action.ADD_NODES, "Add-HpcNodeSet until there are " + count + " nodes of size " + size),
                step(
                        BurstStep.Action.START,
                        nodes + ", with " + burst.proxyNodes() + " proxy nodes of the same size; billed from here"),
                step(BurstStep.Action.WAIT, "until all are provisioned, which takes many minutes"),
                step(BurstStep.Action.ONLINE, nodes + "; the scheduler starts jobs on them at once"),
                step(BurstStep.Action.SUBMIT, "mpipingpong for latency and throughput on group " + burst.nodeGroup()),
                step(BurstStep.Action.OFFLINE, nodes + ", when their jobs have ended"),
                step(BurstStep.Action.STOP, nodes + "; no longer billed"));
    }

    /** The steps as those of a plan, after that of the head node. */
    public List<PlanStep> planSteps() {
        List<PlanStep> all = new ArrayList<>();
        all.add(new PlanStep(
                Step.HEAD,
                existingHead ? "use the existing head node, on premises or in a machine of Azure" : newHead()));
        for (BurstStep step : steps()) {
            all.add(new PlanStep(
                    step.action().step(), step.action() + ": " + step.description(), created(step.action())));
        }
        return all;
    }

    private String newHead() {
        return "deploy a head node of HPC Pack " + spec.hpcPack().orElseThrow().version()
                + spec.headNode()
                        .map(head -> ", " + head.name() + " of size " + head.size())
                        .orElse(", on premises or in a machine of Azure");
    }

    private List<PlannedResource> created(BurstStep.Action action) {
        String machine = spec.nodes().requireSize().name();
        return switch (action) {
            case SERVICES ->
                List.of(
                        PlannedResource.free("cloud service", burst.cloudService()),
                        PlannedResource.billed("storage account", burst.storageAccount()));
            case START ->
                List.of(
                        new PlannedResource(
                                machine + " worker role",
                                "of " + burst.nodeTemplate(),
                                spec.nodes().count(),
                                true),
                        new PlannedResource(machine + " proxy machine", "of HPC Pack", burst.proxyNodes(), true));
            default -> List.of();
        };
    }

    /** The script. */
    public PowerShellScript script() {
        return BurstScript.of(this);
    }

    ClusterSpec spec() {
        return spec;
    }

    HpcPackBurst burst() {
        return burst;
    }

    /** Empty where the one that the client has selected is used. */
    Optional<HpcPackSubscription> subscription() {
        return spec.hpcPack().flatMap(HpcPackSpec::subscription);
    }

    boolean existingHead() {
        return existingHead;
    }

    String size() {
        return size;
    }

    String location() {
        return location;
    }

    private String certificateText() {
        return burst.managementCertificate()
                .thumbprint()
                .map(own -> "the head node has certificate " + own + " with its private key")
                .orElse("HPC Pack's default certificate is uploaded to the subscription; for test deployments only");
    }

    private static BurstStep step(BurstStep.Action action, String description) {
        return new BurstStep(action, description);
    }
}
