package io.clusterwright.azure.emulator.internal.batch;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.clusterwright.azure.emulator.internal.arm.ArmException;
import io.clusterwright.azure.emulator.internal.arm.Bodies;
import io.clusterwright.azure.emulator.internal.arm.Operation;
import io.clusterwright.core.catalog.VmSizes;
import io.clusterwright.core.internal.json.Json;
import io.clusterwright.core.type.VmSize;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** The pools of an account. Guarded by the service's lock. */
final class BatchPools {
    private static final int MOST_NODES = 100;

    private final BatchNodes nodes;
    private final Object lock;
    private final Map<String, Pool> pools = new LinkedHashMap<>();
    private int made;

    BatchPools(BatchNodes nodes, Object lock) {
        this.nodes = nodes;
        this.lock = lock;
    }

    /** A pool and what a client reads of its nodes. */
    record Pool(String id, ObjectNode body, List<ObjectNode> nodes) {
        boolean communicates() {
            return body.path("enableInterNodeCommunication").asBoolean();
        }

        /** Nodes that run nothing, no more than that many. */
        List<ObjectNode> idle(int most) {
            return nodes.stream()
                    .filter(node -> Bodies.text(node, "state").equals("idle"))
                    .limit(most)
                    .toList();
        }
    }

    List<ObjectNode> all() {
        return pools.values().stream().map(Pool::body).toList();
    }

    Pool require(String id) {
        Pool pool = pools.get(id);
        if (pool == null) {
            throw ArmException.of("PoolNotFound");
        }
        return pool;
    }

    void add(ObjectNode asked, String url) {
        String id = Bodies.text(asked, "id");
        if (pools.containsKey(id)) {
            throw ArmException.of("PoolExists");
        }
        VmSize size = VmSize.parse(Bodies.text(asked, "vmSize"));
        if (VmSizes.standard().find(size).isEmpty()) {
            throw ArmException.of("InvalidPropertyValue.vmSize", size);
        }
        if (Bodies.text(asked, "virtualMachineConfiguration.nodeAgentSKUId").isEmpty()) {
            throw ArmException.of("MissingRequiredProperty");
        }
        int wanted = asked.path("targetDedicatedNodes").asInt()
                + asked.path("targetLowPriorityNodes").asInt();
        if (wanted > MOST_NODES) {
            throw ArmException.of("AccountCoreQuotaReached", wanted);
        }
        ObjectNode body = asked.deepCopy();
        // Passwords and keys are never returned.
        body.remove("userAccounts");
        String now = Instant.now().toString();
        body.put("url", url + "/pools/" + id)
                .put("state", "active")
                .put("stateTransitionTime", now)
                .put("creationTime", now)
                .put("lastModified", now)
                .put("allocationState", "resizing")
                .put("allocationStateTransitionTime", now)
                .put("currentDedicatedNodes", 0)
                .put("currentLowPriorityNodes", 0);
        Pool pool = new Pool(id, body, new ArrayList<>());
        pools.put(id, pool);
        allocate(pool, asked, wanted, url);
    }

    private void allocate(Pool pool, ObjectNode asked, int wanted, String url) {
        List<CompletableFuture<?>> all = new ArrayList<>();
        for (int i = 0; i < wanted; i++) {
            int number = made++;
            String name = "tvm-" + String.format(java.util.Locale.ROOT, "%06d", number);
            ObjectNode node = Json.object()
                    .put("id", name)
                    .put("url", url + "/pools/" + pool.id() + "/nodes/" + name)
                    .put("state", "creating")
                    .put("schedulingState", "enabled")
                    .put("ipAddress", nodes.address(number))
                    .put("vmSize", Bodies.text(asked, "vmSize"))
                    .put("isDedicated", i < asked.path("targetDedicatedNodes").asInt());
            pool.nodes().add(node);
            all.add(nodes.make(pool.id(), asked, name, number)
                    .thenCompose(done -> startTask(pool, node, asked))
                    .exceptionally(thrown -> {
                        set(node, "unusable", Operation.failureOf(thrown).text());
                        return null;
                    }));
        }
        CompletableFuture.allOf(all.toArray(CompletableFuture[]::new)).whenComplete((done, thrown) -> {
            synchronized (lock) {
                pool.body().put("allocationState", "steady");
                int dedicated = asked.path("targetDedicatedNodes").asInt();
                pool.body().put("currentDedicatedNodes", dedicated).put("currentLowPriorityNodes", wanted - dedicated);
            }
        });
    }

    private CompletableFuture<?> startTask(Pool pool, ObjectNode node, ObjectNode asked) {
        var task = asked.path("startTask");
        if (!task.isObject()) {
            set(node, "idle", "");
            return CompletableFuture.completedFuture(null);
        }
        set(node, "waitingforstarttask", "");
        Map<String, String> environment = new LinkedHashMap<>();
        environment.put("AZ_BATCH_POOL_ID", pool.id());
        environment.put("AZ_BATCH_NODE_ID", Bodies.text(node, "id"));
        BatchTasks.settings(task, environment);
        return nodes.run(
                        pool.id(),
                        Bodies.text(node, "id"),
                        Bodies.text(task, "commandLine"),
                        task.path("userIdentity"),
                        environment,
                        BatchNodes.ROOT + "/startup")
                .thenAccept(output -> {
                    synchronized (lock) {
                        ObjectNode info = node.putObject("startTaskInfo").put("exitCode", output.exit());
                        info.put("state", "completed")
                                .put("retryCount", 0)
                                .put("startTime", Instant.now().toString());
                        info.put("result", output.exit() == 0 ? "success" : "failure");
                        if (output.exit() != 0) {
                            info.putObject("failureInfo")
                                    .put("category", "usererror")
                                    .put("code", "FailureExitCode")
                                    .put(
                                            "message",
                                            "The task exited with an exit code representing a failure: "
                                                    + output.stderr().strip());
                        }
                    }
                    boolean waits = task.path("waitForSuccess").asBoolean(true);
                    set(node, output.exit() == 0 || !waits ? "idle" : "starttaskfailed", "");
                });
    }

    void set(ObjectNode node, String state, String error) {
        synchronized (lock) {
            node.put("state", state).put("stateTransitionTime", Instant.now().toString());
            if (!error.isEmpty()) {
                node.putArray("errors").addObject().put("code", "NodeNotReady").put("message", error);
            }
        }
    }

    void delete(String id) {
        Pool pool = require(id);
        pool.body().put("state", "deleting");
        CompletableFuture.allOf(pool.nodes().stream()
                        .map(node -> nodes.remove(id, Bodies.text(node, "id")))
                        .toArray(CompletableFuture[]::new))
                .whenComplete((done, thrown) -> {
                    synchronized (lock) {
                        pools.remove(id);
                    }
                });
    }
}
