package io.clusterwright.windows.hpcpack;

import io.clusterwright.core.type.ClusterwrightException;
import org.jspecify.annotations.Nullable;

/** A request to a head node did not do what it should. There is a subtype for each thing a caller can do about it. */
public abstract sealed class HpcPackException extends ClusterwrightException
        permits HpcPackCredentialsException,
                HpcPackInterruptedException,
                HpcPackLoginException,
                HpcPackNotFoundException,
                HpcPackRefusedException,
                HpcPackTimeoutException,
                HpcPackUnavailableException,
                HpcPackUnsupportedException {
    private static final long serialVersionUID = 1L;

    HpcPackException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
