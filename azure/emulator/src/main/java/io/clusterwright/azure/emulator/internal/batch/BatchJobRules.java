package io.clusterwright.azure.emulator.internal.batch;

import static io.clusterwright.azure.emulator.internal.batch.BatchRefusals.missing;
import static io.clusterwright.azure.emulator.internal.batch.BatchRefusals.refuse;
import static io.clusterwright.azure.emulator.internal.batch.BatchRefusals.within;

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
        refuse(pool.has("poolId") == pool.has("autoPoolSpecification"), "jobPool", pool);
        settings(job);
        if (job.has("jobReleaseTask") && !job.has("jobPreparationTask")) {
            throw missing("jobPreparationTask");
        }
    }

    private static void settings(ObjectNode job) {
        within(job, "priority", -MOST_PRIORITY, MOST_PRIORITY);
        int parallel = job.path("maxParallelTasks").asInt(-1);
        refuse(parallel < 1 && parallel != -1, "parallel", parallel);
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
        refuse(changes.has("poolInfo"), "fixedPool", changes.path("poolInfo"));
        boolean stays = Bodies.text(changes, "onAllTasksComplete").equals("noaction");
        boolean ends = Bodies.text(job, "onAllTasksComplete").equals("terminatejob");
        refuse(stays && ends, "endedTermination", "noaction");
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
        ArmException.refuse(
                task.has("dependsOn") && !job.path("usesTaskDependencies").asBoolean(),
                "TaskDependenciesNotSpecifiedOnJob");
        for (JsonNode action : task.path("exitConditions").findValues("jobAction")) {
            refuse(!Bodies.text(job, "onTaskFailure").equals(ON_FAILURE), "jobAction", action.asText());
            ArmException.refuse(action.asText().equals("disable"), "NotImplemented.action", "disable", "jobs");
        }
        within(task, "requiredSlots", 1, BatchRules.MOST_SLOTS);
        JsonNode many = task.path("multiInstanceSettings");
        if (many.isObject()) {
            refuse(task.path("requiredSlots").asInt(1) != 1, "instanceSlots", task.path("requiredSlots"));
            within(many, "numberOfInstances", 1, Integer.MAX_VALUE);
            BatchNodes.words("coordinationCommandLine", Bodies.text(many, "coordinationCommandLine"));
            Bodies.objects(many, "commonResourceFiles").forEach(BatchFiles::check);
        }
    }

    /** A command with its files, user and variables. */
    static void work(JsonNode task, String path) {
        BatchNodes.words(path + "commandLine", Bodies.text(task, "commandLine"));
        JsonNode identity = task.path("userIdentity");
        boolean ambiguous = identity.isObject() && identity.has("username") == identity.has("autoUser");
        refuse(ambiguous, "identity", identity);
        refuse(task.has("containerSettings"), "container", "");
        refuse(task.path("maxTaskRetryCount").asInt() < -1, "retries", task.path("maxTaskRetryCount"));
        Bodies.objects(task, "resourceFiles").forEach(BatchFiles::check);
        for (ObjectNode setting : Bodies.objects(task, "environmentSettings")) {
            String name = Bodies.text(setting, "name");
            refuse(name.isEmpty() || name.contains("="), "environment", name);
        }
    }

    private static void constraints(ObjectNode body) {
        if (body.path("constraints") instanceof ObjectNode limits) {
            BatchRefusals.duration(
                    limits, "maxWallClockTime", Duration.ofMillis(1), Duration.ofDays(Integer.MAX_VALUE));
            BatchRefusals.duration(limits, "retentionTime", Duration.ZERO, Duration.ofDays(Integer.MAX_VALUE));
            within(limits, "maxTaskRetryCount", -1, Integer.MAX_VALUE);
        }
    }
}
