package io.clusterwright.azure;

import com.fasterxml.jackson.databind.JsonNode;
import io.clusterwright.azure.AzureException.Reason;
import io.clusterwright.azure.internal.batch.BatchCalls;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;

/** A job that was handed to Batch. Safe for use by several threads; it goes on whatever happens to this object. */
public final class BatchRun {
    static final String TASK = "mpi";

    private final BatchCalls calls;
    private final String id;

    BatchRun(BatchCalls calls, String id) {
        this.calls = calls;
        this.id = id;
    }

    /** Batch's name of the job. */
    public String id() {
        return id;
    }

    /**
     * Waits for the job's end.
     *
     * @return what became of it; empty when the time passed before
     * @throws AzureException when Batch cannot be asked, or the thread is interrupted; the job goes on
     */
    public Optional<BatchResult> await(Duration limit) {
        long end = System.nanoTime() + limit.toNanos();
        while (true) {
            JsonNode task = calls.get("read job " + id, path());
            if (task.path("state").asText().equals("completed")) {
                return Optional.of(result(task));
            }
            if (System.nanoTime() > end) {
                return Optional.empty();
            }
            calls.pause("wait for job " + id);
        }
    }

    /** Ends the job; one that has ended stays as it is. */
    public void cancel() {
        try {
            calls.post("end job " + id, path() + "/terminate", BatchCalls.object());
        } catch (AzureException e) {
            if (!e.code().equals("TaskCompleted")) {
                throw e;
            }
        }
    }

    /** Deletes the job with all it left; it is ended before. Does nothing when there is none. */
    public void delete() {
        calls.delete("delete job " + id, "/jobs/" + id);
    }

    private BatchResult result(JsonNode task) {
        JsonNode info = task.path("executionInfo");
        JsonNode failure = info.path("failureInfo");
        String words = failure.isObject()
                ? failure.path("code").asText() + ": " + failure.path("message").asText()
                : "";
        return new BatchResult(
                info.path("result").asText().equalsIgnoreCase("success"),
                info.hasNonNull("exitCode")
                        ? OptionalInt.of(info.path("exitCode").asInt())
                        : OptionalInt.empty(),
                words,
                file("stdout.txt"),
                file("stderr.txt"));
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
