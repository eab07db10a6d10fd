package io.clusterwright.mpi;

import io.clusterwright.core.Cluster;
import io.clusterwright.core.spec.Scheduler;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.core.type.UserName;
import java.util.Collection;
import java.util.List;

/**
 * The place where jobs run: nodes with SSH sessions, on the first of which the launcher is started, or the nodes of a scheduler, such as
 * {@link SlurmTarget}. Safe for use by several threads.
 *
 * <p>Extenders implement {@code NodeTarget} or {@code SchedulerTarget} of {@code io.clusterwright.mpi.spi}, never this interface alone.
 */
public interface JobTarget {

    /**
     * The nodes of a cluster, as the user its jobs run as. Nodes take as many ranks as their slots or the spec say, otherwise one for
     * each core; nodes that share one machine share its cores.
     *
     * @throws io.clusterwright.core.type.ClusterwrightException when a node does not answer
     */
    static JobTarget of(Cluster cluster) {
        return of(cluster, cluster.mpiUser());
    }

    /**
     * The nodes of a cluster, with jobs running as this user, whom the nodes must trust among themselves.
     *
     * @throws io.clusterwright.core.type.ClusterwrightException when a node does not answer
     */
    static JobTarget of(Cluster cluster, UserName user) {
        return Factories.nodesOf(cluster, user);
    }

    /**
     * The nodes of a cluster through the scheduler that its description names: {@link SlurmTarget#of(Cluster)} where that is Slurm,
     * {@link #of(Cluster)} where there is none.
     *
     * @throws io.clusterwright.core.type.ClusterwrightException when a node does not answer
     */
    static JobTarget scheduled(Cluster cluster) {
        return cluster.spec().scheduler() == Scheduler.SLURM ? SlurmTarget.of(cluster) : of(cluster);
    }

    /** The names of the nodes in the order ranks fill them; at least one. */
    List<NodeName> nodeNames();

    /**
     * The same target with some of its nodes, in the given order.
     *
     * @throws io.clusterwright.core.type.InvalidValueException when a node is not part of this target, or none is named
     */
    JobTarget only(Collection<NodeName> names);
}
