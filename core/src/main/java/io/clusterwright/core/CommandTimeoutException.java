package io.clusterwright.core;

import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.core.type.NodeName;

/** A command did not end in time; it has been ended on the node. */
public final class CommandTimeoutException extends ClusterwrightException {
    private static final long serialVersionUID = 1L;

    private final transient NodeName node;

    /** Creates the exception with a complete message. */
    public CommandTimeoutException(NodeName node, String message) {
        super(message);
        this.node = node;
    }

    /** The node in question. */
    public NodeName node() {
        return node;
    }
}
