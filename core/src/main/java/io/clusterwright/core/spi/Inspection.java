package io.clusterwright.core.spi;

import io.clusterwright.core.catalog.QuotaUse;
import io.clusterwright.core.plan.Finding;
import java.util.List;

/**
 * What a provider found out about a spec without touching anything.
 *
 * @param findings what is wrong or worth knowing
 * @param notChecked what could not be checked, each with the reason
 * @param baseFingerprint identifies the base image as it is now; the same text means that a captured image may be used again
 * @param quota the quotas of the subscription as they are now; empty where there are none or nobody asked
 */
public record Inspection(
        List<Finding> findings, List<String> notChecked, String baseFingerprint, List<QuotaUse> quota) {
    /** Copies the lists. */
    public Inspection {
        findings = List.copyOf(findings);
        notChecked = List.copyOf(notChecked);
        quota = List.copyOf(quota);
    }

    /** What a provider without quotas found out. */
    public Inspection(List<Finding> findings, List<String> notChecked, String baseFingerprint) {
        this(findings, notChecked, baseFingerprint, List.of());
    }
}
