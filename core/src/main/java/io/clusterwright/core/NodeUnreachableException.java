package io.clusterwright.core;

import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.core.type.NodeName;

/**
 * A node could not be reached, refused the login, showed another host key, or the connection to it broke. Use it to
 * find a node to restart or to replace.
 *
 * @see CommandException
 */
public final class NodeUnreachableException extends ClusterwrightException {
    private static final long serialVersionUID = 1L;

    private final transient NodeName node;

    /** Creates the exception with a complete message. */
    public NodeUnreachableException(NodeName node, String message) {
        super(message);
        this.node = node;
    }

    /** Creates the exception with a complete message and what caused it. */
    public NodeUnreachableException(NodeName node, String message, Throwable cause) {
        super(message, cause);
        this.node = node;
    }

    /** The node in question. */
    public NodeName node() {
        return node;
    }
}
