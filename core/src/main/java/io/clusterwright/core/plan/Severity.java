package io.clusterwright.core.plan;

/** How much a finding weighs. */
public enum Severity {
    /** The spec is refused. */
    ERROR,
    /** The spec is carried out; the result is likely not what was wanted. */
    WARNING,
    /** Worth knowing. */
    INFO
}
