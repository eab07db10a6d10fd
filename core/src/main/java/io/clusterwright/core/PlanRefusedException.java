package io.clusterwright.core;

import io.clusterwright.core.plan.Finding;
import io.clusterwright.core.plan.Plan;
import io.clusterwright.core.plan.Severity;
import io.clusterwright.core.type.ClusterwrightException;
import java.util.List;
import java.util.stream.Collectors;

/** A plan has findings that are errors; nothing was made. */
public final class PlanRefusedException extends ClusterwrightException {
    private static final long serialVersionUID = 1L;

    private final transient Plan plan;

    PlanRefusedException(Plan plan) {
        super("cluster " + plan.spec().name() + " cannot be created on " + plan.provider() + ": " + reason(plan));
        this.plan = plan;
    }

    private static String reason(Plan plan) {
        return plan.feasible()
                ? "the plan was made without asking the provider; plan with ClusterManager.plan"
                : errors(plan).stream().map(Finding::toString).collect(Collectors.joining("; "));
    }

    /** The plan, with all its findings. */
    public Plan plan() {
        return plan;
    }

    /** The findings that are errors. */
    public List<Finding> errors() {
        return errors(plan);
    }

    private static List<Finding> errors(Plan plan) {
        return plan.findings().stream()
                .filter(finding -> finding.severity() == Severity.ERROR)
                .toList();
    }
}
