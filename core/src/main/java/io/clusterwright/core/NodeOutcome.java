package io.clusterwright.core;

import io.clusterwright.core.internal.json.JsonFields;
import io.clusterwright.core.type.HasJson;
import io.clusterwright.core.type.NodeName;
import java.util.Map;

/**
 * The outcome of a command on one node of many. Use a switch over its cases to find the nodes to treat.
 *
 * @see NodeResults
 */
public sealed interface NodeOutcome extends HasJson {

    /** The node. */
    NodeName node();

    /** Whether the command ended with exit status 0. */
    default boolean succeeded() {
        return false;
    }

    /** The outcome in one line for people. */
    String summary();

    @Override
    default Map<String, Object> toMap() {
        return JsonFields.of("node", node()).and("error", summary());
    }

    /**
     * The command ran to its end, whatever its exit status.
     *
     * @param result its result
     */
    record Completed(CommandResult result) implements NodeOutcome {
        @Override
        public NodeName node() {
            return result.node();
        }

        @Override
        public boolean succeeded() {
            return result.succeeded();
        }

        @Override
        public String summary() {
            return "exit status " + result.exitStatus();
        }

        @Override
        public Map<String, Object> toMap() {
            return result.toMap();
        }
    }

    /**
     * The command's time passed; it was ended on the node.
     *
     * @param node the node
     * @param summary the timeout, for people
     */
    record TimedOut(NodeName node, String summary) implements NodeOutcome {}

    /**
     * The node could not be reached, or the connection broke; the command may have run.
     *
     * @param node the node
     * @param summary the reason
     */
    record Unreachable(NodeName node, String summary) implements NodeOutcome {}

    /**
     * The caller stopped waiting; the command was ended.
     *
     * @param node the node
     * @param summary the state at that time
     */
    record Cancelled(NodeName node, String summary) implements NodeOutcome {}

    /**
     * The command was never sent to the node.
     *
     * @param node the node
     * @param summary the reason
     */
    record NotStarted(NodeName node, String summary) implements NodeOutcome {}
}
