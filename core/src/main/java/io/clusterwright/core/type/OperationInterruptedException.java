package io.clusterwright.core.type;

import org.jspecify.annotations.Nullable;

/**
 * The calling thread was interrupted while it waited. The interrupt flag is set again, and the work that the call began has been ended or
 * is being ended, as the method says.
 *
 * <p>Every blocking call of this library reports an interrupt in this way. Subtypes carry a partial result.
 */
public class OperationInterruptedException extends ClusterwrightException {
    private static final long serialVersionUID = 1L;

    /** Creates the exception with a complete message and sets the interrupt flag of this thread. */
    public OperationInterruptedException(String message) {
        this(message, null);
    }

    /** Creates the exception with a complete message and its cause, and sets the interrupt flag of this thread. */
    public OperationInterruptedException(String message, @Nullable Throwable cause) {
        super(message, cause);
        Thread.currentThread().interrupt();
    }
}
