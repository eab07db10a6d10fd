package io.clusterwright.core.internal.create;

import io.clusterwright.core.plan.Plan;
import io.clusterwright.core.plan.PlanStep;
import io.clusterwright.core.plan.Step;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.Customization;
import io.clusterwright.core.spec.ExtensionSpec;
import io.clusterwright.core.spec.HpcPackBurst;
import io.clusterwright.core.spec.HpcPackSpec;
import io.clusterwright.core.spec.Placement;
import io.clusterwright.core.spec.Updates;
import io.clusterwright.core.spec.Verification;
import io.clusterwright.core.type.NodeSet;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** The steps of a plan, in the order of their doing. */
final class PlanSteps {
    private final List<PlanStep> steps = new ArrayList<>();
    private final ClusterSpec spec;
    private final Plan.ImagePlan image;
    private final boolean local;

    private PlanSteps(ClusterSpec spec, Plan.ImagePlan image, boolean local) {
        this.spec = spec;
        this.image = image;
        this.local = local;
    }

    static List<PlanStep> of(ClusterSpec spec, Plan.ImagePlan image, boolean exists, boolean local) {
        PlanSteps writer = new PlanSteps(spec, image, local);
        writer.network();
        writer.image();
        if (!local) {
            writer.placement();
        }
        writer.nodes(exists);
        if (!local && !spec.extensions().isEmpty()) {
            writer.add(
                    Step.EXTENSIONS,
                    "on every node: "
                            + spec.extensions().stream().map(PlanSteps::name).collect(Collectors.joining(", ")));
        }
        writer.add(Step.JOIN, "host keys, names, trust and hostfile on every node");
        writer.check();
        return writer.steps;
    }

    private void network() {
        if (!local) {
            add(Step.RESOURCE_GROUP, spec.resourceGroup() + " in " + spec.region());
        }
        String ranges = spec.network().addressSpace() + " with "
                + spec.network().subnet().name() + " " + spec.network().subnet().range();
        String use = spec.network().existing() ? "use the existing " : "";
        add(Step.NETWORK, (local ? "" : use + spec.network().name() + ", ") + ranges);
    }

    private void image() {
        if (image.capture() && image.exists()) {
            add(Step.TEMPLATE, "use image " + image.name() + " again: the recipe is unchanged");
        } else if (image.capture()) {
            build();
        } else if (!spec.image().customize().equals(Customization.builder().build())) {
            add(Step.CUSTOMIZE, "each node by itself, because nothing is captured");
        }
    }

    private void build() {
        boolean updates = spec.image().customize().updates().install() != Updates.Install.NONE;
        boolean apart = updates && image.updatesApart();
        if (apart && !image.updatesExist()) {
            add(Step.UPDATES, "install updates once, and keep them as " + image.updatesName());
        }
        String base = apart ? image.updatesName() : spec.image().base().toString();
        String machine = local ? "one machine" : "one " + spec.nodes().size();
        add(Step.TEMPLATE, "boot " + machine + " from " + base);
        add(Step.CUSTOMIZE, (updates && !apart ? "updates, " : "") + "packages, MPI, limits, trust, files and scripts");
        add(Step.DEPROVISION, "remove what must not be in an image");
        if (!local) {
            add(Step.GENERALIZE, "stop the template, deallocate it and mark its disk as an image");
        }
        add(Step.CAPTURE, "as " + image.name());
    }

    private void placement() {
        Placement.Kind kind = spec.placement().kind();
        if (kind != Placement.Kind.NONE) {
            String what = kind == Placement.Kind.AUTO ? "a placement chosen by size and count" : "one " + kind;
            String near = spec.placement().proximityGroup() ? " in a proximity placement group" : "";
            add(Step.PLACEMENT, what + near + " for " + spec.nodes().count() + " nodes");
        }
    }

    private void nodes(boolean exists) {
        String names = NodeSet.fold(spec.nodes().names());
        if (local) {
            add(Step.NODES, exists ? "make the nodes agree with " + names : "boot " + names);
            return;
        }
        spec.headNode().ifPresent(head -> add(Step.NODES, "boot the head " + head.name() + ", one " + head.size()));
        String size = ", " + spec.nodes().count() + " of " + spec.nodes().size()
                + (spec.nodes().spot().enabled() ? ", as spot machines" : "");
        add(Step.NODES, (exists ? "make the nodes agree with " : "boot ") + names + size);
        burst().ifPresent(burst -> add(
                Step.NODES, burst.proxyNodes() + " proxies of " + spec.nodes().size() + " for the burst"));
    }

    private Optional<HpcPackBurst> burst() {
        return spec.hpcPack()
                .filter(hpcPack -> hpcPack.scenario() == HpcPackSpec.Scenario.BURST)
                .flatMap(HpcPackSpec::burst);
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

    private void add(Step step, String description) {
        steps.add(new PlanStep(step, description));
    }
}
