package io.clusterwright.core;

import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.core.type.NodeName;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A node could not be reached, refused the login, showed another host key, or the connection to it broke. Use it to
 * find a node to restart or to replace.
 *
 * @see CommandException
 */
public final class NodeUnreachableException extends ClusterwrightException {
    private static final long serialVersionUID = 1L;

    private final transient NodeName node;
    private final @Nullable MachineState machineState;

    /** Creates the exception with a complete message. */
    public NodeUnreachableException(NodeName node, String message) {
        super(message);
        this.node = node;
        this.machineState = null;
    }

    /** Creates the exception with a complete message and what caused it, whose {@link #machineState} it has. */
    public NodeUnreachableException(NodeName node, String message, Throwable cause) {
        super(message, cause);
        this.node = node;
        this.machineState = cause instanceof NodeUnreachableException known ? known.machineState : null;
    }

    /** Creates the exception for a node whose machine does not run. */
    public NodeUnreachableException(NodeName node, MachineState machineState, String message, Throwable cause) {
        super(message, cause);
        this.node = node;
        this.machineState = Objects.requireNonNull(machineState);
    }

    /** The node in question. */
    public NodeName node() {
        return node;
    }

    /**
     * The state of its machine, where its provider says that it does not run: {@link MachineState#STOPPED}, {@link MachineState#FAILED} or
     * {@link MachineState#ABSENT}. Empty where it runs, or nothing is known.
     */
    public Optional<MachineState> machineState() {
        return Optional.ofNullable(machineState);
    }
}
