package io.clusterwright.azure;

import io.clusterwright.core.type.Secret;
import io.clusterwright.mpi.job.JobTarget;
import io.clusterwright.mpi.job.MpiInstallation;
import java.net.URI;
import java.time.Duration;
import java.util.List;

/**
 * A pool of nodes that run MPI jobs. Its nodes are billed until it is deleted. Each method that names a setting gives another pool, which
 * has it when it is {@linkplain #create made}; a pool that exists is not changed. {@link #storage} and common files are settings of its jobs,
 * which those of this object and its targets have. Safe for use by several threads.
 *
 * <pre>{@code
 * BatchPool pool = batch.pool(spec)
 *     .mountNfs("10.32.8.4:/export/cases", "cases", "-o vers=4.2")
 *     .autoScale("$TargetDedicatedNodes = min(16, 4 * avg($PendingTasks.GetSample(1)));", Duration.ofMinutes(5))
 *     .create();
 * }</pre>
 */
public interface BatchPool {
    /**
     * The same with nodes that join this subnet; by default the existing subnet of the description, or else a network that Batch makes. It
     * must be in the region and subscription of the account, and its security groups must let in what Batch requires.
     *
     * @param id such as {@code /subscriptions/S/resourceGroups/G/providers/Microsoft.Network/virtualNetworks/N/subnets/hpc}
     * @throws io.clusterwright.core.type.InvalidValueException when it has another form
     */
    BatchPool subnet(String id);

    /**
     * The same with one more mount on each node: a share of Azure Files.
     *
     * @param share such as {@code https://account.file.core.windows.net/share}
     * @param accountKey the key of the storage account, which Batch keeps
     * @param folder the relative path of the mount below {@code $AZ_BATCH_NODE_MOUNTS_DIR}
     * @param options for the mount command, such as {@code -o vers=3.1.1,dir_mode=0777,file_mode=0777}; empty for none
     * @throws io.clusterwright.core.type.InvalidValueException when the share or the folder has another form, or the folder is taken
     */
    BatchPool mountAzureFiles(URI share, Secret accountKey, String folder, String options);

    /**
     * The same with one more mount on each node: a container of Azure Blob Storage, by blobfuse.
     *
     * @param container such as {@code https://account.blob.core.windows.net/container}
     * @param accountKey the key of the storage account, which Batch keeps
     * @param folder the relative path of the mount below {@code $AZ_BATCH_NODE_MOUNTS_DIR}
     * @param options for blobfuse, such as {@code -o attr_timeout=240}; empty for none
     * @throws io.clusterwright.core.type.InvalidValueException when the container or the folder has another form, or the folder is taken
     */
    BatchPool mountBlobs(URI container, Secret accountKey, String folder, String options);

    /**
     * The same with one more mount on each node: an export of an NFS server that the nodes reach.
     *
     * @param source such as {@code 10.32.8.4:/export/cases}
     * @param folder the relative path of the mount below {@code $AZ_BATCH_NODE_MOUNTS_DIR}
     * @param options for the mount command, such as {@code -o vers=4.2}; empty for none
     * @throws io.clusterwright.core.type.InvalidValueException when the source or the folder has another form, or the folder is taken
     */
    BatchPool mountNfs(String source, String folder, String options);

    /**
     * The same with a number of nodes that Batch takes from a formula, instead of the count of the description; that is then the largest
     * number of nodes of a job.
     *
     * @param formula in the language of Batch; it must set {@code $TargetDedicatedNodes} or {@code $TargetLowPriorityNodes}
     * @param interval the time between two evaluations, 5 min to 168 h
     * @throws io.clusterwright.core.type.InvalidValueException when the formula sets neither, or the interval is out of range
     */
    BatchPool autoScale(String formula, Duration interval);

    /** The same with a script that {@code /bin/sh} runs as root on each node before it takes tasks, after the packages are installed. */
    BatchPool startScript(String script);

