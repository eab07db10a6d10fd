package io.clusterwright.core.internal.create;

import io.clusterwright.core.internal.rules.NotChecked;
import io.clusterwright.core.internal.rules.Prices;
import io.clusterwright.core.internal.rules.QuotaTable;
import io.clusterwright.core.internal.rules.RuleBook;
import io.clusterwright.core.plan.Finding;
import io.clusterwright.core.plan.Plan;
import io.clusterwright.core.plan.PlanStep;
import io.clusterwright.core.plan.Price;
import io.clusterwright.core.plan.PriceTable;
import io.clusterwright.core.plan.QuotaLine;
import io.clusterwright.core.plan.Severity;
import io.clusterwright.core.plan.Step;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.Customization;
import io.clusterwright.core.spec.Updates;
import io.clusterwright.core.spi.Facts;
import io.clusterwright.core.spi.Inspection;
import io.clusterwright.core.spi.MachineProvider;
import io.clusterwright.core.spi.StoredImage;
import io.clusterwright.core.type.NodeSet;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Puts together what is known about a spec before anything is made. */
public final class Planning {
    private Planning() {}

    /**
     * The plan of a spec on a provider.
     *
     * @param exists whether a cluster of that name has a record already
     * @param prices what machines cost, or null when the caller does not say
     */
    public static Plan plan(ClusterSpec spec, MachineProvider provider, boolean exists, @Nullable PriceTable prices) {
        Inspection inspection = provider.inspect(spec);
        Facts.Builder known = Facts.builder().provider(provider.name()).quota(inspection.quota());
        if (prices != null) {
            known.prices(prices);
        }
        Facts facts = known.build();
        ImageRecipe recipe = ImageRecipe.of(spec, provider.name() + "\n" + inspection.baseFingerprint());
        List<Finding> inspected = RuleBook.visible(spec, inspection.findings());
        boolean able = inspected.stream().noneMatch(finding -> finding.severity() == Severity.ERROR);
        // Where the provider cannot work, such as for want of rights, asking for its images may fail too.
        Set<String> images =
                able ? provider.images().stream().map(StoredImage::name).collect(Collectors.toSet()) : Set.of();
        Plan.ImagePlan image = new Plan.ImagePlan(
                recipe.image(),
                recipe.updates(),
                spec.image().capture(),
                images.contains(recipe.image()),
                provider.layersImages(),
                images.contains(recipe.updates()));
        RuleBook rules = RuleBook.installed();
        List<Finding> findings = new ArrayList<>(rules.check(spec, facts));
        findings.addAll(inspected);
        List<QuotaLine> quota = facts.local() ? List.of() : QuotaTable.of(spec, facts);
        Optional<Price> price = facts.local() ? Optional.empty() : Prices.of(spec, facts);
        List<String> notChecked = new ArrayList<>(inspection.notChecked());
        notChecked.addAll(rules.notChecked());
        notChecked.addAll(NotChecked.of(spec, facts, quota, price));
        return new Plan(
                spec,
                provider.name(),
                image,
                findings,
                steps(spec, image, exists),
                quota,
                notChecked,
                price.orElse(null));
    }

    private static List<PlanStep> steps(ClusterSpec spec, Plan.ImagePlan image, boolean exists) {
        List<PlanStep> steps = new ArrayList<>();
        steps.add(new PlanStep(
                Step.NETWORK,
                spec.network().addressSpace() + " with "
                        + spec.network().subnet().name() + " "
                        + spec.network().subnet().range()));
        if (image.capture() && image.exists()) {
            steps.add(new PlanStep(Step.TEMPLATE, "use image " + image.name() + " again: the recipe is unchanged"));
        } else if (image.capture()) {
            boolean updates = spec.image().customize().updates().install() != Updates.Install.NONE;
            if (updates && image.updatesApart() && !image.updatesExist()) {
                steps.add(new PlanStep(Step.UPDATES, "install updates once, and keep them as " + image.updatesName()));
            }
            boolean apart = updates && image.updatesApart();
            String base = apart ? image.updatesName() : spec.image().base().toString();
            steps.add(new PlanStep(Step.TEMPLATE, "boot one machine from " + base));
            steps.add(new PlanStep(
                    Step.CUSTOMIZE,
                    (updates && !apart ? "updates, " : "") + "packages, MPI, limits, trust, files and scripts"));
            steps.add(new PlanStep(Step.DEPROVISION, "remove what must not be in an image"));
            steps.add(new PlanStep(Step.CAPTURE, "as " + image.name()));
        }
        if (!image.capture()
                && !spec.image().customize().equals(Customization.builder().build())) {
            steps.add(new PlanStep(Step.CUSTOMIZE, "each node by itself, because nothing is captured"));
        }
        String nodes = NodeSet.fold(spec.nodes().names());
        steps.add(new PlanStep(Step.NODES, exists ? "make the nodes agree with " + nodes : "boot " + nodes));
        steps.add(new PlanStep(Step.JOIN, "host keys, names, trust and hostfile on every node"));
        return steps;
    }
}
