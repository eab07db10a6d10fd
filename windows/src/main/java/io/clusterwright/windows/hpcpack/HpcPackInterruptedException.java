package io.clusterwright.windows.hpcpack;

import org.jspecify.annotations.Nullable;

/** This thread was interrupted while it waited for the head node; the interrupt flag is set. */
public final class HpcPackInterruptedException extends HpcPackException {
    private static final long serialVersionUID = 1L;

    /** Creates the exception with a complete message and what caused it. */
    public HpcPackInterruptedException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
