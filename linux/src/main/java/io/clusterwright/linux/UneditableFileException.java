package io.clusterwright.linux;

import io.clusterwright.core.type.ClusterwrightException;

/**
 * A file was left as it is, because changing it would not be safe or its content cannot be understood. Use it to ask
 * a person to edit the file.
 *
 * @see NetworkConfigGuard
 */
public final class UneditableFileException extends ClusterwrightException {
    private static final long serialVersionUID = 1L;

    /** Creates the exception with a complete message. */
    public UneditableFileException(String message) {
        super(message);
    }
}
