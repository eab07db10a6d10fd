package io.clusterwright.core;

import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.core.type.NodeName;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Some nodes failed where each was needed. Use it to find the nodes and the reason of each. The first failure is the
 * {@linkplain #getCause() cause}, the others are {@linkplain #getSuppressed() suppressed}; a failure on Azure is an
 * {@code AzureException} with Azure's code.
 *
 * @see io.clusterwright.core.type.ClusterwrightException
 */
public final class NodesFailedException extends ClusterwrightException {
    private static final long serialVersionUID = 1L;

    private final transient Map<NodeName, ClusterwrightException> failures;

    /**
     * Creates the exception with a complete message.
     *
     * @param failures at least one; their order is kept
     */
    public NodesFailedException(String message, Map<NodeName, ? extends ClusterwrightException> failures) {
        super(message, failures.values().iterator().next());
        this.failures = Collections.unmodifiableMap(new LinkedHashMap<>(failures));
        failures.values().stream().skip(1).filter(each -> each != getCause()).forEach(this::addSuppressed);
    }

    /** The failure of each node that failed. */
    public Map<NodeName, ClusterwrightException> failures() {
        return failures;
    }
}
