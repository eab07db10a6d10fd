package io.clusterwright.mpi;

import io.clusterwright.core.Cluster;
import io.clusterwright.core.NodeSession;
import io.clusterwright.core.spec.MpiFlavour;
import io.clusterwright.core.spec.Scheduler;
import io.clusterwright.core.type.AddressRange;
import io.clusterwright.core.type.Interconnect;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.core.type.UserName;
import io.clusterwright.mpi.preset.MpiPresets;
import io.clusterwright.mpi.spi.LaunchNode;
import io.clusterwright.mpi.spi.Launcher;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Where jobs run: nodes we hold sessions to, on the first of which the launcher is started, or nodes of a {@link RemoteScheduler}. Safe for
 * use by several threads.
 */
public interface JobTarget {

    /**
     * The nodes of a cluster, as the user its jobs run as. Nodes take as many ranks as the spec says, otherwise one for
     * each core; nodes that share one machine share its cores.
     *
     * @throws io.clusterwright.core.type.ClusterwrightException when a node does not answer
     */
    static JobTarget of(Cluster cluster) {
        return of(cluster, cluster.mpiUser());
    }

    /**
     * The nodes of a cluster by way of the scheduler that its description names: {@link SlurmTarget#of(Cluster)} where that is Slurm,
     * {@link #of(Cluster)} where there is none.
     *
     * @throws io.clusterwright.core.type.ClusterwrightException when a node does not answer
     */
    static JobTarget scheduled(Cluster cluster) {
        return cluster.spec().scheduler() == Scheduler.SLURM ? SlurmTarget.of(cluster) : of(cluster);
    }

    /**
     * The nodes of a cluster, with jobs running as this user, whom the nodes must trust among themselves.
     *
     * @throws io.clusterwright.core.type.ClusterwrightException when a node does not answer
     */
    static JobTarget of(Cluster cluster, UserName user) {
        return ClusterTarget.of(cluster, user);
    }

    /** The nodes in the order ranks fill them; at least one. */
    List<LaunchNode> nodes();

    /**
     * The session to a node, as the user jobs run as. It belongs to the target: do not close it.
     *
     * @throws io.clusterwright.core.NodeUnreachableException when the node cannot be reached
     */
    NodeSession session(NodeName node);

    /** The network MPI traffic takes; absent when every network of the nodes will do. */
    default Optional<AddressRange> network() {
        return Optional.empty();
    }

    /** The fast network that every node has. */
    default Interconnect interconnect() {
        return Interconnect.NONE;
    }

    /** The MPI that jobs use when they do not say; absent when any will do. */
    default Optional<MpiFlavour> flavour() {
        return Optional.empty();
    }

    /**
     * Who starts the jobs of this target whatever their MPI, such as a scheduler; absent when it is the launcher of the MPI
     * itself.
     */
    default Optional<Launcher> launcher() {
        return Optional.empty();
    }

    /**
     * Who runs the jobs of this target as a whole, so that no session is ever asked for; absent when jobs are started over
     * sessions.
     */
    default Optional<RemoteScheduler> scheduler() {
        return Optional.empty();
    }

    /** The name of the preset of jobs that name none, or {@code auto} for the one that suits the nodes and the MPI. */
    default String preset() {
        return MpiPresets.AUTO;
    }

    /** The codes of findings that results of jobs leave out, such as {@code CW-DIAG-401}. */
    default Set<String> suppressed() {
        return Set.of();
    }

    /** The environment variables of every job; a job's own win over them. */
    default Map<String, String> environment() {
        return Map.of();
    }

    /**
     * Whether the nodes are parts of one machine and share its cores. Binding ranks to cores is switched off there: each
     * node would bind its first rank to the same core.
     */
    default boolean sharesOneMachine() {
        return false;
    }

    /**
     * The same target with some of its nodes, in the given order.
     *
     * @throws IllegalArgumentException when a node is not part of this target
     */
    default JobTarget only(Collection<NodeName> names) {
        return new PartialTarget(this, List.copyOf(names));
    }
}
