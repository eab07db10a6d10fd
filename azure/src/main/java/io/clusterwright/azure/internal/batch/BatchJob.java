package io.clusterwright.azure.internal.batch;

import com.fasterxml.jackson.databind.JsonNode;
import io.clusterwright.azure.AzureException;
import io.clusterwright.azure.AzureException.Reason;
import io.clusterwright.core.RunningCommand.OutputListener;
import io.clusterwright.core.internal.json.Json;
import io.clusterwright.core.type.InvalidValueException;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.mpi.Leftovers;
import io.clusterwright.mpi.QueuedJobStatus;
import io.clusterwright.mpi.spi.ScheduledJob;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/** A job of Batch with one multi-instance task. */
public record BatchJob(BatchCalls calls, String id, List<String> command) implements ScheduledJob {
    static final String TASK = "mpi";

    /** The job of this id. */
    public static BatchJob find(BatchCalls calls, String id) {
        if (!id.matches("[A-Za-z0-9_-]{1,64}")) {
            throw new InvalidValueException(
                    "id of a Batch job", id, "1 to 64 letters, digits, '-' and '_'", "pool-1a2b3c4d");
        }
        return new BatchJob(calls, id, List.of());
    }

    @Override
    public String name() {
        return "Batch job " + id;
    }

    @Override
    public QueuedJobStatus status() {
        JsonNode task;
        try {
            task = calls.get("read job " + id, path());
        } catch (AzureException e) {
            if (e.reason() == Reason.NOT_FOUND) {
                return QueuedJobStatus.of(QueuedJobStatus.State.UNKNOWN, "deleted", "");
            }
            throw e;
        }
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

    private static void send(OutputListener output, OutputListener.Stream stream, String text) {
        byte[] all = text.getBytes(StandardCharsets.UTF_8);
        output.onOutput(stream, all, all.length);
    }

    /** Standard output of all ranks, and then their standard error. */
    @Override
    public String output() {
        return file("stdout.txt") + file("stderr.txt");
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
    private String file(String name) {
        try {
            return calls.text("read " + name + " of job " + id, path() + "/files/" + name);
        } catch (AzureException e) {
            if (e.reason() == Reason.NOT_FOUND) {
                return "";
            }
            throw e;
        }
    }

    private String path() {
        return "/jobs/" + id + "/tasks/" + TASK;
    }
}