    /**
     * The same with a container of Azure Blob Storage, through which files of this machine reach the nodes of jobs:
     * {@link io.clusterwright.mpi.MpiJob#stageIn}. The files stay there under {@code clusterwright/}, each content once.
     *
     * @param container its URL with a shared access signature that reads, creates and writes, such as
     *     {@code https://account.blob.core.windows.net/container?sv=…&sp=rcw&sig=…}; nodes get the files with it, so that it must be valid
     *     until the last job has started
     * @throws io.clusterwright.core.type.InvalidValueException when it has another form
     */
    BatchPool storage(Secret container);

    /**
     * The same with one more common file of its jobs: each node of a job gets it before the coordination command.
     *
     * @param file a URL that a node reads without credentials, with a shared access signature where it needs one
     * @param path its relative path below {@code $AZ_BATCH_TASK_SHARED_DIR}, the folder in which the ranks start
     * @throws io.clusterwright.core.type.InvalidValueException when the URL or the path has another form
     */
    BatchPool commonFile(URI file, String path);

    /**
     * The same with the files of a container as common files of its jobs. They keep their names, with folders.
     *
     * @param container a URL that a node reads and lists without credentials, with a shared access signature where it needs one
     * @param prefix the beginning of the names of the files; empty for all
     * @param folder the relative path of the folder that they come into, below {@code $AZ_BATCH_TASK_SHARED_DIR}; empty for that itself
     * @throws io.clusterwright.core.type.InvalidValueException when the URL or the folder has another form
     */
    BatchPool commonFiles(URI container, String prefix, String folder);

    /**
     * The same with the files of a container of the storage account that is linked to the Batch account, as common files of its jobs.
     *
     * @param container its name
     * @param prefix as above
     * @param folder as above
     * @throws io.clusterwright.core.type.InvalidValueException when no container can have the name, or the folder has another form
     */
    BatchPool commonFiles(String container, String prefix, String folder);

    /**
     * Starts to make the pool. Its nodes may talk to each other, and the MPI user goes from one to another with its own key. The nodes are
     * billed until the pool is deleted.
     *
     * @return this pool
     * @throws AzureException when there is such a pool already, Batch has no node agent for the image, or it refuses the pool
     */
    BatchPool create();

    /**
     * Batch's node agent for the image of the description.
     *
     * @throws AzureException when there is none, or the image is of Windows, so that no pool can be made
     */
    String nodeAgent();

    /** Batch's name of the pool: the name of the cluster that it was described as. */
    String id();

    /** The nodes that there are now. */
    List<Node> nodes();

    /**
     * Waits until all nodes take tasks; with a formula, those it wants now.
     *
     * @return the nodes
     * @throws AzureException when the time passed, Batch could not make all nodes or evaluate the formula, or a node failed: then with the
     *     output of its start task
     */
    List<Node> awaitReady(Duration limit);

    /**
     * This pool as a target of MPI jobs: {@code MpiJob.of(...).on(pool.target(mpi)).submit()}. Each job is a multi-instance task; Batch
     * chooses its nodes, and it starts when they are idle. Jobs get the preset and variables of the description, and the first node of each
     * runs the scripts or modules of the MPI. The ranks start in {@code $AZ_BATCH_TASK_SHARED_DIR}, where the common files are.
     *
     * @param mpi the MPI on the nodes: MPICH, Intel MPI, Open MPI or HPC-X, with the launcher's path, or its name where the scripts or modules
     *     of the MPI put it on the path
     * @param coordination a command that each node runs before a job, as words; it must return. None by default
     * @throws AzureException when the pool has no nodes with an address yet; see {@link #awaitReady}
     */
    JobTarget target(MpiInstallation mpi, String... coordination);

    /** Deletes a job and its output; it is ended before. Does nothing for an absent job. */
    void deleteJob(String job);

    /** Deletes the pool and its nodes; its jobs are ended, those that wait as well. Does nothing when there is none. */
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
