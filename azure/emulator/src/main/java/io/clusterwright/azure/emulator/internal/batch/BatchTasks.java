package io.clusterwright.azure.emulator.internal.batch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.clusterwright.azure.emulator.internal.arm.ArmException;
import io.clusterwright.azure.emulator.internal.arm.BackingMachines;
import io.clusterwright.azure.emulator.internal.arm.Bodies;
import io.clusterwright.azure.emulator.internal.arm.LongOperation;
import io.clusterwright.azure.emulator.internal.batch.BatchPools.Pool;
import io.clusterwright.core.internal.concurrent.Threads;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Jobs and their tasks. A multi-instance task takes that many idle nodes: the coordination command runs on all of them, and then the
 * task's own on the first. Guarded by the service's lock.
 */
final class BatchTasks {
    private static final int NO_EXIT = -1;
    private static final CompletableFuture<BackingMachines.Output> DONE =
            CompletableFuture.completedFuture(new BackingMachines.Output(0, "", ""));
    private static final String BY_USER = "Task Was Ended by User Request.";
    private static final String BY_LIMIT = "The task ran longer than its maxWallClockTime.";
    /** The least of the quotas that accounts have by default, 100 to 300. */
    private static final int MOST_ACTIVE = 100;

    private final BatchPools pools;
    private final BatchNodes nodes;
    private final @Nullable BatchFiles files;
    private final Object lock;
    private final Map<String, Job> jobs = new LinkedHashMap<>();

    /** @param files fetches the files of tasks; null where nodes are records, which get none */
    BatchTasks(BatchPools pools, BatchNodes nodes, @Nullable BatchFiles files, Object lock) {
        this.pools = pools;
        this.nodes = nodes;
        this.files = files;
        this.lock = lock;
    }

    private record Job(String id, ObjectNode body, Map<String, Task> tasks) {
        boolean isCompleted() {
            return Bodies.text(body, "state").equals("completed");
        }
    }

    /** A task, its nodes, the reason of its end (empty where it was not ended), and the output of its command. */
    static final class Task {
        final ObjectNode body;
        final List<ObjectNode> taken = new ArrayList<>();
        String ended = "";
        String code = "TaskEnded";
        String stdout = "";
        String stderr = "";

        Task(ObjectNode body) {
            this.body = body;
        }

        boolean isOver() {
            return Bodies.text(body, "state").equals("completed");
        }
    }

    List<ObjectNode> jobs() {
        return jobs.values().stream().map(Job::body).toList();
    }

    ObjectNode job(String id) {
        return requireJob(id).body();
    }

    List<ObjectNode> tasks(String job) {
        return requireJob(job).tasks().values().stream().map(task -> task.body).toList();
    }

    Task task(String job, String id) {
        return find(requireJob(job), id).orElseThrow(() -> ArmException.of("TaskNotFound"));
    }

    private static Optional<Task> find(Job job, String id) {
        return job.tasks().values().stream()
                .filter(task -> Bodies.text(task.body, "id").equalsIgnoreCase(id))
                .findFirst();
    }

    /** The value of a service variable for the formula of a pool. */
    double samples(Pool pool, String variable) {
        List<String> states = jobs.values().stream()
                .filter(job -> Bodies.text(job.body(), "executionInfo.poolId").equalsIgnoreCase(pool.id()))
                .flatMap(job -> job.tasks().values().stream())
                .map(task -> Bodies.text(task.body, "state"))
                .toList();
        long active = states.stream().filter("active"::equals).count();
        long running = states.stream().filter("running"::equals).count();
        return switch (variable) {
            case "$ActiveTasks" -> active;
            case "$RunningTasks" -> running;
            case "$PendingTasks" -> active + running;
            case "$TaskSlotsPerNode" -> pool.body().path("taskSlotsPerNode").asInt(1);
            case "$CurrentDedicated", "$CurrentDedicatedNodes", "$UsableNodeCount", "$SampleNodeCount" ->
                pool.nodes().size();
            default -> 0;
        };
    }

    /** What a client reads of a task, which is started first where it can be. */
    ObjectNode current(String job, String id) {
        schedule();
        return task(job, id).body;
    }

    private Job requireJob(String id) {
        return findJob(id).orElseThrow(() -> ArmException.of("JobNotFound"));
    }

    private Optional<Job> findJob(String id) {
        return jobs.values().stream()
                .filter(job -> job.id().equalsIgnoreCase(id))
                .findFirst();
    }

