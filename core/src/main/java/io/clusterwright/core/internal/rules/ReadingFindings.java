package io.clusterwright.core.internal.rules;

import io.clusterwright.core.plan.Finding;
import io.clusterwright.core.plan.Severity;
import io.clusterwright.core.spec.InvalidSpecException;
import io.clusterwright.core.spec.SpecProblem;
import io.clusterwright.core.spi.FindingKind;
import java.util.List;

/** The findings of reading a spec, and their kinds. */
public final class ReadingFindings {
    /** A value is missing: a required field, or a region or size that a cloud needs. Kind of a rule, which brings it. */
    static final FindingKind MISSING =
            error(SpecProblem.MISSING, "a value is missing", "write the field that the finding names");

    static final List<FindingKind> OTHERS = List.of(
            error(
                    SpecProblem.TEXT,
                    "the text cannot be read as YAML or JSON",
                    "correct the text at the line and column of the finding"),
            error(
                    SpecProblem.NAME,
                    "a field is not known",
                    "correct the name of the field; the finding names the nearest field"),
            error(SpecProblem.TWICE, "a field is written twice", "keep one of the two fields"),
            error(SpecProblem.VALUE, "a value is not allowed", "write one of the values that the finding lists"));

    private ReadingFindings() {}

    private static FindingKind error(String code, String subject, String remedy) {
        return new FindingKind(code, Severity.ERROR, subject, remedy);
    }

    /** The findings of a refused text. */
    public static List<Finding> of(InvalidSpecException refusal) {
        return of(refusal.problems());
    }

    /** The findings of these problems. */
    public static List<Finding> of(List<SpecProblem> problems) {
        return problems.stream()
                .map(problem -> located(
                        new Finding(
                                problem.code(), Severity.ERROR, problem.path(), problem.message(), problem.remedy()),
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
