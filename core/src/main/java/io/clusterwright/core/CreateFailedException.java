package io.clusterwright.core;

import io.clusterwright.core.type.ClusterwrightException;
import java.util.List;

/** A cluster could not be created; the message has the cause and the result of the rollback. */
public final class CreateFailedException extends ClusterwrightException {
    private static final long serialVersionUID = 1L;

    private final transient List<ResourceId> left;

    /** Creates the exception with a complete message. */
    public CreateFailedException(String message, Throwable cause, List<ResourceId> left) {
        super(message, cause);
        this.left = List.copyOf(left);
    }

    /** The resources that still exist; empty after a complete rollback. */
    public List<ResourceId> left() {
        return left;
    }
}
