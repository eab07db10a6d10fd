package io.clusterwright.mpi.spi;

/** What a launcher is told about the circumstances of a launch. */
public enum LaunchOption {
    /** Label each piece of output with its rank. */
    LABEL_RANKS,
    /** The launcher runs as root, which some refuse unless told otherwise. */
    AS_ROOT,
    /** The nodes are parts of one machine: do not bind ranks to cores. */
    SHARED_MACHINE,
    /** Print the commands of the helpers, for the library to start them over its sessions; {@link Launcher#launchesOverSessions}. */
    OVER_SESSIONS,
    /**
     * Rank 0 reads the file {@code stdin} of the job's folder, and no other rank does: from the standard input the launcher is started with,
     * or as the command says when it names that file.
     */
    STDIN
}
