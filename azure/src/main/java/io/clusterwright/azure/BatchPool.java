package io.clusterwright.azure;

import com.fasterxml.jackson.databind.JsonNode;
import io.clusterwright.azure.AzureException.Reason;
import io.clusterwright.azure.internal.arm.Errors;
import io.clusterwright.azure.internal.batch.BatchCalls;
import io.clusterwright.azure.internal.batch.TaskBody;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;

/** A pool of nodes that run MPI jobs. Its nodes are billed until it is deleted. Safe for use by several threads. */
public final class BatchPool {
    private static final List<String> READY = List.of("idle", "running");
    private static final List<String> LOST = List.of("starttaskfailed", "unusable", "preempted");

    private final BatchCalls calls;
    private final String id;
    private final String user;

    BatchPool(BatchCalls calls, String id, String user) {
        this.calls = calls;
        this.id = id;
        this.user = user;
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
     * @throws AzureException when the time passed, Batch could not make all nodes, or a node failed: then with the words of its start task
     */
    public List<BatchNode> awaitReady(Duration limit) {
        String what = "wait for the nodes of pool " + id;
        long end = System.nanoTime() + limit.toNanos();
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
            if (System.nanoTime() > end) {
                throw Errors.of(
                        Reason.TIMEOUT,
                        "",
                        what,
                        ready + " of " + wanted + " are ready after " + limit.toSeconds() + " s: "
                                + nodes.stream()
                                        .map(node -> node.id() + " " + node.state())
                                        .collect(Collectors.joining(", ")),
                        null);
            }
            calls.pause(what);
        }
    }

    /**
     * Hands a job to this pool and returns at once. It starts when as many nodes as it takes are idle.
     *
     * @throws AzureException when Batch refuses it, for instance because the pool is gone
     */
    public BatchRun submit(BatchTask task) {
        String job = id + "-" + UUID.randomUUID().toString().substring(0, 8);
        var body = BatchCalls.object().put("id", job);
        body.putObject("poolInfo").put("poolId", id);
        calls.post("make job " + job, "/jobs", body);
        BatchRun run = new BatchRun(calls, job);
        try {
            calls.post(
                    "hand over job " + job,
                    "/jobs/" + job + "/tasks",
                    TaskBody.of(BatchRun.TASK, user, task.nodes(), task.script(), task.coordination(), task.limit()));
            return run;
        } catch (AzureException e) {
            try {
                run.delete();
            } catch (AzureException left) {
                e.addSuppressed(left);
            }
            throw e;
        }
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
                        .orElseGet(BatchCalls::object);
                String why = all.path("startTaskInfo")
                        .path("failureInfo")
                        .path("message")
                        .asText();
                String error = all.path("errors").path(0).path("message").asText();
                throw Errors.of(
                        Reason.PROVISIONING,
                        "",
                        "start node " + node.id() + " of pool " + id,
                        "it is " + node.state() + ": " + (why.isEmpty() ? error : why),
                        null);
            }
        }
    }

    private String path() {
        return "/pools/" + id;
    }
}
