package io.clusterwright.core.plan;

/** The weight of a finding. An error prevents the creation of a cluster. */
public enum Severity {
    /** The spec is refused. */
    ERROR,
    /** The spec is carried out; the result is likely not what was wanted. */
    WARNING,
    /** Worth knowing. */
    INFO
}
