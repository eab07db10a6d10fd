package io.clusterwright.core.internal.create;

import io.clusterwright.core.StoredImage;
import io.clusterwright.core.catalog.QuotaUse;
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
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spi.Facts;
import io.clusterwright.core.spi.Inspection;
import io.clusterwright.core.spi.MachineProvider;
import io.clusterwright.core.spi.StepSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;
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
        Facts facts = facts(provider.name(), inspection.quota(), prices);
        ClusterSpec full = provider.bootsNamedImages() ? DefaultMpi.named(spec, facts) : spec;
        ImageRecipe recipe = ImageRecipe.of(full, provider.name() + "\n" + inspection.baseFingerprint());
        List<Finding> inspected = RuleBook.visible(spec, inspection.findings());
        boolean able = inspected.stream().noneMatch(finding -> finding.severity() == Severity.ERROR);
        // Where the provider cannot work, such as for want of rights, asking for its images may fail too.
        Set<String> images = able ? usable(provider.images()) : Set.of();
        Plan.ImagePlan image = new Plan.ImagePlan(
                recipe.image(),
                recipe.updates(),
                spec.image().capture(),
                images.contains(recipe.image()),
                provider.layersImages(),
                images.contains(recipe.updates()));
        return put(spec, full, facts, inspection, image, exists, false);
    }

    /** An image whose boot test was never passed, such as that of a program that was ended, is made again. */
    private static Set<String> usable(List<StoredImage> images) {
        return images.stream()
                .filter(StoredImage::proven)
                .map(StoredImage::name)
                .collect(Collectors.toSet());
    }

    /**
     * The plan of a spec for which no provider is asked; it says what that leaves open.
     *
     * @param prices what machines cost, or null when the caller does not say
     * @param quota the quotas that the caller knows
     */
    public static Plan offline(ClusterSpec spec, String provider, @Nullable PriceTable prices, List<QuotaUse> quota) {
        Facts facts = facts(provider, quota, prices);
        Inspection nothing = new Inspection(List.of(), OfflineGaps.of(spec), "");
        ClusterSpec full = DefaultMpi.named(spec, facts);
        ImageRecipe recipe = ImageRecipe.of(full, provider);
        Plan.ImagePlan image = new Plan.ImagePlan(
                recipe.image(), recipe.updates(), spec.image().capture(), false, false, false);
        return put(spec, full, facts, nothing, image, false, true);
    }

    private static Facts facts(String provider, List<QuotaUse> quota, @Nullable PriceTable prices) {
        Facts.Builder known = Facts.builder().provider(provider).quota(quota);
        if (prices != null) {
            known.prices(prices);
        }
        return known.build();
    }

    /**
     * Puts the parts together.
     *
     * @param spec as it was given, which findings are about
     * @param full what is carried out
     */
    private static Plan put(
            ClusterSpec spec,
            ClusterSpec full,
            Facts facts,
            Inspection inspection,
            Plan.ImagePlan image,
            boolean exists,
            boolean offline) {
        RuleBook rules = RuleBook.installed();
        List<Finding> findings = new ArrayList<>(rules.check(spec, facts));
        findings.addAll(RuleBook.visible(spec, inspection.findings()));
        List<QuotaLine> quota = facts.local() ? List.of() : QuotaTable.of(spec, facts);
        Optional<Price> price = facts.local() ? Optional.empty() : Prices.of(spec, facts);
        List<String> notChecked = new ArrayList<>(inspection.notChecked());
        notChecked.addAll(rules.notChecked());
        notChecked.addAll(NotChecked.of(spec, facts, quota, price));
        return new Plan(
                full,
                facts.provider().orElseThrow(),
                image,
                findings,
                steps(full, facts, image, exists),
                quota,
                notChecked,
                offline,
                price.orElse(null));
    }

    /** The steps of whoever knows such a cluster best; else those of making it machine by machine. */
    private static List<PlanStep> steps(ClusterSpec spec, Facts facts, Plan.ImagePlan image, boolean exists) {
        return ServiceLoader.load(StepSource.class).stream()
                .map(source -> source.get().steps(spec, facts))
                .filter(steps -> !steps.isEmpty())
                .findFirst()
                .orElseGet(() -> PlanSteps.of(spec, facts, image, exists));
    }
}
