package io.clusterwright.core;

import io.clusterwright.core.plan.Finding;
import java.util.List;

/**
 * The result of a check. Read it from {@code ClusterManager.verify}.
 *
 * @param check the name of the check
 * @param status the verdict
 * @param summary one line for people
 * @param details further lines, such as one per node
 * @param findings the problems, with their remedies
 */
public record CheckReport(String check, Status status, String summary, List<String> details, List<Finding> findings) {
    /** Copies the lists. */
    public CheckReport {
        details = List.copyOf(details);
        findings = List.copyOf(findings);
    }

    /** The verdict of a check. */
    public enum Status {
        /** It ran and its claim holds. */
        PASSED,
        /** It ran and its claim does not hold. */
        FAILED,
        /** It ran; there is nothing to judge the result by. */
        NOT_JUDGED,
        /** It could not run. */
        NOT_CHECKED
    }
}
