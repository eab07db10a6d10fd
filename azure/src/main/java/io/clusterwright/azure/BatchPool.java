package io.clusterwright.azure;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.clusterwright.azure.AzureException.Reason;
import io.clusterwright.azure.internal.arm.Errors;
import io.clusterwright.azure.internal.batch.BatchBodies;
import io.clusterwright.azure.internal.batch.BatchCalls;
import io.clusterwright.azure.internal.batch.BatchJob;
import io.clusterwright.azure.internal.batch.BatchStorage;
import io.clusterwright.azure.internal.batch.BatchTarget;
import io.clusterwright.azure.internal.batch.CommonFiles;
import io.clusterwright.azure.internal.batch.PoolSettings;
import io.clusterwright.azure.internal.resource.Tags;
import io.clusterwright.core.catalog.VmSizeFacts;
import io.clusterwright.core.catalog.VmSizes;
import io.clusterwright.core.internal.concurrent.Deadline;
import io.clusterwright.core.internal.json.Json;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.NetworkSpec.SubnetSpec;
import io.clusterwright.core.spec.OperatingSystem;
import io.clusterwright.core.spi.NodeBackend;
import io.clusterwright.core.type.ClusterId;
import io.clusterwright.core.type.ImageReference.Marketplace;
import io.clusterwright.core.type.InvalidValueException;
import io.clusterwright.core.type.Ipv4Address;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.core.type.Secret;
import io.clusterwright.mpi.job.JobTarget;
import io.clusterwright.mpi.job.MpiInstallation;
import io.clusterwright.mpi.spi.LaunchNode;
import java.net.URI;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A pool of Azure Batch whose nodes run MPI jobs. Its nodes are billed until the pool is deleted. Use it for jobs
 * that need nodes for some hours, without a cluster.
 *
 * <pre>{@code
 * BatchPool pool = batch.pool(spec)
 *         .mountNfs("10.32.8.4:/export/cases", "cases", "-o vers=4.2")
 *         .autoScale(
 *                 "$TargetDedicatedNodes = min(16, 4 * avg($PendingTasks.GetSample(1)));", Duration.ofMinutes(5))
 *         .create();
 * }</pre>
 *
 * <p>Each method that names a setting returns a pool with that setting, which takes effect when the pool is
 * {@linkplain #create created}; an existing pool is not changed. {@link #storage} and common files are settings of
 * jobs: each job of this object and of its targets has them. Safe for use by several threads.
 */
public final class BatchPool {
    private static final List<String> READY = List.of("idle", "running");
    private static final int PASSWORD_BYTES = 24;

    private final BatchCalls calls;
    private final ClusterSpec spec;
    private final String start;
    private final ObjectNode settings;
    private final CommonFiles files;

    /**
     * A pool of a spec.
     *
     * @param start a script for each node; empty for none
     * @param settings further properties of the request that makes it, with keys of storage accounts
     * @param files the common files of its jobs
     */
    private BatchPool(BatchCalls calls, ClusterSpec spec, String start, ObjectNode settings, CommonFiles files) {
        this.calls = calls;
        this.spec = spec;
        this.start = start;
        this.settings = settings;
        this.files = files;
    }

    /** The pool of a spec without further settings. */
    static BatchPool of(BatchCalls calls, ClusterSpec spec) {
        ObjectNode settings = Json.object();
        spec.network().subnet().id().ifPresent(id -> PoolSettings.subnet(settings, id));
        return new BatchPool(calls, spec, "", settings, CommonFiles.NONE);
    }

    private BatchPool with(Consumer<ObjectNode> change) {
        ObjectNode changed = settings.deepCopy();
        change.accept(changed);
        return new BatchPool(calls, spec, start, changed, files);
    }

    private BatchPool with(CommonFiles other) {
        return new BatchPool(calls, spec, start, settings, other);
    }

    /**
     * Sets the subnet of the nodes. Default: the existing subnet of the spec, or else a network that Batch creates. It
     * must be in the region and subscription of the account, and its security groups must let in what Batch requires.
     *
     * @param id such as {@code /subscriptions/S/resourceGroups/G/providers/Microsoft.Network/virtualNetworks/N/subnets/hpc}
     * @throws InvalidValueException when it has another form
     */
    public BatchPool subnet(String id) {
        return with(all -> PoolSettings.subnet(
                all, SubnetSpec.builder().id(id).build().id().orElseThrow()));
    }

    /**
     * Adds a mount on each node: a share of Azure Files.
     *
     * @param share such as {@code https://account.file.core.windows.net/share}
     * @param accountKey the key of the storage account, which Batch keeps
     * @param folder the relative path of the mount below {@code $AZ_BATCH_NODE_MOUNTS_DIR}
     * @param options for the mount command, such as {@code -o vers=3.1.1,dir_mode=0777,file_mode=0777}; empty for none
     * @throws InvalidValueException when the share or the folder has another form, or the folder is taken
     */
    public BatchPool mountAzureFiles(URI share, Secret accountKey, String folder, String options) {
        return with(all -> PoolSettings.files(all, share, accountKey, folder, options));
    }

    /**
     * Adds a mount on each node: a container of Azure Blob Storage, by blobfuse.
     *
     * @param container such as {@code https://account.blob.core.windows.net/container}
     * @param accountKey the key of the storage account, which Batch keeps
     * @param folder the relative path of the mount below {@code $AZ_BATCH_NODE_MOUNTS_DIR}
     * @param options for blobfuse, such as {@code -o attr_timeout=240}; empty for none
     * @throws InvalidValueException when the container or the folder has another form, or the folder is taken
     */
    public BatchPool mountBlobs(URI container, Secret accountKey, String folder, String options) {
        return with(all -> PoolSettings.blobs(all, container, accountKey, folder, options));
    }

    /**
     * Adds a mount on each node: an export of an NFS server that the nodes reach.
     *
     * @param source such as {@code 10.32.8.4:/export/cases}
     * @param folder the relative path of the mount below {@code $AZ_BATCH_NODE_MOUNTS_DIR}
     * @param options for the mount command, such as {@code -o vers=4.2}; empty for none
     * @throws InvalidValueException when the source or the folder has another form, or the folder is taken
     */
    public BatchPool mountNfs(String source, String folder, String options) {
        return with(all -> PoolSettings.nfs(all, source, folder, options));
    }

    /**
     * Sets a formula for the number of nodes, instead of the count of the spec; that is then the largest
     * number of nodes of a job.
     *
     * @param formula in the language of Batch; it must set {@code $TargetDedicatedNodes} or {@code $TargetLowPriorityNodes}
     * @param interval the time between two evaluations, 5 min to 168 h
     * @throws InvalidValueException when the formula sets neither, or the interval is out of range
     */
    public BatchPool autoScale(String formula, Duration interval) {
        return with(all -> PoolSettings.autoScale(all, formula, interval));
    }

    /** Sets a script that {@code /bin/sh} runs as root on each node before its first task, after the packages are installed. */
    public BatchPool startScript(String script) {
        return new BatchPool(calls, spec, Objects.requireNonNull(script, "script"), settings, files);
    }

    /**
     * Sets a container of Azure Blob Storage, through which local files reach the nodes of jobs:
     * {@link io.clusterwright.mpi.MpiJob#stageIn}. The files stay there under {@code clusterwright/}, each content once.
     *
     * @param container its URL with a shared access signature that reads, creates and writes, such as
     *     {@code https://account.blob.core.windows.net/container?sv=…&sp=rcw&sig=…}; nodes get the files with it, so that it must be valid
     *     until the last job has started
     * @throws InvalidValueException when it has another form
     */
    public BatchPool storage(Secret container) {
        return with(files.through(BatchStorage.of(container)));
    }

    /**
     * Adds a common file of the jobs: each node of a job gets it before the coordination command.
     *
     * @param file a URL that a node reads without credentials, with a shared access signature where it needs one
     * @param path its relative path below {@code $AZ_BATCH_TASK_SHARED_DIR}, the folder in which the ranks start
     * @throws InvalidValueException when the URL or the path has another form
     */
    public BatchPool commonFile(URI file, String path) {
        return with(files.withUrl(file, path));
    }

    /**
     * Adds the files of a container as common files of the jobs. They keep their names, with folders.
     *
     * @param container a URL that a node reads and lists without credentials, with a shared access signature where it needs one
     * @param prefix the beginning of the names of the files; empty for all
     * @param folder the relative path of the folder that they come into, below {@code $AZ_BATCH_TASK_SHARED_DIR}; empty for that itself
     * @throws InvalidValueException when the URL or the folder has another form
     */
    public BatchPool commonFiles(URI container, String prefix, String folder) {
        return with(files.withContainer(container, prefix, folder));
    }

    /**
     * Adds the files of a container in the storage account of the Batch account as common files of the jobs.
     *
     * @param container its name
     * @param prefix as above
     * @param folder as above
     * @throws InvalidValueException when no container can have the name, or the folder has another form
     */
    public BatchPool commonFiles(String container, String prefix, String folder) {
        return with(files.withContainer(container, prefix, folder));
    }

    /**
     * Starts to make the pool. Its nodes may talk to each other, and the MPI user goes from one to another with its own key. The nodes are
     * billed until the pool is deleted.
     *
     * @return this pool
     * @throws AzureException when there is such a pool already, Batch has no node agent for the image, or it refuses the pool
     */
    public BatchPool create() {
        String what = "create pool " + id();
        Marketplace image = BatchBodies.image(spec);
        String agent = nodeAgent();
        byte[] password = new byte[PASSWORD_BYTES];
        new SecureRandom().nextBytes(password);
        String random = ClusterId.random(spec.name()).id();
        ObjectNode body = BatchBodies.pool(
                spec,
                random,
                image,
                agent,
                NodeBackend.of(OperatingSystem.LINUX).newKeyPair("clusterwright-" + id()),
                Secret.of(Base64.getEncoder().encodeToString(password)),
                start);
        PoolSettings.apply(settings, body);
        try {
            calls.post(what, "/pools", body);
        } catch (AzureException e) {
            // A pool with the id of this call was made by it, and the answer was lost.
            boolean ours = e.code().equals("PoolExists")
                    && BatchBodies.metadata(calls.get("read pool " + id(), path()), Tags.ID)
                            .equals(random);
            if (!ours) {
                throw e;
            }
        }
        return this;
    }

    /**
     * Batch's node agent for the image of the spec.
     *
     * @throws InvalidValueException when the spec is of Windows
     * @throws AzureException when there is no agent, or the image is of Windows, so that no pool can be made
     */
    public String nodeAgent() {
        if (spec.operatingSystem() != OperatingSystem.LINUX) {
            throw InvalidValueException.of(
                    "operatingSystem: jobs of Batch start on Linux nodes only",
                    "choose a Linux image, or for MS-MPI a cluster of HPC Pack (scheduler: hpc-pack)");
        }
        String agent = BatchBodies.agent(
                BatchBodies.image(spec), calls.list("list the images that Batch supports", "/supportedimages"));
        if (agent.startsWith("batch.node.windows")) {
            throw windows();
        }
        return agent;
    }

    /** Batch's name of the pool: the name of the cluster that it was described as. */
    public String id() {
        return spec.name().value();
    }

    /** The nodes that there are now. */
    public List<Node> nodes() {
        return nodes(read());
    }

    /**
     * Waits until all nodes take tasks; with a formula, those it wants now.
     *
     * @return the nodes
     * @throws AzureException when the time passed, Batch could not make all nodes or evaluate the formula, or a node failed: then with the
     *     output of its start task
     */
    public List<Node> awaitReady(Duration limit) {
        String what = "wait for the nodes of pool " + id();
        Deadline deadline = Deadline.in("wait for the nodes", limit);
        while (true) {
            JsonNode pool = calls.get("read pool " + id(), path());
            requireNoErrors(pool);
            List<JsonNode> there = read();
            there.forEach(this::requireNotLost);
            List<Node> nodes = nodes(there);
            int wanted = pool.path("targetDedicatedNodes").asInt()
                    + pool.path("targetLowPriorityNodes").asInt();
            boolean steady = pool.path("allocationState").asText().equals("steady");
            long ready =
                    nodes.stream().filter(node -> READY.contains(node.state())).count();
            if (steady && ready >= wanted) {
                return nodes;
            }
            if (deadline.passed()) {
                throw Errors.of(
                        Reason.TIMEOUT,
                        what,
                        ready + " of " + wanted + " are ready after " + limit.toSeconds() + " s: "
                                + nodes.stream()
                                        .map(node -> node.id() + " " + node.state())
                                        .collect(Collectors.joining(", ")));
            }
            calls.pause(what);
        }
    }

    /**
     * This pool as a target of MPI jobs: {@code MpiJob.of(...).on(pool.target(mpi)).submit()}. Each job is a multi-instance task; Batch
     * chooses its nodes, and it starts when they are idle. Jobs get the preset and variables of the spec, and the first node of each
     * runs the scripts or modules of the MPI. The ranks start in {@code $AZ_BATCH_TASK_SHARED_DIR}, where the common files are.
     *
     * @param mpi the MPI on the nodes: MPICH, Intel MPI, Open MPI or HPC-X, with the launcher's path, or its name
     * where the scripts or modules
     *     of the MPI put it on the path
     * @param coordination a command that each node runs before a job, as words; it must return. None by default
     * @throws AzureException when the pool has no nodes with an address yet; see {@link #awaitReady}
     */
    public JobTarget target(MpiInstallation mpi, String... coordination) {
        Optional<VmSizeFacts> size = VmSizes.standard().ofNodes(spec);
        int slots =
                spec.mpi().ranksPerNode().orElse(size.map(VmSizeFacts::vcpus).orElse(1));
        List<Ipv4Address> addresses = nodes().stream()
                .filter(node -> !node.address().isEmpty())
                .map(node -> Ipv4Address.of(node.address()))
                .collect(Collectors.toCollection(ArrayList::new));
        List<NodeName> names = spec.nodes().names();
        if (addresses.size() < names.size()
                && calls.get("read pool " + id(), path())
                        .path("enableAutoScale")
                        .asBoolean()) {
            addresses.addAll(Collections.nCopies(names.size() - addresses.size(), BatchTarget.UNKNOWN));
        }
        if (addresses.isEmpty()) {
            throw Errors.of(
                    Reason.NOT_FOUND, "use pool " + id(), "it has no node with an address yet; call awaitReady");
        }
        List<LaunchNode> places = IntStream.range(0, Math.min(names.size(), addresses.size()))
                .mapToObj(i -> new LaunchNode(names.get(i), addresses.get(i), slots))
                .toList();
        return new BatchTarget(calls, spec, places, mpi, List.of(coordination), files, 0);
    }

    /** Deletes a job and its output; it is ended before. Does nothing for an absent job. */
    public void deleteJob(String job) {
        calls.delete("delete job " + job, "/jobs/" + job);
    }

    /** Deletes the pool and its nodes; its jobs are ended, waiting jobs as well. Does nothing when there is no such pool. */
    public void delete() {
        BatchJob.deletePool(calls, id());
    }

    private AzureException windows() {
        return Errors.of(
                Reason.OTHER,
                "create pool " + id(),
                "its image is a Windows image, and jobs start on Linux nodes only; choose a Linux image, or for MS-MPI a"
                        + " cluster of HPC Pack (scheduler: hpc-pack)");
    }

    private List<JsonNode> read() {
        return calls.list("list the nodes of pool " + id(), path() + "/nodes");
    }

    private static List<Node> nodes(List<JsonNode> nodes) {
        return nodes.stream()
                .map(node -> new Node(
                        node.path("id").asText(),
                        node.path("ipAddress").asText(),
                        node.path("state").asText()))
                .toList();
    }

    private void requireNoErrors(JsonNode pool) {
        JsonNode formula = pool.at("/autoScaleRun/error");
        if (formula.isObject()) {
            throw Errors.of(
                    Reason.OTHER,
                    formula.path("code").asText(),
                    "evaluate the formula of pool " + id(),
                    formula.path("message").asText(),
                    null);
        }
        JsonNode error = pool.path("resizeErrors").path(0);
        if (error.isObject()) {
            String code = error.path("code").asText();
            throw Errors.of(
                    code.contains("Quota") ? Reason.QUOTA : Reason.CAPACITY,
                    code,
                    "create the nodes of pool " + id(),
                    error.path("message").asText(),
                    null);
        }
    }

    private void requireNotLost(JsonNode node) {
        String state = node.path("state").asText();
        if (BatchTarget.LOST.contains(state)) {
            String why = node.at("/startTaskInfo/failureInfo/message").asText();
            String error = node.at("/errors/0/message").asText();
            throw Errors.of(
                    Reason.PROVISIONING,
                    "start node " + node.path("id").asText() + " of pool " + id(),
                    "it is " + state + ": " + (why.isEmpty() ? error : why));
        }
    }

    private String path() {
        return "/pools/" + id();
    }

    /** Its id: the settings hold keys. */
    @Override
    public String toString() {
        return "pool " + id();
    }

    /**
     * A node of a pool.
     *
     * @param id Batch's name of it
     * @param address its private address; empty before it has one
     * @param state Batch's word for its state, such as {@code idle}
     */
    public record Node(String id, String address, String state) {}
}
