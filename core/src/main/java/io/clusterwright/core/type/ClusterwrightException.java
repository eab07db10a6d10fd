package io.clusterwright.core.type;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The root of every exception this library throws on purpose.
 *
 * <p>The message says what was being done, on which node or field, what happened, and what to do. A subtype exists for
 * each decision a caller can take; its payload is offered by accessors.
 */
public class ClusterwrightException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** Creates the exception with a complete message. */
    public ClusterwrightException(String message) {
        super(message);
    }

    /** Creates the exception with a complete message and what caused it. */
    public ClusterwrightException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }

    /** The complete message; never null. */
    @Override
    public String getMessage() {
        return Objects.requireNonNullElse(super.getMessage(), "");
    }
}
