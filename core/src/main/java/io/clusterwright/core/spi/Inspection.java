package io.clusterwright.core.spi;

import io.clusterwright.core.catalog.QuotaUse;
import io.clusterwright.core.plan.Finding;
import java.util.List;

/**
 * The findings of a provider about a spec; inspecting changes nothing.
 *
 * @param findings the errors, warnings and notes
 * @param notChecked the checks that could not run, each with the reason
 * @param baseFingerprint identifies the base image as it is now; the same text means that a captured image may be used again
 * @param quota the quotas of the subscription as they are now; empty where there are none or they were not queried
 */
public record Inspection(
        List<Finding> findings, List<String> notChecked, String baseFingerprint, List<QuotaUse> quota) {
    /** Copies the lists. */
    public Inspection {
        findings = List.copyOf(findings);
        notChecked = List.copyOf(notChecked);
        quota = List.copyOf(quota);
    }

    /** The findings of a provider without quotas. */
    public Inspection(List<Finding> findings, List<String> notChecked, String baseFingerprint) {
        this(findings, notChecked, baseFingerprint, List.of());
    }
}
