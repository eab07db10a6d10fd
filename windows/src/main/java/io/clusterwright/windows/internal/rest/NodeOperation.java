package io.clusterwright.windows.internal.rest;

import io.clusterwright.windows.hpcpack.NodeState;

/** An operation on a node. The head node answers at once and works on it afterwards. */
public enum NodeOperation {
    /** Starts a burst or virtual node. Billed nodes cost from then on. */
    START("start", NodeState.OFFLINE),
    /** Stops a burst or virtual node. */
    STOP("stop", NodeState.NOT_DEPLOYED),
    /** Lets it take jobs. */
    BRING_ONLINE("bringOnline", NodeState.ONLINE),
    /** Lets it take no more jobs; those that run there go on. */
    TAKE_OFFLINE("takeOffline", NodeState.OFFLINE),
    /** Restarts its system. */
    REBOOT("reboot", NodeState.OFFLINE),
    /** Shuts its system down. */
    SHUTDOWN("shutdown", NodeState.OFFLINE);

    private final String word;
    private final NodeState goal;

    NodeOperation(String word, NodeState goal) {
        this.word = word;
        this.goal = goal;
    }

    /** Its name in the interface. */
    public String word() {
        return word;
    }

    /** The state of a node after it. */
    public NodeState goal() {
        return goal;
    }
}