    void addJob(ObjectNode asked, String url) {
        BatchJobRules.job(asked);
        String id = Bodies.text(asked, "id");
        ArmException.refuse(findJob(id).isPresent(), "JobExists");
        ArmException.refuse(
                jobs.values().stream().filter(job -> !job.isCompleted()).count() >= MOST_ACTIVE,
                "ActiveJobAndScheduleQuotaReached",
                MOST_ACTIVE);
        String now = Instant.now().toString();
        ObjectNode body = asked.deepCopy().put("url", url + "/jobs/" + id).put("state", "active");
        body.put("creationTime", now).put("lastModified", now).put("stateTransitionTime", now);
        String pool = Bodies.text(asked, "poolInfo.poolId");
        if (asked.path("poolInfo").path("autoPoolSpecification") instanceof ObjectNode auto) {
            pool = pools.addAuto(auto, url);
            BatchRules.hideSecrets((ObjectNode)
                    body.path("poolInfo").path("autoPoolSpecification").path("pool"));
        }
        body.putObject("executionInfo").put("startTime", now).put("poolId", pool);
        Job job = new Job(id, body, new LinkedHashMap<>());
        jobs.put(id, job);
        endIfAllComplete(job);
    }

    /** Changes some properties of a job, which may end by that. */
    void patchJob(String id, ObjectNode asked) {
        Job job = requireJob(id);
        requireActive(job);
        BatchJobRules.change(asked, job.body());
        job.body().setAll(asked);
        job.body().put("lastModified", Instant.now().toString());
        endIfAllComplete(job);
    }

    /** A job without tasks has completed them all. */
    private void endIfAllComplete(Job job) {
        if (!job.isCompleted()
                && Bodies.text(job.body(), "onAllTasksComplete").equals("terminatejob")
                && job.tasks().values().stream().allMatch(Task::isOver)) {
            complete(job, "AllTasksComplete");
        }
    }

    void deleteJob(String id) {
        Job job = requireJob(id);
        end(job);
        jobs.remove(job.id());
    }

    /** Ends a job with its tasks; it stays, and gets no others. */
    void terminateJob(String id) {
        Job job = requireJob(id);
        requireActive(job);
        complete(job, "UserTerminate");
    }

    private void complete(Job job, String reason) {
        String now = Instant.now().toString();
        job.body().put("state", "completed").put("stateTransitionTime", now);
        Bodies.make(job.body(), "executionInfo").put("endTime", now).put("terminateReason", reason);
        end(job);
    }

    private static void requireActive(Job job) {
        ArmException.refuse(job.isCompleted(), "JobCompleted");
    }

    /** Ends the tasks of a job, and deletes the pool that was made for it alone. */
    private void end(Job job) {
        job.tasks().values().forEach(task -> stop(job, task, BY_USER));
        JsonNode auto = job.body().path("poolInfo").path("autoPoolSpecification");
        if (auto.isObject() && !auto.path("keepAlive").asBoolean()) {
            pools.ofJob(job.body())
                    .filter(pool -> !Bodies.text(pool.body(), "state").equals("deleting"))
                    .ifPresent(pool -> pools.delete(pool.id()));
        }
    }

    void addTask(String jobId, ObjectNode asked, String url) {
        Job job = requireJob(jobId);
        requireActive(job);
        BatchJobRules.task(asked, job.body());
        String id = Bodies.text(asked, "id");
        ArmException.refuse(find(job, id).isPresent(), "TaskExists");
        String now = Instant.now().toString();
        ObjectNode body = asked.deepCopy()
                .put("url", url + "/jobs/" + jobId + "/tasks/" + id)
                .put("state", "active");
        body.put("creationTime", now).put("lastModified", now).put("stateTransitionTime", now);
        body.putObject("executionInfo").put("retryCount", 0).put("requeueCount", 0);
        job.tasks().put(id, new Task(body));
        schedule();
    }

    /** The time limit in the constraints of a task. */
    private static Optional<Duration> limit(ObjectNode task) {
        return BatchRefusals.duration(
                task.path("constraints"), "maxWallClockTime", Duration.ZERO, Duration.ofDays(Integer.MAX_VALUE));
    }

    /** Starts every task whose nodes are idle; one of several instances never where its pool runs none. */
    void schedule() {
        for (Job job : jobs.values()) {
            pools.ofJob(job.body())
                    .ifPresent(pool -> job.tasks().values().stream()
                            .filter(task -> Bodies.text(task.body, "state").equals("active"))
                            .filter(task -> pool.runsInstances()
                                    || !task.body.path("multiInstanceSettings").isObject())
                            .forEach(task -> startWhereIdle(job, pool, task)));
        }
    }

    private void startWhereIdle(Job job, Pool pool, Task task) {
        int instances = task.body
                .path("multiInstanceSettings")
                .path("numberOfInstances")
                .asInt(1);
        List<ObjectNode> idle = pool.idle(instances);
        if (idle.size() == instances) {
            start(job, pool, task, idle);
        }
    }

