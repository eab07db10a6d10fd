package io.clusterwright.mpi.internal.job;

/** How a launcher's helpers (proxies, daemons) come to the nodes of a job. */
public enum LaunchPath {
    /**
     * Over the sessions that the library already holds: no handshakes, no private key on any node, and every helper is a command of
     * the library's own. Only with launchers that hand their helpers' commands out: MPICH's Hydra.
     */
    SESSIONS,
    /** The launcher starts them by ssh from the launch node, which must be able to log in to the others. */
    SSH
}
