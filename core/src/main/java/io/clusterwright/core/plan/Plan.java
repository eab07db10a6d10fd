package io.clusterwright.core.plan;

import io.clusterwright.core.spec.ClusterSpec;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The steps, findings, quota and price of creating a cluster. Making a plan changes nothing.
 *
 * @param spec the description, with the provider's own part merged in, and the MPI of the size where it names none
 * @param provider the name of the provider it was made for
 * @param image the image that the nodes boot from
 * @param findings the errors, warnings and notes
 * @param steps the steps, in order
 * @param quota the use of quotas by the machines, one line for each family of sizes, then those of the region; empty
 *     where nothing is billed
 * @param notChecked the checks that could not run, each with the reason
 * @param offline whether no provider was queried, so that the cluster cannot be created from this plan
 * @param givenPrice the price of the machines for an hour, or null when it is unknown; use {@link #price()}
 */
public record Plan(
        ClusterSpec spec,
        String provider,
        ImagePlan image,
        List<Finding> findings,
        List<PlanStep> steps,
        List<QuotaLine> quota,
        List<String> notChecked,
        boolean offline,
        @Nullable Price givenPrice) {
    /** Copies the lists. */
    public Plan {
        Objects.requireNonNull(spec, "spec");
        Objects.requireNonNull(provider, "provider");
        Objects.requireNonNull(image, "image");
        findings = List.copyOf(findings);
        steps = List.copyOf(steps);
        quota = List.copyOf(quota);
        notChecked = List.copyOf(notChecked);
    }

    /** The price of the machines for an hour; empty without a price table that has their sizes. */
    public Optional<Price> price() {
        return Optional.ofNullable(givenPrice);
    }

    /** The plan for people: always the same text for the same plan. */
    public String toText() {
        return PlanText.of(this);
    }

    /** The same plan with only the findings of this severity and worse. Errors always stay. */
    public Plan atLeast(Severity least) {
        List<Finding> worse = findings.stream()
                .filter(finding -> finding.severity().compareTo(least) <= 0)
                .toList();
        return new Plan(spec, provider, image, worse, steps, quota, notChecked, offline, givenPrice);
    }

    /** Whether no finding is an error. */
    public boolean feasible() {
        return findings.stream().noneMatch(finding -> finding.severity() == Severity.ERROR);
    }

    /**
     * The image part of a plan.
     *
     * @param name the name under which the customised image is kept: the same recipe on the same base always gets the same
     * @param updatesName the name under which the updated base is kept
     * @param capture whether an image is made at all
     * @param exists whether the image is there already and will be used again
     * @param updatesApart whether the updated base is kept at all, because an image is a cheap layer there
     * @param updatesExist whether the updated base is there already and will be used again
     */
    public record ImagePlan(
            String name,
            String updatesName,
            boolean capture,
            boolean exists,
            boolean updatesApart,
            boolean updatesExist) {
        /** Checks that nothing is left out. */
        public ImagePlan {
            Objects.requireNonNull(name, "name");
            Objects.requireNonNull(updatesName, "updatesName");
        }
    }
}
