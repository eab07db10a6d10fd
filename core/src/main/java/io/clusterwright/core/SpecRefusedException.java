package io.clusterwright.core;

import io.clusterwright.core.plan.Finding;
import io.clusterwright.core.type.ClusterwrightException;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A spec has findings that are errors; nothing was made. Use it to show the findings and their remedies.
 *
 * @see io.clusterwright.core.type.ClusterwrightException
 */
public final class SpecRefusedException extends ClusterwrightException {
    private static final long serialVersionUID = 1L;

    private final transient List<Finding> findings;

    /**
     * Creates the exception.
     *
     * @param what a clause such as {@code cluster wing cannot be created on azure}; the message adds the errors
     * @param findings all findings, of which at least one is an error
     */
    public SpecRefusedException(String what, List<Finding> findings) {
        super(what + ": "
                + findings.stream()
                        .filter(Finding::isError)
                        .map(Finding::toString)
                        .collect(Collectors.joining("; ")));
        this.findings = List.copyOf(findings);
    }

    /** All findings. */
    public List<Finding> findings() {
        return findings;
    }
}
