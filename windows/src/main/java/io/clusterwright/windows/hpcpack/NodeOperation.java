package io.clusterwright.windows.hpcpack;

/** What can be asked of a node. The head node answers at once and works on it afterwards. */
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

    /** The word for it in the interface. */
    public String word() {
        return word;
    }

    /** The state in which a node is when it worked. */
    public NodeState goal() {
        return goal;
    }
}
