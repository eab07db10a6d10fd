package io.clusterwright.mpi.job;

import io.clusterwright.core.type.ClusterwrightException;
import io.clusterwright.core.type.NodeName;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A file of a job did not reach every node, so the job was not started. Use it to find the nodes that lack a file.
 * The message names each such node and why.
 *
 * @see io.clusterwright.mpi.PlacedMpiJob
 */
public final class StagingFailedException extends ClusterwrightException {
    private static final long serialVersionUID = 1L;

    private final transient Map<NodeName, String> failures;

    public StagingFailedException(Map<NodeName, String> failures) {
        super("the job was not started, because its files did not reach every node: " + failures);
        this.failures = Map.copyOf(new LinkedHashMap<>(failures));
    }

    /** The problems by node. */
    public Map<NodeName, String> failures() {
        return failures;
    }
}
