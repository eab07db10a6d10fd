package io.clusterwright.core.internal.rules;

import io.clusterwright.core.plan.Severity;
import io.clusterwright.core.spec.SpecProblem;
import io.clusterwright.core.spi.FindingKind;
import java.util.List;

/** The kinds of findings of reading a spec. */
public final class ReadingKinds {
    private static final FindingKind TEXT = error("001", "the text cannot be read as YAML or JSON", "correct the text");
    private static final FindingKind NAME = error("002", "a name is not known", "write a name that is known there");
    /** A value is missing: a required field, or a region or size that a cloud needs. */
    public static final FindingKind MISSING = error("003", "a value is missing", "give the value");

    private static final FindingKind TWICE = error("004", "a name is given twice", "keep one of them");
    private static final FindingKind VALUE = error("005", "a value is not what is allowed", "give an allowed value");

    private ReadingKinds() {}

    /** The code of a problem. */
    public static String code(SpecProblem problem) {
        return kind(problem).code();
    }

    private static FindingKind kind(SpecProblem problem) {
        String message = problem.message();
        if (problem.path().isEmpty() && !message.contains(" has no name ")) {
            return TEXT;
        }
        if (message.contains(" has no name ")) {
            return NAME;
        }
        if (message.endsWith(" is missing")) {
            return MISSING;
        }
        return message.contains(" is given twice") ? TWICE : VALUE;
    }

    static List<FindingKind> all() {
        // MISSING is also the kind of a rule, which brings it.
        return List.of(TEXT, NAME, TWICE, VALUE);
    }

    private static FindingKind error(String number, String subject, String remedy) {
        return new FindingKind("CW-READ-" + number, Severity.ERROR, subject, remedy);
    }
}
