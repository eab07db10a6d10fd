package io.clusterwright.core;

import io.clusterwright.core.plan.Finding;
import java.util.List;

/**
 * What a check found.
 *
 * @param check the name of the check
 * @param status how it went
 * @param summary one line for people
 * @param details further lines, such as one per node
 * @param findings what to do about it
 */
public record CheckReport(String check, Status status, String summary, List<String> details, List<Finding> findings) {
    /** Copies the lists. */
    public CheckReport {
        details = List.copyOf(details);
        findings = List.copyOf(findings);
    }

    /** How a check went. */
    public enum Status {
        /** It ran and what it proves holds. */
        PASSED,
        /** It ran and what it proves does not hold. */
        FAILED,
        /** It ran, and there is nothing here to judge the result by. */
        NOT_JUDGED,
        /** It could not run. */
        NOT_CHECKED
    }
}
