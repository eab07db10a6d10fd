package io.clusterwright.azure;

import io.clusterwright.mpi.JobTarget;
import io.clusterwright.mpi.MpiInstallation;
import java.time.Duration;
import java.util.List;

/** A pool of nodes that run MPI jobs. Its nodes are billed until it is deleted. Safe for use by several threads. */
public interface BatchPool {
    /** Batch's name of the pool: the name of the cluster that it was described as. */
    String id();

    /** The nodes that there are now. */
    List<Node> nodes();

    /**
     * Waits until all nodes take tasks.
     *
     * @return the nodes
     * @throws AzureException when the time passed, Batch could not make all nodes, or a node failed: then with the output of its start task
     */
    List<Node> awaitReady(Duration limit);

    /**
     * This pool as a target of MPI jobs: {@code MpiJob.of(...).on(pool.target(mpi)).submit()}. Each job is a multi-instance task; Batch
     * chooses its nodes, and it starts when they are idle. Files must be on the nodes already.
     *
     * @param mpi the MPI on the nodes: MPICH, Intel MPI, Open MPI or HPC-X, with the path of its launcher
     * @param coordination a command that each node runs before a job, as words; it must return. None by default
     * @throws AzureException when the pool has no nodes with an address yet; see {@link #awaitReady}
     */
    JobTarget target(MpiInstallation mpi, String... coordination);

    /** Deletes a job and its output; it is ended before. Does nothing for an absent job. */
    void deleteJob(String job);

    /** Deletes the pool and its nodes; jobs that run there are ended. Does nothing when there is none. */
    void delete();

    /**
     * A node of a pool.
     *
     * @param id Batch's name of it
     * @param address its private address; empty before it has one
     * @param state Batch's word for its state, such as {@code idle}
     */
    record Node(String id, String address, String state) {}
}
