package io.clusterwright.azure.emulator.internal.batch;

import static io.clusterwright.azure.emulator.internal.batch.BatchRefusals.refuse;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.clusterwright.azure.emulator.internal.arm.ArmException;
import io.clusterwright.azure.emulator.internal.arm.Bodies;
import io.clusterwright.azure.emulator.internal.arm.LongOperation;
import io.clusterwright.core.internal.json.Json;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.ToDoubleBiFunction;

/** The pools of an account. Guarded by the service's lock. */
final class BatchPools {
    private static final int MOST_NODES = 100;
    private static final int LONGEST_PREFIX = 20;

    private final BatchNodes nodes;
    private final Object lock;
    private static final String REQUEUE = "requeue";

    private final Map<String, Pool> pools = new LinkedHashMap<>();
    private int made;

    BatchPools(BatchNodes nodes, Object lock) {
        this.nodes = nodes;
        this.lock = lock;
    }

    /**
     * A pool and what a client reads of its nodes.
     *
     * @param asked the request that made it, with its secrets
     */
    record Pool(String id, ObjectNode body, ObjectNode asked, List<ObjectNode> nodes) {
        /** Whether tasks of several instances run: nodes talk to each other, and each runs one task at a time. */
        boolean runsInstances() {
            return body.path("enableInterNodeCommunication").asBoolean()
                    && body.path("taskSlotsPerNode").asInt(1) == 1
                    && body.path("maxTasksPerNode").asInt(1) == 1;
        }

