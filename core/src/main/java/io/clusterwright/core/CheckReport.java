package io.clusterwright.core;

import io.clusterwright.core.internal.json.JsonFields;
import io.clusterwright.core.internal.text.PrintableText;
import io.clusterwright.core.plan.Finding;
import io.clusterwright.core.type.HasJson;
import java.util.List;
import java.util.Map;

/**
 * The result of one check of a cluster. Use it to decide whether a cluster can run jobs.
 *
 * <pre>{@code
 * for (CheckReport report : clusters.verify(cluster)) {
 *     System.out.println(report.check() + ": " + report.status() + ", " + report.summary());
 * }
 * }</pre>
 *
 * @param check the name of the check
 * @param status the verdict
 * @param summary one line for people
 * @param details further lines, such as one per node
 * @param findings the problems, with their remedies
 */
public record CheckReport(String check, Status status, String summary, List<String> details, List<Finding> findings)
        implements HasJson {
    /** Copies the lists. */
    public CheckReport {
        details = List.copyOf(details);
        findings = List.copyOf(findings);
    }

    @Override
    public Map<String, Object> toMap() {
        return JsonFields.of("check", check)
                .and("status", PrintableText.word(status))
                .and("summary", summary)
                .and("findings", findings);
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
