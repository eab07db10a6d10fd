package io.clusterwright.core.plan;

import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.type.ClusterwrightException;
import java.util.List;
import java.util.stream.Collectors;

/** A description has findings that are errors; no file was made of it. */
public final class RenderRefusedException extends ClusterwrightException {
    private static final long serialVersionUID = 1L;

    private final transient List<Finding> findings;

    RenderRefusedException(ClusterSpec spec, List<Finding> findings) {
        super("no files are made of cluster " + spec.name() + ", which has errors: "
                + errors(findings).stream().map(Finding::toString).collect(Collectors.joining("; ")));
        this.findings = List.copyOf(findings);
    }

    /** All findings, of which at least one is an error. */
    public List<Finding> findings() {
        return findings;
    }

    private static List<Finding> errors(List<Finding> findings) {
        return findings.stream()
                .filter(finding -> finding.severity() == Severity.ERROR)
                .toList();
    }
}
