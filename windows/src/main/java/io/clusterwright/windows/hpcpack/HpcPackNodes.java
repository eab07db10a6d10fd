package io.clusterwright.windows.hpcpack;

import io.clusterwright.windows.internal.rest.Deadline;
import io.clusterwright.windows.internal.rest.Dialect;
import java.time.Duration;
import java.util.List;

/** The nodes of a head node and their groups: {@link HpcPackClient#nodes()}, whose rules hold here, too. Safe for use by several threads. */
public final class HpcPackNodes {
    private final Dialect dialect;

    HpcPackNodes(Dialect dialect) {
        this.dialect = dialect;
    }

    /** The nodes. */
    public List<HpcPackNode> list() {
        return dialect.nodes();
    }

    /**
     * A node.
     *
     * @throws HpcPackNotFoundException when there is none of this name
     */
    public HpcPackNode get(String name) {
        return dialect.node(name);
    }

    /**
     * Asks something of a node; the head node works on it after it answered: see {@link #await}. Bringing a node online that is
     * online already does nothing.
     *
     * @throws HpcPackUnsupportedException but for HPC Pack 2019
     */
    public void operate(String node, NodeOperation operation) {
        boolean toggles = operation == NodeOperation.BRING_ONLINE || operation == NodeOperation.TAKE_OFFLINE;
        if (toggles
                && dialect.generation() == ApiGeneration.HPC_2019
                && get(node).state() == operation.goal()) {
            return;
        }
        dialect.operate(node, operation);
    }

    /**
     * Waits for a node to reach a state, asking every 0.2 to 5 s.
     *
     * @throws HpcPackTimeoutException when it does not in this time; the message has its last state
     * @throws HpcPackInterruptedException when this thread was interrupted
     */
    public HpcPackNode await(String name, NodeState goal, Duration limit) {
        Deadline deadline = Deadline.in(limit);
        Pauses pauses = new Pauses();
        while (true) {
            HpcPackNode now = get(name);
            if (now.state() == goal) {
                return now;
            }
            if (deadline.passed()) {
                throw new HpcPackTimeoutException(
                        "node " + name + " is " + now.state().word() + ", health "
                                + now.health().word() + ", and not " + goal.word() + " after " + limit.toSeconds()
                                + " s; look at its operations in the cluster manager, or wait longer",
                        null);
            }
            deadline.pause(pauses.next(), "see node " + name + " become " + goal.word());
        }
    }

    /** The node groups. */
    public List<HpcPackNodeGroup> groups() {
        return dialect.nodeGroups();
    }

    /** The names of the nodes of a group. */
    public List<String> inGroup(String group) {
        return dialect.nodesOf(group);
    }

    /**
     * Creates a node group.
     *
     * @throws HpcPackUnsupportedException but for HPC Pack 2019
     */
    public HpcPackNodeGroup createGroup(String name, String description) {
        return dialect.createNodeGroup(name, description);
    }

    /**
     * Deletes a node group; its nodes stay.
     *
     * @throws HpcPackUnsupportedException but for HPC Pack 2019
     */
    public void deleteGroup(String name) {
        dialect.deleteNodeGroup(name);
    }

    /**
     * Adds nodes to a group.
     *
     * @return the nodes it has now
     * @throws HpcPackUnsupportedException but for HPC Pack 2019
     */
    public List<String> addToGroup(String group, List<String> nodes) {
        return dialect.changeNodeGroup(group, true, nodes);
    }

    /**
     * Takes nodes out of a group.
     *
     * @return the nodes it has now
     * @throws HpcPackUnsupportedException but for HPC Pack 2019
     */
    public List<String> removeFromGroup(String group, List<String> nodes) {
        return dialect.changeNodeGroup(group, false, nodes);
    }
}
