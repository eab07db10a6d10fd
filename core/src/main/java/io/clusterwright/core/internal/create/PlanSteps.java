package io.clusterwright.core.internal.create;

import io.clusterwright.core.catalog.SizeDefaults;
import io.clusterwright.core.catalog.VmSizeFacts;
import io.clusterwright.core.plan.Plan;
import io.clusterwright.core.plan.PlanStep;
import io.clusterwright.core.plan.PlannedResource;
import io.clusterwright.core.plan.Step;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.ExtensionSpec;
import io.clusterwright.core.spec.HpcPackBurst;
import io.clusterwright.core.spec.HpcPackSpec;
import io.clusterwright.core.spec.Placement;
import io.clusterwright.core.spec.Customization.Updates;
import io.clusterwright.core.spec.Verification;
import io.clusterwright.core.spi.Facts;
import io.clusterwright.core.type.ImageReference;
import io.clusterwright.core.type.Interconnect;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.core.type.NodeSet;
import io.clusterwright.core.type.VmSize;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The steps of a plan, in the order of their doing. */
final class PlanSteps {
    private final List<PlanStep> steps = new ArrayList<>();
    private final ClusterSpec spec;
    private final Plan.ImagePlan image;
    private final Facts facts;
    private final boolean local;

    private PlanSteps(ClusterSpec spec, Facts facts, Plan.ImagePlan image) {
        this.spec = spec;
        this.facts = facts;
        this.image = image;
        this.local = facts.local();
    }

    static List<PlanStep> of(ClusterSpec spec, Facts facts, Plan.ImagePlan image, boolean exists) {
        PlanSteps writer = new PlanSteps(spec, facts, image);
        writer.network();
        writer.image();
        if (!facts.local()) {
            writer.placement();
        }
        writer.nodes(exists);
        if (!facts.local() && !spec.extensions().isEmpty()) {
            writer.extensions();
        }
        writer.add(Step.JOIN, "host keys, names, trust and hostfile on every node");
        writer.scheduler();
        writer.check();
        return writer.steps;
    }

    private void network() {
        if (!local) {
            add(
                    Step.RESOURCE_GROUP,
                    spec.resourceGroup() + " in " + spec.region().orElse("an unknown region"),
                    PlannedResource.free("resource group", spec.resourceGroup()));
        }
        String ranges = spec.network().addressSpace() + " with "
                + spec.network().subnet().name() + " " + spec.network().subnet().range();
        String use = spec.network().existing() ? "use the existing " : "";
        List<PlannedResource> made = new ArrayList<>();
        if (!spec.network().existing()) {
            made.add(PlannedResource.free(
                    local ? "bridge" : "virtual network", spec.network().name()));
        }
        if (!local) {
            made.addAll(CloudParts.access(spec));
        }
        add(Step.NETWORK, (local ? "" : use + spec.network().name() + ", ") + ranges, made);
    }

    private void image() {
        if (image.capture() && image.exists()) {
            add(Step.TEMPLATE, "use image " + image.name() + " again: the recipe is unchanged");
        } else if (image.capture()) {
            build();
        } else if (Joining.changesImage(spec)) {
            add(Step.CUSTOMIZE, "each node by itself, because nothing is captured");
        }
    }

    private void build() {
        boolean updates = spec.image().customize().updates().install() != Updates.Install.NONE;
        boolean apart = updates && image.updatesApart();
        if (apart && !image.updatesExist()) {
            add(
                    Step.UPDATES,
                    "install updates once, and keep them as " + image.updatesName(),
                    PlannedResource.free("image", image.updatesName()));
        }
        String machine = local ? "one machine" : "one " + size();
        add(
                Step.TEMPLATE,
                "boot " + machine + " from " + (apart ? image.updatesName() : base()) + ", deleted after the capture",
                machines(List.of(spec.templateName()), size()));
        add(
                Step.CUSTOMIZE,
                (updates && !apart ? "updates, " : "") + "packages, MPI, " + (Joining.runsSlurm(spec) ? "slurm, " : "")
                        + "limits, trust, files and scripts");
        add(Step.DEPROVISION, "remove what must not be in an image");
        if (!local) {
            add(Step.GENERALIZE, "stop the template, deallocate it and mark its disk as an image");
        }
        add(Step.CAPTURE, "as " + image.name(), new PlannedResource("image", image.name(), 1, !local));
        add(
                Step.BOOT_TEST,
                "boot " + machine + " from it and prove it before the image counts, deleted after the test",
                machines(List.of(spec.bootTestName()), size()));
    }

