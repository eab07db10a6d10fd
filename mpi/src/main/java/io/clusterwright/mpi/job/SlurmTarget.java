package io.clusterwright.mpi.job;

import io.clusterwright.core.Cluster;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.mpi.internal.slurm.SlurmNodes;
import java.time.Duration;
import java.util.Collection;

/**
 * Nodes whose jobs Slurm starts. Use it to run a job through the queue of a cluster, besides the jobs of others. A
 * job that is run or started gets {@code srun} on the first node, in an allocation that ends with the job; one that
 * is submitted goes to {@code sbatch}. Slurm must know the nodes by the names they have here. Immutable, and safe for
 * use by several threads.
 *
 * <pre>{@code
 * SlurmTarget slurm = SlurmTarget.of(cluster).partition("nodes");
 * String id = MpiJob.of("/opt/app/solver", "case.xml").on(slurm).submit().id();
 * }</pre>
 *
 * <p>A node that Slurm says is down, drained or not answering is reported within seconds in {@link
 * JobResult#launchFailures()}; {@code srun} itself would wait for it without end. A job waits in the queue while its nodes
 * run other jobs; its time passes meanwhile.
 */
public interface SlurmTarget extends JobTarget {

    /**
     * The nodes of a cluster on which Slurm runs.
     *
     * @throws io.clusterwright.core.type.ClusterwrightException when no node answers
     */
    static SlurmTarget of(Cluster cluster) {
        return of(JobTarget.of(cluster));
    }

    /**
     * The nodes of another target on which Slurm runs.
     *
     * @throws io.clusterwright.core.type.InvalidValueException when no sessions to its nodes can be opened
     */
    static SlurmTarget of(JobTarget nodes) {
        return SlurmNodes.of(nodes);
    }

    /**
     * Sets the partition. Default: Slurm's default partition.
     *
     * @throws io.clusterwright.core.type.InvalidValueException when the name holds other than letters, digits and {@code _ . -}
     */
    SlurmTarget partition(String name);

    /**
     * Sets the account that jobs are charged to. Default: the user's account.
     *
     * @throws io.clusterwright.core.type.InvalidValueException when the name holds other than letters, digits and {@code _ . -}
     */
    SlurmTarget account(String name);

    /**
     * Sets the time after which Slurm itself ends a job ({@code --time}); the wait for nodes does
     * not count; by default the limit is the partition's. Slurm counts in whole minutes, rounded up.
     *
     * @throws io.clusterwright.core.type.InvalidValueException when the time is shorter than a second
     */
    SlurmTarget timeLimit(Duration limit);

    /**
     * Sets the plugin through which ranks find each other ({@code --mpi}), such as {@code pmi2}; by default
     * {@code pmix} for Open MPI and HPC-X, {@code pmi2} for the others. A job of several ranks that would each be alone is
     * not started and has the finding {@code CW-MPI-042}: with {@code none}, and with {@code pmix} for an MPICH without it. With a
     * plugin of another name that the MPI does not speak each rank runs alone.
     *
     * @throws io.clusterwright.core.type.InvalidValueException when the name holds other than letters, digits and {@code _ . -}
     */
    SlurmTarget pmi(String plugin);

    /**
     * Adds an option of {@code srun} and {@code sbatch}, such as {@code --exclusive} or {@code --qos=long}.
     *
     * @throws io.clusterwright.core.type.InvalidValueException when it does not start with {@code --}, or holds a line break or a NUL
     *     character
     */
    SlurmTarget addOption(String word);

    /**
     * Sets the file for the output of submitted jobs, on the node that runs their script; by default {@code slurm-ID.out} in
     * the home folder of the user. Slurm replaces {@code %j} by the id.
     *
     * @throws io.clusterwright.core.type.InvalidValueException when the path is not absolute or holds a line break or a NUL character
     */
    SlurmTarget outputFile(String path);

    /** Selects some of the nodes, in the given order. */
    @Override
    SlurmTarget only(Collection<NodeName> names);
}
