package io.clusterwright.core;

/** The phases of a node, from its creation to its deletion. */
public enum NodePhase {
    /** Its machine is being created. */
    CREATING,
    /** Its machine was created and is starting. */
    BOOTING,
    /** A command ran on it over a session with its pinned host key. */
    READY,
    /** It has the host list of all nodes. */
    JOINED,
    /** It did not become ready. */
    FAILED,
    /** It was late and its machine is being restarted. */
    RESTARTING,
    /** Its machine is deleted and created again. */
    REPLACING,
    /** Its machine was stopped; its disk stays. */
    STOPPED,
    /** Its machine was deleted. */
    DELETED
}