    private void start(Job job, Pool pool, Task task, List<ObjectNode> idle) {
        task.taken.addAll(idle);
        idle.forEach(node -> pools.set(node, "running", ""));
        String now = Instant.now().toString();
        task.body.put("state", "running").put("stateTransitionTime", now);
        ((ObjectNode) task.body.path("executionInfo")).put("startTime", now);
        String folder = folder(job.id(), task);
        task.body
                .putObject("nodeInfo")
                .put("poolId", pool.id())
                .put("nodeId", Bodies.text(idle.get(0), "id"))
                .put("taskRootDirectory", folder.substring(BatchNodes.ROOT.length() + 1));
        String coordination = Bodies.text(task.body, "multiInstanceSettings.coordinationCommandLine");
        CompletableFuture<BackingMachines.Output> ran = files(
                        pool, task, idle, task.body.at("/multiInstanceSettings/commonResourceFiles"), folder)
                .thenCompose(done -> unless(
                        done,
                        () -> coordination.isEmpty()
                                ? DONE
                                : onAll(idle, node -> run(job, pool, task, node, coordination, folder))))
                .thenCompose(done -> unless(
                        done,
                        () -> files(pool, task, idle.subList(0, 1), task.body.path("resourceFiles"), folder + "/wd")))
                .thenCompose(done -> unless(
                        done, () -> run(job, pool, task, idle.get(0), Bodies.text(task.body, "commandLine"), folder)))
                .exceptionally(thrown -> new BackingMachines.Output(
                        NO_EXIT, "", LongOperation.failureOf(thrown).text()));
        limit(task.body)
                .ifPresent(limit -> ran.copy()
                        .orTimeout(limit.toMillis(), TimeUnit.MILLISECONDS)
                        .whenComplete((output, thrown) -> {
                            if (thrown instanceof TimeoutException) {
                                stop(job, task, BY_LIMIT);
                            }
                        }));
        ran.thenAccept(output -> {
            synchronized (lock) {
                end(job, task, output);
            }
        });
    }

    private static CompletableFuture<BackingMachines.Output> unless(
            BackingMachines.Output before, Supplier<CompletableFuture<BackingMachines.Output>> next) {
        return before.exit() == 0 ? next.get() : CompletableFuture.completedFuture(before);
    }

    /** Does something on all nodes at once; the first that failed, or the last. */
    private static CompletableFuture<BackingMachines.Output> onAll(
            List<ObjectNode> all, Function<ObjectNode, CompletableFuture<BackingMachines.Output>> work) {
        List<CompletableFuture<BackingMachines.Output>> ready =
                all.stream().map(work).toList();
        return CompletableFuture.allOf(ready.toArray(CompletableFuture[]::new))
                .thenCompose(done -> ready.stream()
                        .filter(one -> one.join().exit() != 0)
                        .findFirst()
                        .orElse(DONE));
    }

    /** Gives files to nodes; a task whose files cannot be had fails with the code of Batch. */
    private CompletableFuture<BackingMachines.Output> files(
            Pool pool, Task task, List<ObjectNode> all, JsonNode wanted, String folder) {
        BatchFiles source = files;
        if (source == null || wanted.isEmpty()) {
            return DONE;
        }
        return CompletableFuture.supplyAsync(
                        () -> fetch(source, task, wanted), work -> Threads.start("batch-files", work))
                .thenCompose(fetched -> fetched.isEmpty()
                        ? CompletableFuture.completedFuture(new BackingMachines.Output(NO_EXIT, "", ""))
                        : onAll(
                                        all,
                                        node -> nodes.put(
                                                pool.id(),
                                                Bodies.text(node, "id"),
                                                fetched.get(),
                                                task.body.path("userIdentity"),
                                                folder))
                                .thenApply(put -> put.exit() == 0 ? put : notMade(task, put)));
    }

    private BackingMachines.Output notMade(Task task, BackingMachines.Output put) {
        fail(task, "ResourceFileCreateFailed", put.stderr());
        return new BackingMachines.Output(NO_EXIT, "", "");
    }

    private void fail(Task task, String code, String message) {
        synchronized (lock) {
            task.code = code;
            task.ended = message;
        }
    }

    private Optional<List<BatchFiles.Fetched>> fetch(BatchFiles source, Task task, JsonNode wanted) {
        try {
            return Optional.of(source.fetch(wanted));
        } catch (BatchFiles.FetchException e) {
            fail(task, e.code(), String.valueOf(e.getMessage()));
            return Optional.empty();
        }
    }

    private CompletableFuture<BackingMachines.Output> run(
            Job job, Pool pool, Task task, ObjectNode node, String commandLine, String folder) {
        return nodes.run(
                pool.id(),
                Bodies.text(node, "id"),
                commandLine,
                task.body.path("userIdentity"),
                environment(job, pool, task, node, folder),
                folder);
    }

