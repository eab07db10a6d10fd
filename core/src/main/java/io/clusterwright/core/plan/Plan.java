package io.clusterwright.core.plan;

import io.clusterwright.core.spec.ClusterSpec;
import java.util.List;

/**
 * What creating a cluster would do, and what stands in its way. Making a plan touches nothing.
 *
 * @param spec the description, with the provider's own part merged in
 * @param provider the name of the provider it was made for
 * @param image what the nodes boot from
 * @param findings what is wrong or worth knowing
 * @param steps what would be done, in order
 * @param notChecked what could not be checked, each with the reason
 */
public record Plan(
        ClusterSpec spec,
        String provider,
        ImagePlan image,
        List<Finding> findings,
        List<PlanStep> steps,
        List<String> notChecked) {
    /** Copies the lists. */
    public Plan {
        findings = List.copyOf(findings);
        steps = List.copyOf(steps);
        notChecked = List.copyOf(notChecked);
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
            boolean updatesExist) {}
}
