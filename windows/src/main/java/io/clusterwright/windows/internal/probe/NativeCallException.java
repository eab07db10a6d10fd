package io.clusterwright.windows.internal.probe;

import io.clusterwright.core.type.ClusterwrightException;

/** Windows could not be asked, because this is another system, or refused. */
public final class NativeCallException extends ClusterwrightException {
    private static final long serialVersionUID = 1L;

    /** Creates the exception with a complete message. */
    public NativeCallException(String message) {
        super(message);
    }
}
