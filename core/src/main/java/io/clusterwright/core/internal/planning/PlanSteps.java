package io.clusterwright.core.internal.planning;

import io.clusterwright.core.catalog.SizeDefaults;
import io.clusterwright.core.internal.planning.ComputedPlan.ImagePlan;
import io.clusterwright.core.internal.rules.QuotaDemand;
import io.clusterwright.core.plan.PlanStep;
import io.clusterwright.core.plan.PlannedResource;
import io.clusterwright.core.plan.Step;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.ExtensionSpec;
import io.clusterwright.core.spec.NetworkSpec.SshAccess;
import io.clusterwright.core.spec.Placement;
import io.clusterwright.core.spec.Verification;
import io.clusterwright.core.spi.Facts;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.core.type.NodeSet;
import io.clusterwright.core.type.VmSize;
import java.util.ArrayList;
import java.util.List;

/** Describes the steps of a plan, in order of execution. */
final class PlanSteps {
    private final List<PlanStep> steps = new ArrayList<>();
    private final ClusterSpec spec;
    private final ImagePlan image;
    private final Facts facts;
    private final boolean local;

    private PlanSteps(ClusterSpec spec, Facts facts, ImagePlan image) {
        this.spec = spec;
        this.facts = facts;
        this.image = image;
        this.local = facts.local();
    }

    static List<PlanStep> of(ClusterSpec spec, Facts facts, ImagePlan image, boolean exists) {
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
        String subnet =
                spec.network().subnet().name() + " " + spec.network().subnet().range();
        String network = local
                ? spec.network().addressSpace() + " with "
                : spec.network().existing()
                        ? "use the existing " + spec.network().name() + " with "
                        : spec.network().name() + ", " + spec.network().addressSpace() + " with ";
        List<PlannedResource> made = new ArrayList<>();
        if (!spec.network().existing()) {
            made.add(PlannedResource.free(
                    local ? "bridge" : "virtual network", spec.network().name()));
        }
        if (!local) {
            made.addAll(access());
        }
        add(Step.NETWORK, network + subnet, made);
    }

    private void image() {
        if (image.capture() && image.exists()) {
            add(Step.TEMPLATE, "use image " + image.name() + " again: the recipe is unchanged");
        } else if (image.capture()) {
            build();
        } else if (ImageRecipe.changesBase(spec)) {
            add(Step.CUSTOMIZE, "each node separately, because no image is captured");
        }
    }

    private void build() {
        for (Step step : image.steps(spec)) {
            buildStep(step);
        }
    }

    private void buildStep(Step step) {
        boolean apart = image.keepsUpdatesApart(spec);
        String machine = local ? "one machine" : "one " + size();
        switch (step) {
            case UPDATES ->
                add(
                        step,
                        "install updates once, and keep them as " + image.updatesName(),
                        PlannedResource.free("image", image.updatesName()));
            case TEMPLATE ->
                add(
                        step,
                        "boot " + machine + " from " + (apart ? image.updatesName() : base())
                                + ", deleted after the capture",
                        machines(List.of(spec.templateName()), size()));
            case CUSTOMIZE ->
                add(
                        step,
                        (ImageRecipe.installsUpdates(spec) && !apart ? "updates, " : "") + "packages, MPI, "
                                + (ImageRecipe.installsSlurm(spec) ? "slurm, " : "")
                                + "limits, trust, files and scripts");
            case DEPROVISION -> add(step, "remove what must not be in an image");
            case GENERALIZE -> {
                if (!local) {
                    add(step, "stop the template, deallocate it and mark its disk as an image");
                }
            }
            case CAPTURE ->
                add(
                        step,
                        "as " + image.name(),
                        local
                                ? PlannedResource.free("image", image.name())
                                : PlannedResource.billed("image", image.name()));
            case BOOT_TEST ->
                add(
                        step,
                        "boot " + machine + " from the image and test it; the machine is deleted after the test",
                        machines(List.of(spec.bootTestName()), size()));
            default -> throw new IllegalStateException(step + " does not build an image");
        }
    }

    private void placement() {
        Placement.Kind kind = spec.placement().kind();
        if (kind != Placement.Kind.NONE) {
            List<PlannedResource> made = placementResources();
            String why = kind == Placement.Kind.AUTO ? ", chosen by size, count and kind of machines" : "";
            add(
                    Step.PLACEMENT,
                    "one " + made.get(made.size() - 1).kind() + " for "
                            + spec.nodes().count() + " nodes" + why,
                    made);
        }
    }

