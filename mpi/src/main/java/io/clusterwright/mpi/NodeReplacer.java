package io.clusterwright.mpi;

import io.clusterwright.core.type.NodeName;
import java.util.List;

/** Makes new nodes in the place of lost ones, so that a job can start again on as many as before. */
@FunctionalInterface
public interface NodeReplacer {

    /**
     * Replaces nodes; blocks until the new ones can take ranks.
     *
     * @param before the nodes of the attempt that lost some
     * @param lost those that were lost, at least one
     * @return the nodes of the next attempt; the replacer closes the resources they need
     * @throws io.clusterwright.core.type.ClusterwrightException when it did not work; the job is not started again
     */
    JobTarget replace(JobTarget before, List<NodeName> lost);
}
