package io.clusterwright.mpi;

/** The resource that the ranks of a job are bound to. A launcher that cannot express it refuses the job. */
public enum Binding {
    /** The launcher's default; no binding on nodes that share one machine. */
    DEFAULT,
    /** Ranks may run on every core of their node. */
    NONE,
    /** Each rank stays on one core. */
    CORE,
    /** Each rank stays on the cores of one socket. */
    SOCKET
}
