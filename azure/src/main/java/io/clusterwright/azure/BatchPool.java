package io.clusterwright.azure;

import com.fasterxml.jackson.databind.JsonNode;
import io.clusterwright.azure.AzureException.Reason;
import io.clusterwright.azure.internal.arm.Errors;
import io.clusterwright.azure.internal.batch.BatchCalls;
import io.clusterwright.azure.internal.batch.BatchTarget;
import io.clusterwright.core.catalog.VmSizeFacts;
import io.clusterwright.core.catalog.VmSizes;
import io.clusterwright.core.internal.concurrent.Deadline;
import io.clusterwright.core.internal.json.Json;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.type.Ipv4Address;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.mpi.JobTarget;
import io.clusterwright.mpi.MpiInstallation;
import io.clusterwright.mpi.spi.LaunchNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** A pool of nodes that run MPI jobs. Its nodes are billed until it is deleted. Safe for use by several threads. */
public final class BatchPool {
    private static final List<String> READY = List.of("idle", "running");
    private static final List<String> LOST = List.of("starttaskfailed", "unusable", "preempted");

    private final BatchCalls calls;
    private final String id;
    private final ClusterSpec spec;

    BatchPool(BatchCalls calls, ClusterSpec spec) {
        this.calls = calls;
        this.id = spec.name().value();
        this.spec = spec;
    }

    /** Batch's name of the pool: the name of the cluster that it was described as. */
    public String id() {
        return id;
    }

    /** The nodes that there are now. */
    public List<BatchNode> nodes() {
        return calls.list("list the nodes of pool " + id, path() + "/nodes").stream()
                .map(node -> new BatchNode(
                        node.path("id").asText(),
                        node.path("ipAddress").asText(),
                        node.path("state").asText()))
                .toList();
    }

    /**
     * Waits until all nodes take tasks.
     *
     * @return the nodes
     * @throws AzureException when the time passed, Batch could not make all nodes, or a node failed: then with the output of its start task
     */
    public List<BatchNode> awaitReady(Duration limit) {
        String what = "wait for the nodes of pool " + id;
        Deadline deadline = Deadline.in("wait for the nodes", limit);
        while (true) {
            JsonNode pool = calls.get("read pool " + id, path());
            requireNoErrors(pool);
            List<BatchNode> nodes = nodes();
            requireNoneLost(nodes);
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
     * chooses its nodes, and it starts when they are idle. Files must be on the nodes already.
     *
     * @param mpi the MPI on the nodes: MPICH, Intel MPI, Open MPI or HPC-X, with the path of its launcher
     * @param coordination a command that each node runs before a job, as words; it must return. None by default
     * @throws AzureException when the pool has no nodes with an address yet; see {@link #awaitReady}
     */
    public JobTarget target(MpiInstallation mpi, String... coordination) {
        List<LaunchNode> places = new ArrayList<>();
        List<NodeName> names = spec.nodes().names();
        for (BatchNode node : nodes()) {
            if (!node.address().isEmpty() && places.size() < names.size()) {
                places.add(new LaunchNode(names.get(places.size()), Ipv4Address.parse(node.address()), cores()));
            }
        }
        if (places.isEmpty()) {
            throw Errors.of(
                    Reason.NOT_FOUND,
                    "use pool " + id,
                    "it has no nodes with an address yet; call awaitReady");
        }
        return new BatchTarget(calls, id, spec.mpiUser().value(), places, mpi, List.of(coordination));
    }

    /** The ranks of a node by default: one for each core. */
    private int cores() {
        return spec.nodes()
                .size()
                .flatMap(size -> VmSizes.standard().find(size))
                .map(VmSizeFacts::vcpus)
                .orElse(1);
    }

    /** Deletes a job and its output; it is ended before. Does nothing for an absent job. */
    public void deleteJob(String job) {
        calls.delete("delete job " + job, "/jobs/" + job);
    }

    /** Deletes the pool and its nodes; jobs that run there are ended. Does nothing when there is none. */
    public void delete() {
        calls.delete("delete pool " + id, path());
    }

    private void requireNoErrors(JsonNode pool) {
        JsonNode error = pool.path("resizeErrors").path(0);
        if (error.isObject()) {
            String code = error.path("code").asText();
            throw Errors.of(
                    code.contains("Quota") ? Reason.QUOTA : Reason.CAPACITY,
                    code,
                    "make the nodes of pool " + id,
                    error.path("message").asText(),
                    null);
        }
    }

    private void requireNoneLost(List<BatchNode> nodes) {
        for (BatchNode node : nodes) {
            if (LOST.contains(node.state())) {
                JsonNode all = calls.list("list the nodes of pool " + id, path() + "/nodes").stream()
                        .filter(one -> one.path("id").asText().equals(node.id()))
                        .findFirst()
                        .orElseGet(Json::object);
                String why = all.path("startTaskInfo")
                        .path("failureInfo")
                        .path("message")
                        .asText();
                String error = all.path("errors").path(0).path("message").asText();
                throw Errors.of(
                        Reason.PROVISIONING,
                        "start node " + node.id() + " of pool " + id,
                        "it is " + node.state() + ": " + (why.isEmpty() ? error : why));
            }
        }
    }

    private String path() {
        return "/pools/" + id;
    }
}
