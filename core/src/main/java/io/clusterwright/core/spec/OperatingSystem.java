package io.clusterwright.core.spec;

/** What the nodes of a cluster run. */
public enum OperatingSystem {
    /** A distribution of Linux. */
    LINUX,
    /** Windows Server, with HPC Pack. */
    WINDOWS;

    /** The name as it stands in a description, such as {@code linux}. */
    @Override
    public String toString() {
        return Names.of(this);
    }
}