    private void placement() {
        Placement.Kind kind = spec.placement().kind();
        if (kind != Placement.Kind.NONE) {
            List<PlannedResource> made = CloudParts.placement(spec);
            String why = kind == Placement.Kind.AUTO ? ", chosen by count and kind of machines" : "";
            add(
                    Step.PLACEMENT,
                    "one " + made.get(made.size() - 1).kind() + " for "
                            + spec.nodes().count() + " nodes" + why,
                    made);
        }
    }

    private void nodes(boolean exists) {
        List<NodeName> names = spec.nodes().names();
        String verb = exists ? "make the nodes agree with " : "boot ";
        if (local) {
            add(
                    Step.NODES,
                    verb + NodeSet.fold(names),
                    machines(names, size()));
            return;
        }
        spec.headNode()
                .ifPresent(head -> add(
                        Step.NODES,
                        "boot the head " + head.name() + ", one " + head.size(),
                        machines(List.of(head.name()), head.size())));
        String size = ", " + spec.nodes().count() + " of " + size()
                + (spec.nodes().spot().enabled() ? ", as spot machines" : "");
        add(
                Step.NODES,
                verb + NodeSet.fold(names) + size,
                machines(names, size()));
        burst().ifPresent(burst -> add(
                Step.NODES,
                burst.proxyNodes() + " proxies of " + size() + " for the burst",
                new PlannedResource(size() + " proxy machine", "of HPC Pack", burst.proxyNodes(), true)));
    }

    private VmSize size() {
        return spec.nodes().size().orElse(VmSize.LOCAL);
    }

    private List<PlannedResource> machines(List<NodeName> names, VmSize size) {
        String folded = NodeSet.fold(names);
        return local
                ? List.of(new PlannedResource("node", folded, names.size(), false))
                : List.of(
                        new PlannedResource("network interface", folded, names.size(), false),
                        new PlannedResource("disk", folded, names.size(), true),
                        new PlannedResource(size + " machine", folded, names.size(), true));
    }

    /** What {@code auto} means for the size, except on this machine, which has its own system only. */
    private String base() {
        if (!(spec.image().base() instanceof ImageReference.Auto) || local) {
            return spec.image().base().toString();
        }
        Interconnect interconnect = spec.nodes()
                .size()
                .flatMap(facts.sizes()::find)
                .map(VmSizeFacts::interconnect)
                .orElse(Interconnect.NONE);
        return SizeDefaults.of(interconnect, spec.operatingSystem()).image().toString();
    }

    private void extensions() {
        List<NodeName> names = spec.nodes().names();
        List<PlannedResource> made = new ArrayList<>();
        for (ExtensionSpec extension : spec.extensions()) {
            made.add(new PlannedResource(
                    "extension", name(extension) + " on " + NodeSet.fold(names), names.size(), false));
        }
        add(Step.EXTENSIONS, "on every node, each waited for", made);
    }

    private Optional<HpcPackBurst> burst() {
        return spec.hpcPack()
                .filter(hpcPack -> hpcPack.scenario() == HpcPackSpec.Scenario.BURST)
                .flatMap(HpcPackSpec::burst);
    }

    private void scheduler() {
        if (Joining.runsSlurm(spec)) {
            NodeName controller = spec.nodes().names().get(0);
            add(Step.SCHEDULER, "slurm: the controller on " + controller + ", every node takes jobs");
        }
    }

    private void check() {
        List<String> checks = new ArrayList<>();
        if (spec.verify().hostname()) {
            checks.add("the host name on every node");
        }
        if (spec.verify().fabric() != Verification.Fabric.NONE && spec.nodes().count() > 1) {
            checks.add("a ping-pong between nodes");
        }
        if (!checks.isEmpty()) {
            add(Step.CHECK, String.join(", then ", checks));
        }
    }

    private static String name(ExtensionSpec extension) {
        return extension.name().or(extension::type).orElse("unnamed");
    }

    private void add(Step step, String description, PlannedResource... made) {
        add(step, description, List.of(made));
    }

    private void add(Step step, String description, List<PlannedResource> made) {
        steps.add(new PlanStep(step, description, made));
    }
}
