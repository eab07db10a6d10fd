package io.clusterwright.core.internal.planning;

import io.clusterwright.core.plan.Finding;
import io.clusterwright.core.plan.Plan;
import io.clusterwright.core.plan.PlanStep;
import io.clusterwright.core.plan.PriceTable.Price;
import io.clusterwright.core.plan.QuotaLine;
import io.clusterwright.core.plan.Severity;
import io.clusterwright.core.plan.Step;
import io.clusterwright.core.spec.ClusterSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * A plan, with the image that the nodes boot from.
 *
 * @param image the image
 */
public record ComputedPlan(
        ClusterSpec spec,
        String provider,
        ImagePlan image,
        List<Finding> findings,
        List<PlanStep> steps,
        List<QuotaLine> quota,
        List<String> notChecked,
        boolean offline,
        Optional<Price> price)
        implements Plan {
    /** Copies the lists. */
    public ComputedPlan {
        Objects.requireNonNull(spec, "spec");
        Objects.requireNonNull(provider, "provider");
        Objects.requireNonNull(image, "image");
        Objects.requireNonNull(price, "price");
        findings = List.copyOf(findings);
        steps = List.copyOf(steps);
        quota = List.copyOf(quota);
        notChecked = List.copyOf(notChecked);
    }

    @Override
    public Plan atLeast(Severity least) {
        List<Finding> grave = findings.stream()
                .filter(finding -> finding.severity().compareTo(least) <= 0)
                .toList();
        return new ComputedPlan(spec, provider, image, grave, steps, quota, notChecked, offline, price);
    }

    @Override
    public String toText() {
        return PlanText.of(this);
    }

    /** As {@link #toText()}. */
    @Override
    public String toString() {
        return toText();
    }

    /**
     * The image part of a plan.
     *
     * @param capture whether an image is made at all
     * @param updatesApart whether the updated base is kept separately, because an image is a cheap layer there
     * @param recipe the names of the customised image and of the updated base
     * @param exists whether the customised image exists already and will be reused
     * @param updatesExist whether the updated base exists already and will be reused
     */
    public record ImagePlan(
            boolean capture, boolean updatesApart, ImageRecipe recipe, boolean exists, boolean updatesExist) {
        /** The steps that build the image, in order, from the updated base to the boot test. */
        public List<Step> steps(ClusterSpec spec) {
            List<Step> steps = new ArrayList<>();
            if (keepsUpdatesApart(spec) && !updatesExist) {
                steps.add(Step.UPDATES);
            }
            steps.addAll(List.of(
                    Step.TEMPLATE, Step.CUSTOMIZE, Step.DEPROVISION, Step.GENERALIZE, Step.CAPTURE, Step.BOOT_TEST));
            return steps;
        }

        /** Whether the updated base is kept as a separate image. */
        boolean keepsUpdatesApart(ClusterSpec spec) {
            return ImageRecipe.installsUpdates(spec) && updatesApart;
        }

        /** The name of the customised image: the same recipe on the same base always has the same name. */
        public String name() {
            return recipe.image();
        }

        /** The name of the updated base. */
        public String updatesName() {
            return recipe.updates();
        }
    }
}
