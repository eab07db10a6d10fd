package io.clusterwright.windows.hpcpack;

import org.jspecify.annotations.Nullable;

/** Time passed before the head node answered, or before what was waited for came about. */
public final class HpcPackTimeoutException extends HpcPackException {
    private static final long serialVersionUID = 1L;

    /** Creates the exception with a complete message and what caused it. */
    public HpcPackTimeoutException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
