package io.clusterwright.core.type;

import org.jspecify.annotations.Nullable;

/**
 * The calling thread was interrupted while it waited. Catch it to end the work of the thread. The interrupt flag is
 * set again, and the work that the call began has been ended or is being ended, as the method says.
 *
 * <pre>{@code
 * try {
 *     session.run(Command.of("sleep", "60"));
 * } catch (OperationInterruptedException stopped) { // the command was ended on the node
 *     System.out.println(stopped.getMessage() + ", flag " + Thread.currentThread().isInterrupted());
 * }
 * }</pre>
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
