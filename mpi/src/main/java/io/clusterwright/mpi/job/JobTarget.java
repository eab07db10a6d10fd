package io.clusterwright.mpi.job;

import io.clusterwright.core.Cluster;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.MpiFlavour;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.core.type.UserName;
import io.clusterwright.mpi.internal.launch.ClusterTarget;
import io.clusterwright.mpi.internal.launch.Hostfile;
import io.clusterwright.mpi.internal.launch.SchedulerSources;
import java.util.Collection;
import java.util.List;

/**
 * The place where jobs run: nodes with SSH sessions, on the first of which the launcher is started, or the nodes of a
 * scheduler, such as {@link SlurmTarget}. Use it to run a job on some of the nodes, or as another user. Safe for use
 * by several threads.
 *
 * <pre>{@code
 * JobTarget all = JobTarget.of(cluster);
 * JobTarget two = all.only(all.nodeNames().subList(0, 2));
 * }</pre>
 *
 * <p>Extenders implement {@code NodeTarget} or {@code SchedulerTarget} of {@code io.clusterwright.mpi.spi}, never this interface alone.
 */
public interface JobTarget {

    /**
     * The nodes of a cluster, as the user its jobs run as. Nodes take as many ranks as their slots or the spec say, otherwise one for
     * each core; nodes that share one machine share its cores.
     *
     * @throws io.clusterwright.core.type.ClusterwrightException when no node answers
     */
    static JobTarget of(Cluster cluster) {
        return of(cluster, cluster.mpiUser());
    }

    /**
     * The nodes of a cluster, with jobs running as this user, whom the nodes must trust among themselves.
     *
     * @throws io.clusterwright.core.type.ClusterwrightException when no node answers
     */
    static JobTarget of(Cluster cluster, UserName user) {
        return ClusterTarget.of(cluster, user);
    }

    /**
     * The nodes of a cluster through the scheduler that its spec names: {@link SlurmTarget#of(Cluster)} where that is Slurm, the
     * head node of {@code hpcPack.head} where it is HPC Pack, {@link #of(Cluster)} where there is none.
     *
     * @throws io.clusterwright.core.type.ClusterwrightException when a node or the scheduler does not answer
     */
    static JobTarget scheduled(Cluster cluster) {
        return switch (cluster.spec().scheduler()) {
            case NONE -> of(cluster);
            case SLURM -> SlurmTarget.of(cluster);
            case HPC_PACK -> scheduled(cluster.spec());
        };
    }

    /**
     * The nodes of a scheduler that exists, as a spec without a cluster names it: HPC Pack with {@code hpcPack.head}.
     *
     * @throws io.clusterwright.core.type.ClusterwrightException when it does not answer, or no node takes jobs
     * @throws io.clusterwright.core.type.InvalidValueException when the spec names none that can be reached so
     */
    static JobTarget scheduled(ClusterSpec spec) {
        return SchedulerSources.target(spec);
    }

    /**
     * The nodes as a file for the launcher of an MPI, one line for each: {@code 10.32.0.11:2} for those with Hydra and MVAPICH2,
     * {@code 10.32.0.11 slots=2} for Open MPI and HPC-X.
     */
    default String hostfile(MpiFlavour flavour) {
        return Hostfile.text(this, flavour);
    }

    /** The names of the nodes in the order ranks fill them; at least one. */
    List<NodeName> nodeNames();

    /**
     * Selects some of the nodes, in the given order.
     *
     * @throws io.clusterwright.core.type.InvalidValueException when a node is not part of this target, or none is named
     */
    JobTarget only(Collection<NodeName> names);
}
