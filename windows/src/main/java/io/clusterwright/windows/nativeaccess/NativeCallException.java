package io.clusterwright.windows.nativeaccess;

import io.clusterwright.core.ClusterwrightException;

/** Windows could not be asked, because this is another system, or refused. */
public final class NativeCallException extends ClusterwrightException {
    private static final long serialVersionUID = 1L;

    /** Creates the exception with a complete message. */
    public NativeCallException(String message) {
        super(message);
    }
}