        /** Whether a formula sets its number of nodes. */
        boolean grows() {
            return body.path("enableAutoScale").asBoolean();
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

    /** The pool of a name, which has no case. */
    Optional<Pool> find(String id) {
        return pools.values().stream()
                .filter(pool -> pool.id().equalsIgnoreCase(id))
                .findFirst();
    }

    Pool require(String id) {
        return find(id).orElseThrow(() -> ArmException.of("PoolNotFound"));
    }

    /** The pool of a job, which may be made after the job. */
    Optional<Pool> ofJob(ObjectNode job) {
        return find(Bodies.text(job, "executionInfo.poolId"));
    }

    private Pool requireActive(String id) {
        Pool pool = require(id);
        ArmException.refuse(Bodies.text(pool.body(), "state").equals("deleting"), "PoolBeingDeleted");
        return pool;
    }

    void add(ObjectNode asked, String url) {
        BatchRules.pool(asked);
        String id = Bodies.text(asked, "id");
        ArmException.refuse(find(id).isPresent(), "PoolExists");
        requireQuota(wanted(asked));
        ObjectNode body = asked.deepCopy();
        BatchRules.hideSecrets(body);
        String now = Instant.now().toString();
        body.put("url", url + "/pools/" + id)
                .put("state", "active")
                .put("stateTransitionTime", now)
                .put("creationTime", now)
                .put("lastModified", now)
                .put("allocationState", "steady")
                .put("allocationStateTransitionTime", now)
                .put("targetDedicatedNodes", asked.path("targetDedicatedNodes").asInt())
                .put(
                        "targetLowPriorityNodes",
                        asked.path("targetLowPriorityNodes").asInt())
                .put("currentDedicatedNodes", 0)
                .put("currentLowPriorityNodes", 0);
        Pool pool = new Pool(id, body, asked, new ArrayList<>());
        pools.put(id, pool);
        if (pool.grows()) {
            evaluate(pool, (which, name) -> 0, url);
        } else {
            allocate(pool, url, false);
        }
    }

    /** Makes the pool of one job; its id is the prefix that was asked for, and something unique. */
    String addAuto(ObjectNode auto, String url) {
        String prefix = Bodies.text(auto, "autoPoolIdPrefix");
        refuse(prefix.length() > LONGEST_PREFIX, "poolPrefix", prefix);
        refuse(Bodies.text(auto, "poolLifetimeOption").equals("jobschedule"), "jobSchedule", "jobschedule");
        if (!auto.path("pool").isObject()) {
            throw BatchRefusals.missing("poolInfo.autoPoolSpecification.pool");
        }
        String id = prefix + UUID.randomUUID();
        add(((ObjectNode) auto.path("pool")).deepCopy().put("id", id), url);
        return id;
    }

    private static int wanted(ObjectNode body) {
        return body.path("targetDedicatedNodes").asInt()
                + body.path("targetLowPriorityNodes").asInt();
    }

    private static void requireQuota(int wanted) {
        ArmException.refuse(wanted > MOST_NODES, "AccountCoreQuotaReached", wanted);
    }

    void resize(String id, ObjectNode asked, String url) {
        Pool pool = requireActive(id);
        if (!asked.has("targetDedicatedNodes") && !asked.has("targetLowPriorityNodes")) {
            throw BatchRefusals.missing("targetDedicatedNodes and/or targetLowPriorityNodes");
        }
        BatchRules.targets(asked);
        ArmException.refuse(pool.grows(), "OperationInvalidForCurrentState");
        requireSteady(pool);
        requireQuota(wanted(asked));
        pool.body().setAll(asked.deepCopy().retain(List.of("targetDedicatedNodes", "targetLowPriorityNodes")));
        allocate(pool, url, asked.path("nodeDeallocationOption").asText(REQUEUE).equals(REQUEUE));
    }

    private static void requireSteady(Pool pool) {
        ArmException.refuse(!Bodies.text(pool.body(), "allocationState").equals("steady"), "PoolBeingResized");
    }

    void enableAutoScale(String id, ObjectNode asked, String url) {
        Pool pool = requireActive(id);
        if (!pool.grows() || asked.has("autoScaleFormula")) {
            BatchRules.formula(asked);
        }
        requireSteady(pool);
        pool.body().setAll(asked);
        pool.body().put("enableAutoScale", true);
        evaluate(pool, (which, name) -> 0, url);
    }

    void disableAutoScale(String id) {
        Pool pool = requireActive(id);
        requireSteady(pool);
        pool.body().put("enableAutoScale", false).remove(List.of("autoScaleFormula", "autoScaleEvaluationInterval"));
    }

    /** Evaluates the formula of a pool that has one, and allocates what it asks for, where that is another number than before. */
    void evaluate(Pool pool, ToDoubleBiFunction<Pool, String> samples, String url) {
        if (!pool.grows() || !Bodies.text(pool.body(), "allocationState").equals("steady")) {
            return;
        }
        Map<String, Double> values = BatchFormula.evaluate(
                Bodies.text(pool.body(), "autoScaleFormula"), name -> samples.applyAsDouble(pool, name));
        int dedicated = target(values, "$TargetDedicatedNodes", "$TargetDedicated");
        int low = target(values, "$TargetLowPriorityNodes", "$TargetLowPriorityNodes");
        ObjectNode run = pool.body().putObject("autoScaleRun");
        run.put("timestamp", Instant.now().toString())
                .put("results", "$TargetDedicatedNodes=" + dedicated + ";$TargetLowPriorityNodes=" + low);
        if (dedicated != pool.body().path("targetDedicatedNodes").asInt()
                || low != pool.body().path("targetLowPriorityNodes").asInt()) {
            pool.body().put("targetDedicatedNodes", dedicated).put("targetLowPriorityNodes", low);
            allocate(pool, url, false);
        }
    }

    private static int target(Map<String, Double> values, String name, String old) {
        double value = values.getOrDefault(name, values.getOrDefault(old, 0.0));
        return (int) Math.max(0, Math.min(MOST_NODES, Math.floor(value)));
    }

    /**
     * Makes the nodes that are missing, or removes those that are too many.
     *
     * @param requeue whether nodes that run a task go as well, after those that run none; the task waits again then
     */
    private void allocate(Pool pool, String url, boolean requeue) {
        ObjectNode asked = pool.asked();
        pool.body().put("allocationState", "resizing");
        int wanted = wanted(pool.body());
        List<CompletableFuture<?>> all = new ArrayList<>();
        int more = Math.max(0, pool.nodes().size() - wanted);
        Set<ObjectNode> going = new LinkedHashSet<>(pool.idle(more));
        if (requeue) {
            pool.nodes().stream()
                    .filter(node -> !going.contains(node))
                    .limit(more - going.size())
                    .toList()
                    .forEach(going::add);
        }
        for (ObjectNode node : going) {
            pool.nodes().remove(node);
            all.add(nodes.remove(pool.id(), Bodies.text(node, "id")));
        }
        int there = pool.nodes().size();
        for (int i = there; i < wanted; i++) {
            int number = made++;
            String name = "tvm-" + String.format(java.util.Locale.ROOT, "%06d", number);
            ObjectNode node = Json.object()
                    .put("id", name)
                    .put("url", url + "/pools/" + pool.id() + "/nodes/" + name)
                    .put("state", "creating")
                    .put("schedulingState", "enabled")
                    .put("ipAddress", nodes.address(number))
                    .put("vmSize", Bodies.text(asked, "vmSize"))
                    .put(
                            "isDedicated",
                            i < pool.body().path("targetDedicatedNodes").asInt());
            pool.nodes().add(node);
            all.add(nodes.make(pool.id(), asked, name, number)
                    .thenCompose(done -> startTask(pool, node, asked))
                    .exceptionally(thrown -> {
                        set(node, "unusable", LongOperation.failureOf(thrown).text());
                        return null;
                    }));
        }
        CompletableFuture.allOf(all.toArray(CompletableFuture[]::new)).whenComplete((done, thrown) -> {
            synchronized (lock) {
                pool.body().put("allocationState", "steady");
                int dedicated = (int) pool.nodes().stream()
                        .filter(node -> node.path("isDedicated").asBoolean())
                        .count();
                pool.body()
                        .put("currentDedicatedNodes", dedicated)
                        .put("currentLowPriorityNodes", pool.nodes().size() - dedicated);
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

    /** Whether nodes that a task took are there still. */
    boolean hasAll(List<ObjectNode> taken) {
        return pools.values().stream()
                        .filter(pool -> Bodies.text(pool.body(), "state").equals("active"))
                        .flatMap(pool -> pool.nodes().stream())
                        .filter(node -> taken.stream().anyMatch(one -> one == node))
                        .count()
                == taken.size();
    }

    void delete(String id) {
        Pool pool = requireActive(id);
        pool.body().put("state", "deleting");
        CompletableFuture.allOf(pool.nodes().stream()
                        .map(node -> nodes.remove(pool.id(), Bodies.text(node, "id")))
                        .toArray(CompletableFuture[]::new))
                .whenComplete((done, thrown) -> {
                    synchronized (lock) {
                        pools.remove(pool.id());
                    }
                });
    }
}
