package io.clusterwright.core;

import io.clusterwright.core.type.ClusterwrightException;
import java.util.List;

/** A cluster could not be created; the message says why, and whether everything that was made has been deleted. */
public final class CreateFailedException extends ClusterwrightException {
    private static final long serialVersionUID = 1L;

    private final transient List<ResourceId> left;

    CreateFailedException(String message, Throwable cause, List<ResourceId> left) {
        super(message, cause);
        this.left = List.copyOf(left);
    }

    /** What was made and still exists; empty after a complete rollback. */
    public List<ResourceId> left() {
        return left;
    }
}
