package io.clusterwright.windows.hpcpack;

import org.jspecify.annotations.Nullable;

/** The head node could not be reached, shows a certificate that is not trusted, or answers that it cannot work. */
public final class HpcPackUnavailableException extends HpcPackException {
    private static final long serialVersionUID = 1L;

    /** Creates the exception with a complete message and what caused it. */
    public HpcPackUnavailableException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
