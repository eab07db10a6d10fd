package io.clusterwright.mpi;

import io.clusterwright.core.Cluster;
import io.clusterwright.core.ClusterListener;
import io.clusterwright.core.ClusterManager;
import io.clusterwright.core.CreateOptions;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.mpi.job.JobTarget;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Replaces lost nodes of a cluster. Use it as the replacer of a {@link JobPolicy}, so that a job goes on after the
 * loss of a node.
 *
 * <pre>{@code
 * try (ClusterReplacer replacer = ClusterReplacer.of(clusters, cluster, event -> {})) {
 *     JobAttempts attempts = MpiJob.of("/opt/app/solver", "case.xml")
 *             .on(replacer.cluster())
 *             .run(
 *                     Duration.ofHours(2),
 *                     JobPolicy.attempts(3).restartWith("--restart").replacing(replacer::replace));
 *     attempts.orThrow();
 * }
 * }</pre>
 *
 * <p>It calls {@link ClusterManager#create}, which starts stopped nodes, makes the nodes that the provider reports as
 * absent or failed, and leaves the others alone. New nodes have the names and addresses of the lost nodes. The data
 * on the disks of a replaced node is gone. A lost node that exists and does not answer is replaced only where the
 * options say so. Where the provider bills machines, it bills the new machines, too. {@code NodeSurvey} of the core
 * decides about each node, and {@code ClusterCreation} replaces it.
 */
public final class ClusterReplacer implements AutoCloseable {
    private final ClusterManager manager;
    private final Cluster original;
    private final CreateOptions options;
    private @Nullable Cluster current;

    private ClusterReplacer(ClusterManager manager, Cluster original, CreateOptions options) {
        this.manager = manager;
        this.original = original;
        this.options = options;
    }

    /**
     * A replacer of the nodes of a cluster, which stays the caller's to close, as does the manager.
     *
     * @param listener gets the events of the replacement
     */
    public static ClusterReplacer of(ClusterManager manager, Cluster cluster, ClusterListener listener) {
        return of(manager, cluster, CreateOptions.standard().listener(listener));
    }

    /**
     * As {@link #of(ClusterManager, Cluster, ClusterListener)}, with options for the replacement, such as
     * {@link CreateOptions#replaceUnreachable()}.
     */
    public static ClusterReplacer of(ClusterManager manager, Cluster cluster, CreateOptions options) {
        return new ClusterReplacer(manager, cluster, options);
    }

    /**
     * Replaces nodes, and blocks until the new ones can take ranks.
     *
     * @param before the nodes of the attempt that lost some
     * @param lost the nodes that were lost
     * @return the nodes of the next attempt
     * @throws io.clusterwright.core.type.ClusterwrightException when it did not work
     */
    public synchronized JobTarget replace(JobTarget before, List<NodeName> lost) {
        Cluster fresh = manager.create(original.spec(), options);
        close();
        current = fresh;
        return JobTarget.of(fresh).only(before.nodeNames());
    }

    /** The cluster as it was last made; the original while nothing was replaced. */
    public synchronized Cluster cluster() {
        return current == null ? original : current;
    }

    /** Closes the sessions to the replaced cluster; its nodes run on. */
    @Override
    public synchronized void close() {
        if (current != null) {
            current.close();
        }
    }
}
