package io.clusterwright.core;

/**
 * The state of a machine as its provider sees it. Use it to see which nodes run.
 *
 * @see ClusterSummary
 */
public enum MachineState {
    /** It is being made or is starting. */
    STARTING,
    /** It runs; whether it is ready is for a session to prove. */
    RUNNING,
    /** It exists and does not run. */
    STOPPED,
    /** It exists and its provider says that it failed and will not run by itself. */
    FAILED,
    /** It does not exist. */
    ABSENT
}
