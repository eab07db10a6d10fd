package io.clusterwright.windows.deploy;

import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.HpcPackBurst;
import io.clusterwright.core.spec.HpcPackSpec;
import io.clusterwright.core.spec.HpcPackSpec.HpcPackSubscription;
import io.clusterwright.core.spec.InvalidSpecException;
import io.clusterwright.core.spec.SpecProblem;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * How a head node bursts to Azure: as a list of steps, and as a script that takes them. Immutable and safe for use by several threads.
 *
 * <p>The nodes and at least two proxy nodes of their size are billed from {@link BurstStep.Action#START} to
 * {@link BurstStep.Action#STOP}. Classic cloud services, which worker roles need, are retired; the script is what it would take.
 */
public final class BurstPlan {
    /** The name of the script's file. */
    public static final String FILE_NAME = "burst.ps1";

    private final ClusterSpec spec;
    private final HpcPackBurst burst;
    private final boolean existingHead;
    private final String size;
    private final String location;

    private BurstPlan(ClusterSpec spec, HpcPackSpec pack, HpcPackBurst burst, String size, String location) {
        this.spec = spec;
        this.burst = burst;
        this.existingHead = pack.existingHead();
        this.size = size;
        this.location = location;
    }

    /**
     * The plan of a description of scenario {@code burst}.
     *
     * @throws InvalidSpecException with everything a burst needs and the description lacks
     */
    public static BurstPlan of(ClusterSpec spec) {
        List<SpecProblem> problems = problems(spec);
        if (!problems.isEmpty()) {
            throw new InvalidSpecException(problems);
        }
        HpcPackSpec pack = spec.hpcPack().orElseThrow();
        return new BurstPlan(
                spec,
                pack,
                pack.burst().orElseThrow(),
                ClassicNames.of(spec.nodes().size().orElseThrow()).orElseThrow(),
                ClassicNames.location(spec.region().orElseThrow()).orElseThrow());
    }

    /** What keeps a description from being carried out by bursting; empty when nothing does. */
    public static List<SpecProblem> problems(ClusterSpec spec) {
        List<SpecProblem> problems = new ArrayList<>();
        if (spec.hpcPack().flatMap(HpcPackSpec::burst).isEmpty()) {
            problems.add(SpecProblem.of(
                    "hpcPack.burst",
                    "a burst needs the names of its cloud service and storage account",
                    "write burst: {cloudService: hpc1-burst, storageAccount: hpc1burststore}"));
        }
        if (ClassicNames.of(spec.nodes().size().orElseThrow()).isEmpty()) {
            problems.add(SpecProblem.of(
                    "nodes.size",
                    spec.nodes().size().orElseThrow() + " is no size of worker roles",
                    "use a size such as Standard_A8, or scenario: resource-manager"));
        }
        if (ClassicNames.location(spec.region().orElseThrow()).isEmpty()) {
            problems.add(SpecProblem.of(
                    "region", spec.region().orElseThrow() + " is no region of the classic model", "write the region as westus"));
        }
        return problems;
    }

    /** The steps, in their order. */
    public List<BurstStep> steps() {
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
                                ? "import " + template + " from " + template + ".xml, unless it is there; availability "
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

    /** The script, to be run on the head node by an administrator; see {@link BurstStep.Action} for the words it takes. */
    public String script() {
        return BurstScript.of(this).text();
    }

    /** The script as a file's bytes. */
    public byte[] scriptBytes() {
        return BurstScript.of(this).bytes();
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