    private void nodes(boolean exists) {
        List<NodeName> names = spec.nodes().names();
        String verb = exists ? "change the nodes to match " : "boot ";
        spec.headNode().ifPresent(head -> {
            VmSize size = head.size().orElse(VmSize.LOCAL);
            add(
                    Step.NODES,
                    verb.replace("nodes", "head")
                            + (exists ? "" : "the head ")
                            + head.name()
                            + (local ? "" : ", one " + size),
                    machines(List.of(head.name()), size));
        });
        if (local) {
            add(Step.NODES, verb + NodeSet.fold(names), machines(names, size()));
            return;
        }
        String size = ", " + spec.nodes().count() + " of " + size()
                + (spec.nodes().spot().enabled() ? ", as spot machines" : "");
        add(Step.NODES, verb + NodeSet.fold(names) + size, machines(names, size()));
        QuotaDemand.burst(spec)
                .ifPresent(burst -> add(
                        Step.NODES,
                        burst.proxyNodes() + " proxies of " + size() + " for the burst",
                        PlannedResource.billed(size() + " proxy machine", "of HPC Pack", burst.proxyNodes())));
    }

    private VmSize size() {
        return spec.nodes().size().orElse(VmSize.LOCAL);
    }

    private List<PlannedResource> machines(List<NodeName> names, VmSize size) {
        String folded = NodeSet.fold(names);
        return local
                ? List.of(PlannedResource.free("node", folded, names.size()))
                : List.of(
                        PlannedResource.free("network interface", folded, names.size()),
                        PlannedResource.billed("disk", folded, names.size()),
                        PlannedResource.billed(size + " machine", folded, names.size()));
    }

    /** Resolves the base image {@code auto} by size, except on this machine, which has only its own system. */
    private String base() {
        return (local ? spec.image().base() : SizeDefaults.baseImage(spec, facts.sizes())).toString();
    }

    private void extensions() {
        List<NodeName> names = spec.nodes().names();
        List<PlannedResource> made = new ArrayList<>();
        for (ExtensionSpec extension : spec.extensions()) {
            made.add(PlannedResource.free("extension", name(extension) + " on " + NodeSet.fold(names), names.size()));
        }
        add(Step.EXTENSIONS, "on every node, each waited for", made);
    }

    private void scheduler() {
        if (ImageRecipe.installsSlurm(spec)) {
            String takes = spec.headNode().isPresent()
                    ? NodeSet.fold(spec.nodes().names()) + (spec.nodes().count() == 1 ? " takes jobs" : " take jobs")
                    : "every node takes jobs";
            add(Step.SCHEDULER, "slurm: the controller on " + spec.headName() + ", " + takes);
        }
    }

    private void check() {
        List<String> checks = new ArrayList<>();
        if (spec.verify().hostname()) {
            checks.add("the host name on every node");
        }
        if (spec.verify().fabric() != Verification.Fabric.NONE && spec.nodes().count() > 1) {
            checks.add("when asked to verify, a ping-pong between nodes");
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

    /** The resources for access from outside. */
    private List<PlannedResource> access() {
        List<PlannedResource> parts = new ArrayList<>();
        parts.add(PlannedResource.free("security group", spec.name() + "-nsg"));
        SshAccess.External external = spec.network().ssh().external();
        if (external == SshAccess.External.NONE) {
            return parts;
        }
        boolean prefix = spec.network().ssh().portPrefix().isPresent();
        int addresses = prefix || external == SshAccess.External.HEAD
                ? 1
                : spec.nodes().count() + (spec.headNode().isPresent() ? 1 : 0);
        parts.add(PlannedResource.billed("public address", spec.name() + "-ip", addresses));
        if (prefix) {
            parts.add(PlannedResource.billed("load balancer", spec.name() + "-lb"));
        }
        return parts;
    }

    /** The resources that keep the machines on one fabric. */
    private List<PlannedResource> placementResources() {
        List<PlannedResource> parts = new ArrayList<>();
        if (spec.placement().proximityGroup()) {
            parts.add(PlannedResource.free("proximity placement group", spec.name() + "-ppg"));
        }
        switch (SizeDefaults.placement(spec, facts.sizes())) {
            case AVAILABILITY_SET -> parts.add(PlannedResource.free("availability set", spec.name() + "-avset"));
            case SCALE_SET -> parts.add(PlannedResource.free("scale set", spec.name() + "-vmss"));
            default -> {}
        }
        return parts;
    }
}
