package io.clusterwright.examples.cli;

import io.clusterwright.core.type.ClusterwrightException;

/** The input of a command cannot be used: exit status 2. */
public final class RefusedException extends ClusterwrightException {
    private static final long serialVersionUID = 1L;

    /** Creates the exception; the message says what was given, what is allowed and what to do. */
    public RefusedException(String message) {
        super(message);
    }
}
