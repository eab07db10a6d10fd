package io.clusterwright.azure.emulator.internal.batch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.clusterwright.azure.emulator.internal.arm.ArmException;
import io.clusterwright.azure.emulator.internal.arm.Bodies;
import java.time.Duration;

/** Refuses jobs and tasks as Batch does, by the descriptions of their properties. */
final class BatchJobRules {
    private static final int MOST_PRIORITY = 1000;
    private static final String ON_FAILURE = "performexitoptionsjobaction";

    private BatchJobRules() {}

    static void job(ObjectNode job) {
        BatchRules.id(job);
        JsonNode pool = job.path("poolInfo");
        if (pool.has("poolId") == pool.has("autoPoolSpecification")) {
            throw BatchRules.invalid(
                    "poolInfo",
                    pool,
                    "You must specify either the Pool ID or the auto Pool specification, but not both");
        }
        settings(job);
        if (job.has("jobReleaseTask") && !job.has("jobPreparationTask")) {
            throw BatchRules.missing("jobPreparationTask");
        }
    }

    private static void settings(ObjectNode job) {
        BatchRules.within(job, "priority", -MOST_PRIORITY, MOST_PRIORITY);
        int parallel = job.path("maxParallelTasks").asInt(-1);
        if (parallel < 1 && parallel != -1) {
            throw BatchRules.invalid("maxParallelTasks", parallel, "It must be -1 or greater than 0");
        }
        constraints(job);
        BatchRules.metadata(job);
    }

    /**
     * Changes of an active job.
     *
     * @param job as it is
     */
    static void change(ObjectNode changes, ObjectNode job) {
        settings(changes);
        if (changes.has("poolInfo")) {
            throw BatchRules.invalid(
                    "poolInfo",
                    changes.path("poolInfo"),
                    "You may change the Pool for a Job only when the Job is disabled");
        }
        if (Bodies.text(changes, "onAllTasksComplete").equals("noaction")
                && Bodies.text(job, "onAllTasksComplete").equals("terminatejob")) {
            throw BatchRules.invalid(
                    "onAllTasksComplete",
                    "noaction",
                    "Once you have engaged automatic Job termination, you cannot turn it off again");
        }
    }

    /** Whether a task that failed ends its job, by the job's {@code onTaskFailure} and the task's exit conditions. */
    static boolean endsJob(ObjectNode task, ObjectNode job) {
        if (!Bodies.text(job, "onTaskFailure").equals(ON_FAILURE)) {
            return false;
        }
        JsonNode conditions = task.path("exitConditions");
        JsonNode status = task.at("/executionInfo/exitCode");
        JsonNode options = conditions.path("default");
        if (status.isMissingNode()) {
            options = conditions.path("preProcessingError");
        }
        for (JsonNode range : conditions.path("exitCodeRanges")) {
            if (status.isInt()
                    && status.asInt() >= range.path("start").asInt()
                    && status.asInt() <= range.path("end").asInt()) {
                options = range.path("exitOptions");
            }
        }
        for (JsonNode code : conditions.path("exitCodes")) {
            if (status.isInt() && status.asInt() == code.path("code").asInt()) {
                options = code.path("exitOptions");
            }
        }
        return options.path("jobAction").asText("terminate").equals("terminate");
    }

    /** A task of a job. What depends on its pool is not refused: Batch leaves it waiting. */
    static void task(ObjectNode task, ObjectNode job) {
        BatchRules.id(task);
        work(task, "");
        constraints(task);
        if (task.has("dependsOn") && !job.path("usesTaskDependencies").asBoolean()) {
            throw ArmException.of("TaskDependenciesNotSpecifiedOnJob");
        }
        for (JsonNode action : task.path("exitConditions").findValues("jobAction")) {
            if (!Bodies.text(job, "onTaskFailure").equals(ON_FAILURE)) {
                throw BatchRules.invalid(
                        "jobAction", action.asText(), "It cannot be specified if onTaskFailure of the Job is noaction");
            }
            if (action.asText().equals("disable")) {
                throw ArmException.of("NotImplemented.action", "disable", "jobs");
            }
        }
        BatchRules.within(task, "requiredSlots", 1, BatchRules.MOST_SLOTS);
        JsonNode many = task.path("multiInstanceSettings");
        if (many.isObject()) {
            if (task.path("requiredSlots").asInt(1) != 1) {
                throw BatchRules.invalid(
                        "requiredSlots", task.path("requiredSlots"), "For multi-instance Tasks, this must be 1");
            }
            BatchRules.within(many, "numberOfInstances", 1, Integer.MAX_VALUE);
            BatchNodes.words("coordinationCommandLine", Bodies.text(many, "coordinationCommandLine"));
            Bodies.objects(many, "commonResourceFiles").forEach(BatchFiles::check);
        }
    }

    /** A command with its files, user and variables. */
    static void work(JsonNode task, String path) {
        BatchNodes.words(path + "commandLine", Bodies.text(task, "commandLine"));
        JsonNode identity = task.path("userIdentity");
        if (identity.isObject() && identity.has("username") == identity.has("autoUser")) {
            throw BatchRules.invalid(
                    "userIdentity", identity, "You must specify one of userName and autoUser but not both");
        }
        if (task.has("containerSettings")) {
            throw BatchRules.invalid(
                    "containerSettings", "", "It must not be set if the Pool doesn't have containerConfiguration set");
        }
        if (task.path("maxTaskRetryCount").asInt() < -1) {
            throw BatchRules.invalid("maxTaskRetryCount", task.path("maxTaskRetryCount"), "It is -1 or more");
        }
        Bodies.objects(task, "resourceFiles").forEach(BatchFiles::check);
        for (ObjectNode setting : Bodies.objects(task, "environmentSettings")) {
            String name = Bodies.text(setting, "name");
            if (name.isEmpty() || name.contains("=")) {
                throw BatchRules.invalid("environmentSettings.name", name, "It is the name of a variable");
            }
        }
    }

    private static void constraints(ObjectNode body) {
        if (body.path("constraints") instanceof ObjectNode limits) {
            BatchRules.duration(limits, "maxWallClockTime", Duration.ofMillis(1), Duration.ofDays(Integer.MAX_VALUE));
            BatchRules.duration(limits, "retentionTime", Duration.ZERO, Duration.ofDays(Integer.MAX_VALUE));
            BatchRules.within(limits, "maxTaskRetryCount", -1, Integer.MAX_VALUE);
        }
    }
}
