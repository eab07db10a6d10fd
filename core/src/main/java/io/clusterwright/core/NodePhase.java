package io.clusterwright.core;

/** The way of a node from nothing to a member of its cluster, and back. */
public enum NodePhase {
    /** Its machine is being made. */
    CREATING,
    /** Its machine was made and is starting. */
    BOOTING,
    /** A command ran on it over a session with its pinned host key. */
    READY,
    /** It knows the other nodes. */
    JOINED,
    /** It did not become ready. */
    FAILED,
    /** It is being made again. */
    REPLACING,
    /** Its machine was stopped; its disk stays. */
    STOPPED,
    /** It is gone. */
    DELETED
}
