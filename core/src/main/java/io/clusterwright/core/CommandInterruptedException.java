package io.clusterwright.core;

import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.core.type.NodeName;

/** The calling thread was interrupted while it waited; the command has been ended on the node and the interrupt flag is set. */
public final class CommandInterruptedException extends ClusterwrightException {
    private static final long serialVersionUID = 1L;

    private final transient NodeName node;

    /** Creates the exception with a complete message. */
    public CommandInterruptedException(NodeName node, String message) {
        super(message);
        this.node = node;
    }

    /** Creates the exception with a complete message and what caused it. */
    public CommandInterruptedException(NodeName node, String message, Throwable cause) {
        super(message, cause);
        this.node = node;
    }

    /** The node in question. */
    public NodeName node() {
        return node;
    }
}
