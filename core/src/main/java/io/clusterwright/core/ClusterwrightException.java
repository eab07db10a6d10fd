package io.clusterwright.core;

import org.jspecify.annotations.Nullable;

/** The root of the exceptions this library throws; a subtype exists for each decision a caller can take. */
public class ClusterwrightException extends RuntimeException {

    /**
     * Creates an exception without a cause.
     *
     * @param message what was being done, what happened, and what to do
     */
    protected ClusterwrightException(String message) {
        super(message);
    }

    /**
     * Creates an exception.
     *
     * @param message what was being done, what happened, and what to do
     * @param cause what led to it, or {@code null} where nothing did
     */
    protected ClusterwrightException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
