package io.clusterwright.examples.cli;

import io.clusterwright.core.ClusterwrightException;

/** The input of a command cannot be used: exit status 2. */
final class RefusedException extends ClusterwrightException {
    private static final long serialVersionUID = 1L;

    RefusedException(String message) {
        super(message);
    }
}
