package io.clusterwright.azure.internal.batch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.clusterwright.azure.AzureException;
import io.clusterwright.azure.AzureException.Reason;
import io.clusterwright.core.RunningCommand.OutputListener;
import io.clusterwright.core.internal.json.Json;
import io.clusterwright.core.type.InvalidValueException;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.mpi.job.Leftovers;
import io.clusterwright.mpi.job.QueuedJob;
import io.clusterwright.mpi.job.QueuedJobStatus;
import io.clusterwright.mpi.spi.ScheduledJob;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A job of Batch with one multi-instance task. */
public record BatchJob(BatchCalls calls, String id, List<String> command) implements ScheduledJob {
    static final String TASK = "mpi";
    private static final Set<String> ENDING = Set.of("completed", "terminating", "deleting");
    private static final Set<String> ENDED = Set.of("JobCompleted", "JobTerminating", "JobBeingDeleted");

    /** The job of this id. */
    public static BatchJob find(BatchCalls calls, String id) {
        if (!id.matches("[A-Za-z0-9_-]{1,64}")) {
            throw new InvalidValueException("Batch job id", id, "1 to 64 letters, digits, '-' or '_'", "pool-1a2b3c4d");
        }
        return new BatchJob(calls, id, List.of());
    }

    /** The jobs on these pools, in the order of their ids. One that another client made has no state that is known here. */
    public static List<QueuedJob.Listed> list(BatchCalls calls, Set<String> pools) {
        return calls.list("list the jobs", "/jobs").stream()
                .filter(job -> pools.contains(job.at("/poolInfo/poolId").asText()))
                .sorted(Comparator.comparing(job -> job.path("id").asText()))
                .map(job -> listed(calls, job))
                .toList();
    }

    /**
     * Deletes a pool and ends the jobs on it, which Batch would keep active, and would run again on the next pool of that name. The pool is
     * deleted also when a job cannot be ended.
     */
    public static void deletePool(BatchCalls calls, String pool) {
        try {
            calls.list("list the jobs", "/jobs").stream()
                    .filter(job -> job.at("/poolInfo/poolId").asText().equals(pool))
                    .filter(job -> !ENDING.contains(job.path("state").asText()))
                    .forEach(job -> end(calls, job.path("id").asText()));
        } finally {
            calls.delete("delete pool " + pool, "/pools/" + pool);
        }
    }

    private static void end(BatchCalls calls, String job) {
        try {
            calls.post("end job " + job, "/jobs/" + job + "/terminate", Json.object());
        } catch (AzureException e) {
            if (e.reason() != Reason.NOT_FOUND && !ENDED.contains(e.code())) {
                throw e;
            }
        }
    }

    private static QueuedJob.Listed listed(BatchCalls calls, JsonNode job) {
        String id = job.path("id").asText();
        JsonNode task = new BatchJob(calls, id, List.of()).task();
        return new QueuedJob.Listed(
                id,
                job.path("displayName").asText(),
                task.at("/userIdentity/username").asText(),
                task.isMissingNode()
                        ? QueuedJobStatus.of(
                                QueuedJobStatus.State.UNKNOWN, job.path("state").asText(), "")
                        : status(task),
                task.at("/nodeInfo/nodeId").asText());
    }

    @Override
    public String name() {
        return "Batch job " + id;
    }

    @Override
    public QueuedJobStatus status() {
        JsonNode task = task();
        return task.isMissingNode() ? QueuedJobStatus.of(QueuedJobStatus.State.UNKNOWN, "deleted", "") : status(task);
    }

    /** The task; missing where there is none. */
    private JsonNode task() {
        try {
            return calls.get("read job " + id, path());
        } catch (AzureException e) {
            if (e.reason() == Reason.NOT_FOUND) {
                return MissingNode.getInstance();
            }
            throw e;
        }
    }

    private static QueuedJobStatus status(JsonNode task) {
        String state = task.path("state").asText();
        if (!state.equals("completed")) {
            return QueuedJobStatus.of(
                    state.equals("running") ? QueuedJobStatus.State.RUNNING : QueuedJobStatus.State.WAITING, state, "");
        }
        return ended(task.path("executionInfo"));
    }

    /** The exit code of a task that Batch ended is no answer of the program. */
    private static QueuedJobStatus ended(JsonNode info) {
        String code = info.path("failureInfo").path("code").asText();
        String message = info.path("failureInfo").path("message").asText();
        boolean programFailed = code.isEmpty() || code.equals("FailureExitCode");
        QueuedJobStatus.State state = info.path("result").asText().equalsIgnoreCase("success")
                ? QueuedJobStatus.State.SUCCEEDED
                : programFailed
                        ? QueuedJobStatus.State.FAILED
                        : message.contains("maxWallClockTime")
                                ? QueuedJobStatus.State.TIMED_OUT
                                : code.equals("TaskEnded")
                                        ? QueuedJobStatus.State.CANCELLED
                                        : QueuedJobStatus.State.FAILED;
        QueuedJobStatus status = QueuedJobStatus.of(state, "completed", code.isEmpty() ? "" : code + ": " + message);
        return info.hasNonNull("exitCode")
                ? status.withExitStatus(info.path("exitCode").asInt())
                : status;
    }

    @Override
    public QueuedJobStatus poll(OutputListener output) {
        QueuedJobStatus now = status();
        if (now.ended()) {
            send(output, OutputListener.Stream.STDOUT, file("stdout.txt"));
            send(output, OutputListener.Stream.STDERR, file("stderr.txt"));
        }
        return now;
    }

    private static void send(OutputListener output, OutputListener.Stream stream, byte[] all) {
        output.onOutput(stream, all, all.length);
    }

    /** Standard output of all ranks, and then their standard error. */
    @Override
    public String output() {
        return new String(file("stdout.txt"), StandardCharsets.UTF_8)
                + new String(file("stderr.txt"), StandardCharsets.UTF_8);
    }

    @Override
    public void writeOutput(OutputStream out) throws IOException {
        out.write(file("stdout.txt"));
        out.write(file("stderr.txt"));
    }

    @Override
    public Map<NodeName, Leftovers> cancel(String reason) {
        try {
            calls.post("end job " + id, path() + "/terminate", Json.object());
        } catch (AzureException e) {
            if (!e.code().equals("TaskCompleted")) {
                throw e;
            }
        }
        return Map.of();
    }

    /** A task that never ran has no files. */
    private byte[] file(String name) {
        try {
            return calls.file("read " + name + " of job " + id, path() + "/files/" + name);
        } catch (AzureException e) {
            if (e.reason() == Reason.NOT_FOUND) {
                return new byte[0];
            }
            throw e;
        }
    }

    private String path() {
        return "/jobs/" + id + "/tasks/" + TASK;
    }
}
