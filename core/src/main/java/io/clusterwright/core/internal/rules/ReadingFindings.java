package io.clusterwright.core.internal.rules;

import io.clusterwright.core.plan.Finding;
import io.clusterwright.core.plan.Severity;
import io.clusterwright.core.spec.InvalidSpecException;
import io.clusterwright.core.spec.SpecProblem;
import java.util.List;

/** Gives the problems of reading their codes. */
public final class ReadingFindings {
    private ReadingFindings() {}

    /** The findings of a refused text. */
    public static List<Finding> of(InvalidSpecException refusal) {
        return refusal.problems().stream()
                .map(problem -> located(
                        new Finding(
                                problem.code(),
                                Severity.ERROR,
                                problem.path(),
                                problem.message(),
                                problem.remedy()),
                        problem))
                .toList();
    }

    /** The finding at the place of a problem, where that is known. */
    public static Finding located(Finding finding, SpecProblem problem) {
        return problem.line().isEmpty()
                ? finding
                : finding.at(problem.line().getAsInt(), problem.column().orElse(1));
    }
}
