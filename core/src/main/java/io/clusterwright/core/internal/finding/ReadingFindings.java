package io.clusterwright.core.internal.finding;

import io.clusterwright.core.internal.rules.ReadingKinds;
import io.clusterwright.core.plan.Finding;
import io.clusterwright.core.plan.ReadingFinding;
import io.clusterwright.core.plan.Severity;
import io.clusterwright.core.spec.InvalidSpecException;
import io.clusterwright.core.spec.SpecProblem;
import java.util.List;

/** Gives the problems of reading their codes. */
public final class ReadingFindings {
    private ReadingFindings() {}

    public static List<ReadingFinding> of(InvalidSpecException refusal) {
        return refusal.problems().stream().map(ReadingFindings::of).toList();
    }

    /** The finding of one problem. */
    public static ReadingFinding of(SpecProblem problem) {
        Finding finding = new Finding(
                ReadingKinds.code(problem), Severity.ERROR, problem.path(), problem.message(), problem.remedy());
        return new ReadingFinding(finding, problem.line(), problem.column());
    }
}
