package io.clusterwright.core.plan;

/**
 * The weight of a finding. Use it to sort or filter findings. An error prevents the creation of a cluster.
 *
 * @see Finding
 */
public enum Severity {
    /** The spec is refused. */
    ERROR,
    /** The spec is carried out; the result is likely not what was wanted. */
    WARNING,
    /** Worth knowing. */
    INFO
}
