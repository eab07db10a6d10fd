package io.clusterwright.mpi;

/** What the ranks of a job are bound to. Each launcher has its own words for these; what one cannot say, it refuses. */
public enum Binding {
    /** What the launcher does when nothing is said; nothing at all on nodes that share one machine. */
    DEFAULT,
    /** Ranks may run on every core of their node. */
    NONE,
    /** Each rank stays on one core. */
    CORE,
    /** Each rank stays on the cores of one socket. */
    SOCKET
}
