package io.clusterwright.core.spi;

import io.clusterwright.core.plan.Finding;
import java.util.List;

/**
 * What a provider found out about a spec without touching anything.
 *
 * @param findings what is wrong or worth knowing
 * @param notChecked what could not be checked, each with the reason
 * @param baseFingerprint identifies the base image as it is now; the same text means that a captured image may be used again
 */
public record Inspection(List<Finding> findings, List<String> notChecked, String baseFingerprint) {
    /** Copies the lists. */
    public Inspection {
        findings = List.copyOf(findings);
        notChecked = List.copyOf(notChecked);
    }
}