    private static Map<String, String> environment(Job job, Pool pool, Task task, ObjectNode node, String folder) {
        List<String> addresses =
                task.taken.stream().map(each -> Bodies.text(each, "ipAddress")).toList();
        Map<String, String> all = new LinkedHashMap<>();
        all.put("AZ_BATCH_POOL_ID", pool.id());
        all.put("AZ_BATCH_NODE_ID", Bodies.text(node, "id"));
        all.put("AZ_BATCH_JOB_ID", job.id());
        all.put("AZ_BATCH_TASK_ID", Bodies.text(task.body, "id"));
        all.put("AZ_BATCH_TASK_DIR", folder);
        all.put("AZ_BATCH_TASK_WORKING_DIR", folder + "/wd");
        all.put("AZ_BATCH_TASK_SHARED_DIR", folder);
        all.put("AZ_BATCH_NODE_LIST", String.join(";", addresses));
        all.put("AZ_BATCH_HOST_LIST", String.join(",", addresses));
        all.put("AZ_BATCH_MASTER_NODE", addresses.get(0) + ":6000");
        all.put("AZ_BATCH_IS_CURRENT_NODE_MASTER", Boolean.toString(node == task.taken.get(0)));
        all.put(
                "CCP_NODES",
                addresses.size()
                        + addresses.stream()
                                .map(address -> " " + address + " 1")
                                .collect(Collectors.joining()));
        settings(task.body, all);
        return all;
    }

    static void settings(JsonNode task, Map<String, String> environment) {
        task.path("environmentSettings")
                .forEach(setting -> environment.put(Bodies.text(setting, "name"), Bodies.text(setting, "value")));
    }

    private void end(Job job, Task task, BackingMachines.Output output) {
        if (task.isOver()) {
            return;
        }
        if (task.ended.isEmpty() && output.exit() != 0 && !pools.hasAll(task.taken)) {
            requeue(task);
            return;
        }
        task.stdout = output.stdout();
        task.stderr = output.stderr();
        boolean exited = task.ended.isEmpty() && output.exit() != NO_EXIT;
        boolean succeeded = exited && output.exit() == 0;
        String now = Instant.now().toString();
        task.body.put("state", "completed").put("stateTransitionTime", now);
        ObjectNode info = (ObjectNode) task.body.path("executionInfo");
        info.put("endTime", now).put("result", succeeded ? "success" : "failure");
        if (exited) {
            info.put("exitCode", output.exit());
        }
        if (!succeeded) {
            String why = task.ended.isEmpty() ? output.stderr() : task.ended;
            info.putObject("failureInfo")
                    .put("category", "usererror")
                    .put("code", exited ? "FailureExitCode" : task.code)
                    .put("message", exited ? "The task exited with an exit code representing a failure" : why);
        }
        task.taken.forEach(node -> pools.set(node, "idle", ""));
        if (!succeeded && !job.isCompleted() && BatchJobRules.endsJob(task.body, job.body())) {
            complete(job, "TaskFailed");
        }
        endIfAllComplete(job);
        schedule();
    }

    /** A task that lost a node waits again, for other nodes or another pool of that name. */
    private void requeue(Task task) {
        task.taken.forEach(node -> pools.set(node, "idle", ""));
        task.taken.clear();
        task.body
                .put("state", "active")
                .put("stateTransitionTime", Instant.now().toString());
        task.body.remove("nodeInfo");
        ObjectNode info = (ObjectNode) task.body.path("executionInfo");
        info.put("requeueCount", info.path("requeueCount").asInt() + 1);
        info.remove("startTime");
        schedule();
    }

    /** Ends a task and all that it runs on its nodes; what it printed before is kept. */
    void terminate(String jobId, String id) {
        Task task = task(jobId, id);
        ArmException.refuse(task.isOver(), "TaskCompleted");
        stop(requireJob(jobId), task, BY_USER);
    }

    private void stop(Job job, Task task, String why) {
        synchronized (lock) {
            if (task.isOver()) {
                return;
            }
            task.ended = why;
            if (task.taken.isEmpty()) {
                end(job, task, new BackingMachines.Output(NO_EXIT, "", ""));
            }
            String pool = Bodies.text(task.body, "nodeInfo.poolId");
            String folder = folder(job.id(), task);
            task.taken.forEach(node -> nodes.end(pool, Bodies.text(node, "id"), folder));
        }
    }

    /** The output of the task's command. */
    static String file(Task task, String name) {
        return switch (name) {
            case "stdout.txt" -> task.stdout;
            case "stderr.txt" -> task.stderr;
            default -> throw ArmException.of("FileNotFound");
        };
    }

    private static String folder(String job, Task task) {
        return BatchNodes.ROOT + "/workitems/" + job + "/job-1/" + Bodies.text(task.body, "id");
    }
}
