package io.clusterwright.core.spec;

import io.clusterwright.core.internal.text.PrintableText;

/**
 * The scheduler of jobs. Use {@code slurm} on Linux nodes for a queue.
 *
 * @see ClusterSpec
 */
public enum Scheduler {
    /** No scheduler: jobs are started over SSH. */
    NONE,
    /** Slurm. */
    SLURM,
    /** Microsoft HPC Pack. */
    HPC_PACK;

    /** The name in a cluster spec, such as {@code none}. */
    @Override
    public String toString() {
        return PrintableText.word(this);
    }
}
