package io.clusterwright.core.spec;

/** Who hands out the nodes to jobs. */
public enum Scheduler {
    /** Nobody: jobs are started over SSH. */
    NONE,
    /** Slurm. */
    SLURM,
    /** Microsoft HPC Pack. */
    HPC_PACK;

    /** The name as it stands in a description, such as {@code none}. */
    @Override
    public String toString() {
        return Names.of(this);
    }
}
