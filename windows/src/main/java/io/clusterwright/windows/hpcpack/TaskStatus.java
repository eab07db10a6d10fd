package io.clusterwright.windows.hpcpack;

import java.util.Map;
import java.util.OptionalInt;

/**
 * A task as the head node reports it. Use it to read the output and the exit code of a task.
 *
 * @param jobId the number of its job
 * @param id its number in the job, from 1
 * @param properties all properties that were sent, by their names in HPC Pack's ISchedulerTask
 * @see HpcPackJobs
 */
public record TaskStatus(int jobId, int id, Map<String, String> properties) {
    /** Copies the map. */
    public TaskStatus {
        properties = Map.copyOf(properties);
    }

    /** Its state. */
    public JobState state() {
        return JobState.of(properties.getOrDefault("State", ""));
    }

    /** The exit code of its command; absent while the task has not ended. Windows programs may end with negative numbers. */
    public OptionalInt exitCode() {
        String code = properties.getOrDefault("ExitCode", "").strip();
        return state().ended() && code.matches("-?\\d{1,10}")
                ? OptionalInt.of((int) Long.parseLong(code))
                : OptionalInt.empty();
    }

    /**
     * The console output of its command so far; empty when it writes to a file ({@code StdOutFilePath}). The head node keeps a limited
     * length.
     */
    public String output() {
        return properties.getOrDefault("Output", "");
    }

    /** The reason why it failed; empty when none was sent. */
    public String errorMessage() {
        return properties.getOrDefault("ErrorMessage", "");
    }
}
