package io.clusterwright.core;

import io.clusterwright.core.type.ClusterwrightException;
import java.util.List;

/**
 * A cluster could not be created; the message has the cause and the result of the rollback. Use it to report the
 * resources that are still there and may be billed.
 *
 * @see io.clusterwright.core.type.ClusterwrightException
 */
public final class CreateFailedException extends ClusterwrightException {
    private static final long serialVersionUID = 1L;

    private final transient List<ResourceId> left;
    private final boolean interrupted;

    /** Creates the exception with a complete message. */
    public CreateFailedException(String message, Throwable cause, List<ResourceId> left) {
        this(message, cause, left, false);
    }

    /** Creates the exception with a complete message; {@code interrupted} says whether an interrupt ended the creation. */
    public CreateFailedException(String message, Throwable cause, List<ResourceId> left, boolean interrupted) {
        super(message, cause);
        this.left = List.copyOf(left);
        this.interrupted = interrupted;
    }

    /** The resources that still exist; empty after a complete rollback. */
    public List<ResourceId> left() {
        return left;
    }

    /**
     * Whether an interrupt or {@link Operation#cancel()} ended the creation. An interrupted call throws an
     * {@link io.clusterwright.core.type.OperationInterruptedException}, whose cause is this exception.
     */
    public boolean interrupted() {
        return interrupted;
    }
}
